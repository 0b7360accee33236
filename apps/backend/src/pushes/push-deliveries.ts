/**
 * Takes what a source host has sent: decides under a lock of the service what becomes of it, stores that, and records it. What
 * was stored is recorded for certain: after the death of this process, by the next round of another one.
 */
import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { PushDelivery } from '@quarterdeck/contract';
import { deployRule, service, servicePackage, type EventData, type PushedVersion } from '@quarterdeck/events';
import type { PoolClient } from 'pg';
import { v5 as uuidv5 } from 'uuid';
import { transaction } from '../platform/database';
import { DomainError } from '../platform/errors';
import { detailOf, listOf } from '../platform/kit';
import { ownMeta } from '../platform/sessions';
import { CONFIG, DB, type Config, type Pool } from '../platform/tokens';
import { announcedBy, type AnnouncedVersion, type Announcement } from './announcement';
import type { PushCall } from './push-door';
import { planOf, type PushPlan, type RuleView, type ServiceFields } from './push-plan';
import { RecordMatch, ReplacePush } from './pushes.decider';

type Outcome = PushDelivery['is'];

/** Something that has to be recorded. */
interface Planned {
  id: string;
  data: EventData<'PushMatched'>;
  /** The version of this environment that came before. If it still waits, this one takes its place. */
  replaces?: string;
}

interface DeliveryRow {
  id: string;
  workspace: string;
  service: string;
  delivery: string;
  at: Date;
  event: string;
  version: PushedVersion | null;
  outcome: Outcome;
  says: string;
  plan: Planned[];
  applied: boolean;
  repeats: number;
  repeated_at: Date | null;
}

const MAX_A_MINUTE = 60;
const KEPT_DAYS = 30;
const MAX_KEPT = 500;
const MAX_SHOWN = 50;
const MAX_SAYS = 1000;
/** What another process is recording at the moment is left to it. */
const LOST_AFTER = `interval '5 seconds'`;

const ROW = `id, workspace, service, delivery, at, event, version, outcome, says, plan, applied, repeats, repeated_at`;

export interface Taken {
  id: string;
  repeated: boolean;
  says: string;
}

interface Judged {
  announced: Announcement;
  /** Of a version. */
  plan: PushPlan | undefined;
  service: ServiceView;
}
type ServiceView = ServiceFields & { id: string; name: string; product: string };

@Injectable()
export class PushDeliveries {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(DB) private readonly db: Pool,
    private readonly commands: CommandBus,
  ) {}

  async take(call: PushCall, body: unknown, bytes: Buffer): Promise<Taken> {
    const judged = await this.judge(call, body);
    const hash = createHash('sha256').update(bytes).digest('hex');
    const { row, repeated } = await transaction(this.db, async (client) => {
      await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`push ${call.service}`]);
      const before = await this.repeated(client, call, hash);
      if (before) return { row: before, repeated: true };
      await this.refuseFlood(client, call.service);
      return { row: await this.store(client, call, hash, judged), repeated: false };
    });
    if (!row.applied) await this.record(row);
    const { id, says } = row;
    return { id, repeated, says };
  }

  /** Newest first. */
  async list(of: string, workspace: string): Promise<PushDelivery[]> {
    const { rows } = await this.db.query<DeliveryRow>(
      `select ${ROW} from app.push_deliveries where service = $1 and workspace = $2
       order by at desc, id limit ${MAX_SHOWN}`,
      [of, workspace],
    );
    return rows.map((row) => ({
      id: row.id,
      delivery: row.delivery,
      at: row.at.toISOString(),
      event: row.event,
      repeats: row.repeats,
      ...(row.repeated_at && { repeatedAt: row.repeated_at.toISOString() }),
      ...(row.version && { version: row.version }),
      is: row.outcome,
      says: row.says,
      pushes: row.plan.map(({ id, data: { rule, env } }) => ({ id, rule, env })),
    }));
  }

  /** Records what processes that died have stored and not recorded. */
  async recordLost(): Promise<void> {
    const { rows } = await this.db.query<DeliveryRow>(
      `select ${ROW} from app.push_deliveries
       where not applied and at < clock_timestamp() - ${LOST_AFTER} order by at limit 100`,
    );
    for (const row of rows) await this.record(row);
  }

  async sweep(): Promise<void> {
    await this.db.query(
      `delete from app.push_deliveries where applied and at < clock_timestamp() - interval '${KEPT_DAYS} days'`,
    );
    await this.db.query(
      `delete from app.push_deliveries d using (
         select service, delivery, row_number() over (partition by service order by at desc) as place
         from app.push_deliveries where applied) old
       where d.service = old.service and d.delivery = old.delivery and old.place > ${MAX_KEPT}`,
    );
  }

  private async judge({ service: id, workspace, event }: PushCall, body: unknown): Promise<Judged> {
    const found = (await detailOf(service, this.db, workspace, id)) as ServiceView | undefined;
    if (!found) throw new DomainError('notFound', 'the service of this address was removed');
    const announced = announcedBy(event, body, new Date());
    if (announced.is !== 'version') return { announced, plan: undefined, service: found };
    const rules = (await listOf(deployRule, this.db, workspace, id)) as unknown as RuleView[];
    const packages = await listOf(servicePackage, this.db, workspace, id);
    const npmNames = packages
      .toReversed()
      .flatMap(({ image }) => /^(@?[^@]+)@/.exec(String(image))?.[1] ?? []);
    const ground = { service: found, rules, registry: this.config.CONTAINER_REGISTRY, npmNames };
    return { announced, plan: planOf(announced, ground), service: found };
  }

  private async repeated(
    client: PoolClient,
    { service: of, delivery }: PushCall,
    hash: string,
  ): Promise<DeliveryRow | undefined> {
    const { rows } = await client.query<DeliveryRow>(
      `update app.push_deliveries set repeats = repeats + 1, repeated_at = clock_timestamp()
       where service = $1 and (delivery = $2 or body = $3) returning ${ROW}`,
      [of, delivery, hash],
    );
    return rows[0];
  }

  /** Repetitions do not count. */
  private async refuseFlood(client: PoolClient, of: string): Promise<void> {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from app.push_deliveries
       where service = $1 and at > clock_timestamp() - interval '1 minute'`,
      [of],
    );
    if ((rows[0]?.count ?? 0) >= MAX_A_MINUTE)
      throw new DomainError(
        'tooMany',
        `a service takes at most ${MAX_A_MINUTE} deliveries a minute`,
        undefined,
        {
          retryAfter: 60,
        },
      );
  }

  private async store(
    client: PoolClient,
    call: PushCall,
    hash: string,
    judged: Judged,
  ): Promise<DeliveryRow> {
    const { announced } = judged;
    const { outcome, says, plan } =
      announced.is === 'version'
        ? await this.decide(client, call, { ...judged, announced })
        : { outcome: announced.is, says: announced.says, plan: [] };
    const { rows } = await client.query<DeliveryRow>(
      `insert into app.push_deliveries
         (service, delivery, body, id, workspace, event, version, outcome, says, plan, applied)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning ${ROW}`,
      [
        call.service,
        call.delivery,
        hash,
        uuidv5(call.delivery, call.service),
        call.workspace,
        announced.event,
        announced.is === 'version' ? JSON.stringify(announced.version) : null,
        outcome,
        says.slice(0, MAX_SAYS),
        JSON.stringify(plan),
        plan.length === 0,
      ],
    );
    const [row] = rows as [DeliveryRow];
    return row;
  }

  /** What the rules want, without what is older than what came before, or the same. */
  private async decide(
    client: PoolClient,
    call: PushCall,
    { announced, plan, service: of }: Judged & { announced: AnnouncedVersion },
  ): Promise<{ outcome: Outcome; says: string; plan: Planned[] }> {
    if (!plan || plan.matched.length === 0) return { outcome: 'unmatched', says: plan?.says ?? '', plan: [] };
    const planned: Planned[] = [];
    const outdated: string[] = [];
    let isRepeated = false;
    for (const { rule, env, approval } of plan.matched) {
      const { tag, branch, starts } = announced.version;
      const id = uuidv5(`${rule.id} ${env} ${plan.image} ${announced.digest}`, call.service);
      const published = new Date(announced.publishedAt ?? Date.now());
      const newest = await newestOf(client, call.service, env);
      const isKnown = newest?.push === id || (await isPlanned(client, call.service, id));
      if (isKnown) {
        isRepeated = true;
        continue;
      }
      if (newest && newest.published_at > published) {
        outdated.push(
          `${tag} was published at ${published.toISOString()}, before ${newest.version}, which came first.`,
        );
        continue;
      }
      await client.query(
        `insert into app.push_newest (service, env, workspace, published_at, version, push)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (service, env) do update set published_at = excluded.published_at,
           version = excluded.version, push = excluded.push`,
        [call.service, env, call.workspace, published, tag, id],
      );
      planned.push({
        id,
        data: {
          service: { id: of.id, name: of.name },
          product: of.product,
          rule,
          env,
          starts,
          version: tag,
          branch,
          image: plan.image,
          digest: announced.digest,
          by: announced.by,
          delivery: call.delivery,
          ...(announced.publishedAt !== undefined && { publishedAt: announced.publishedAt }),
          ...(approval && { approval }),
        },
        ...(newest && { replaces: newest.push }),
      });
    }
    if (planned.length > 0)
      return { outcome: 'matched', says: [plan.says, ...outdated].join(' '), plan: planned };
    return outdated.length > 0
      ? {
          outcome: 'outdated',
          says: `An older version replaces no newer one: ${outdated.join(' ')}`,
          plan: [],
        }
      : {
          outcome: isRepeated ? 'repeated' : 'unmatched',
          says: `${announced.version.tag} had been announced before, by another delivery.`,
          plan: [],
        };
  }

  /** Can be repeated. */
  private async record({ id, workspace, plan }: DeliveryRow): Promise<void> {
    for (const { id: push, data, replaces } of plan) {
      // The id of the delivery is the correlation of all that follows from it.
      const meta = () => ownMeta('system', workspace, id);
      await this.commands.execute(new RecordMatch(push, data, meta()));
      if (replaces === undefined) continue;
      const newer = { push, version: data.version };
      await this.commands.execute(new ReplacePush(replaces, { newer }, meta()));
    }
    await this.db.query('update app.push_deliveries set applied = true where id = $1', [id]);
  }
}

const newestOf = async (client: PoolClient, of: string, env: number) => {
  const { rows } = await client.query<{ published_at: Date; version: string; push: string }>(
    'select published_at, version, push from app.push_newest where service = $1 and env = $2',
    [of, env],
  );
  return rows[0];
};

const isPlanned = async (client: PoolClient, of: string, push: string): Promise<boolean> => {
  const { rowCount } = await client.query(
    `select from app.push_deliveries where service = $1 and plan @> $2::jsonb limit 1`,
    [of, JSON.stringify([{ id: push }])],
  );
  return rowCount !== 0;
};

/**
 * Looks at the account of a workspace, and records what is different from before. One process looks at a time: whoever
 * else wants to know waits for that look. So the calls of a workspace do not grow with the number of its operators.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { CloudDatabaseView, DropletView } from '@quarterdeck/projections';
import { DomainError } from '../platform/errors';
import { Leases } from '../platform/leases';
import { sameData } from '../platform/same-data';
import { type CommandMeta, ownMeta } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';
import { CloudAssociations } from './cloud-associations';
import { cloudDatabaseId, CloudGround, dropletId } from './cloud-ground';
import { seenAccount, seenOf, type Seen } from './cloud.queries';
import type { CloudProvider, Limits, ProviderKey, SeenCluster, SeenMachine, Zone } from './provider';

/** Lists of keys have a limit of their own at the provider: 10 in a minute. */
const KEYS_EVERY_S = { inRounds: 300, whenAsked: 10 };
const LOOK_AGAIN_MS = 150;
const PATIENCE_MS = 30_000;
const LOOK_MS = 60_000;
/** How many things that are missing from a list are asked for one by one, in one look. */
const MISSING = 20;
const AT_ONCE = 16;

const inParts = async <T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> => {
  for (let from = 0; from < all.length; from += AT_ONCE)
    await Promise.all(all.slice(from, from + AT_ONCE).map(work));
};

@Injectable()
export class CloudLooks {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly ground: CloudGround,
    private readonly leases: Leases,
    private readonly associations: CloudAssociations,
  ) {}

  /**
   * Looks now, or waits for the look of another process. A failure is a part of the answer.
   * @param signal of the rounds; absent when a person asks
   */
  async look(workspace: string, signal?: AbortSignal): Promise<Seen> {
    const lease = `cloud-look-${workspace}`;
    const asked = await this.now();
    for (const began = performance.now(); ; await sleep(LOOK_AGAIN_MS)) {
      if (await this.wasTried(workspace, asked)) return seenOf(this.db, workspace);
      if (await this.leases.take(lease)) break;
      if (performance.now() - began > PATIENCE_MS)
        throw new DomainError('unavailable', 'another look at the account takes long: try again', undefined, {
          retryAfter: 5,
        });
    }
    try {
      await this.lookNow(workspace, signal);
    } finally {
      await this.leases.release(lease);
    }
    return seenOf(this.db, workspace);
  }

  private async now(): Promise<string> {
    const { rows } = await this.db.query<{ now: string }>('select clock_timestamp()::text as now');
    return rows[0]?.now ?? '';
  }

  private async lookNow(workspace: string, stop?: AbortSignal): Promise<void> {
    const began = await this.now();
    const late = AbortSignal.timeout(LOOK_MS);
    const signal = stop ? AbortSignal.any([late, stop]) : late;
    let limits: Limits | undefined;
    const onLimits = (told: Limits): void => void (limits = told);
    /** By sentence: the lists that it is about. */
    const problems = new Map<string, string[]>();
    // A token may be allowed to read some of the lists only.
    const part = async <T>(what: string, read: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await read();
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        problems.set(error.msg, [...(problems.get(error.msg) ?? []), what]);
        return undefined;
      }
    };
    const meta = ownMeta('system', workspace);
    const account = () => this.ground.provider(workspace, { signal, waitSeconds: 5, onLimits });
    await this.associations.settle(meta);
    const provider = await part('account', account);
    const [, , zones, keys] = provider
      ? await Promise.all([
          part('droplets', async () => this.recordMachines(provider, await provider.machines(), meta)),
          part('databases', async () => this.recordClusters(provider, await provider.clusters(), meta)),
          part('domains', () => provider.zones()),
          part('SSH keys', () =>
            this.keys(provider, workspace, stop ? KEYS_EVERY_S.inRounds : KEYS_EVERY_S.whenAsked),
          ),
        ])
      : [];
    await this.keep(workspace, { began, limits, zones, keys, problem: inWords(problems) });
  }

  private async recordMachines(
    provider: CloudProvider,
    seen: SeenMachine[],
    meta: CommandMeta,
  ): Promise<void> {
    const known = await seenAccount<DropletView>(this.db, 'droplets', meta.workspace);
    await inParts(seen, async ({ ...machine }) => {
      const before = known.get(dropletId(machine.droplet, meta.workspace));
      const { isLocked: _, ...facts } = machine;
      if (before?.goneAt !== undefined || (before && sameData(facts, pick(before, facts)))) return;
      await this.ground.observeMachine(machine, meta);
    });
    const here = new Set(seen.map(({ droplet }) => droplet));
    const missing = [...known.values()].filter(({ droplet, goneAt }) => !goneAt && !here.has(droplet));
    // Lists may be late: each is asked for before it counts as gone.
    for (const { id, droplet } of missing.slice(0, MISSING))
      if ((await provider.machine(droplet)) === undefined) await this.ground.loseMachine(id, meta);
  }

  private async recordClusters(
    provider: CloudProvider,
    seen: SeenCluster[],
    meta: CommandMeta,
  ): Promise<void> {
    const known = await seenAccount<CloudDatabaseView>(this.db, 'cloud_databases', meta.workspace);
    await inParts(seen, async (cluster) => {
      const before = known.get(cloudDatabaseId(cluster.cluster, meta.workspace));
      if (before?.goneAt !== undefined || (before && sameData(cluster, pick(before, cluster)))) return;
      await this.ground.observeCluster(cluster, meta);
    });
    const here = new Set(seen.map(({ cluster }) => cluster));
    const missing = [...known.values()].filter(({ cluster, goneAt }) => !goneAt && !here.has(cluster));
    for (const { id, cluster } of missing.slice(0, MISSING))
      if ((await provider.cluster(cluster)) === undefined) await this.ground.loseCluster(id, meta);
  }

  /** Undefined if they were listed lately. */
  private async keys(
    provider: CloudProvider,
    workspace: string,
    everyS: number,
  ): Promise<ProviderKey[] | undefined> {
    const { rowCount } = await this.db.query(
      `select from app.cloud_looks
       where workspace = $1 and keys_at > clock_timestamp() - make_interval(secs => $2)`,
      [workspace, everyS],
    );
    return rowCount === 0 ? provider.keys() : undefined;
  }

  private async keep(
    workspace: string,
    seen: {
      /** What was changed at the provider since may not be in the lists. */
      began: string;
      limits: Limits | undefined;
      zones: Zone[] | undefined;
      keys: ProviderKey[] | undefined;
      problem: string | undefined;
    },
  ): Promise<void> {
    const { began, limits, zones, keys, problem } = seen;
    const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));
    await this.db.query(
      `insert into app.cloud_looks as kept (workspace, tried_at, seen_at, problem, limits, zones, keys, keys_at)
       select $1, now, case when $2::text is null then now end, $2, $3::jsonb, $4::jsonb, $5::jsonb,
         case when $5::jsonb is not null then now end
       from (select $6::timestamptz as now) as look
       on conflict (workspace) do update set
         tried_at = excluded.tried_at, seen_at = coalesce(excluded.seen_at, kept.seen_at),
         problem = excluded.problem, limits = coalesce(excluded.limits, kept.limits),
         zones = coalesce(excluded.zones, kept.zones), keys = coalesce(excluded.keys, kept.keys),
         keys_at = coalesce(excluded.keys_at, kept.keys_at)`,
      [workspace, problem ?? null, json(limits), json(zones), json(keys), began],
    );
  }

  /** Whether a look has ended that began after that. */
  private async wasTried(workspace: string, asked: string): Promise<boolean> {
    const { rowCount } = await this.db.query(
      'select from app.cloud_looks where workspace = $1 and tried_at >= $2::timestamptz',
      [workspace, asked],
    );
    return rowCount === 1;
  }
}

const ALWAYS_READ = ['droplets', 'databases', 'domains'];

/** Lists that fail in different ways are named; undefined if there is no problem. */
const inWords = (problems: ReadonlyMap<string, readonly string[]>): string | undefined => {
  const all = [...problems].map(([says, lists]) =>
    lists.includes('account') || ALWAYS_READ.every((list) => lists.includes(list))
      ? says
      : `${lists.toSorted().join(', ')} could not be read: ${says}`,
  );
  return all.length === 0 ? undefined : all.join('; ');
};

/** The fields of `from` that `like` has. */
const pick = (from: object, like: object): Record<string, unknown> => {
  const all = from as Record<string, unknown>;
  return Object.fromEntries(Object.keys(like).map((key) => [key, all[key]]));
};

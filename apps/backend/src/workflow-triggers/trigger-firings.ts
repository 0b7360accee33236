/**
 * Starts instances for triggers, each once: the id of an instance is made from its trigger and from what fired it. What
 * came of it is kept for a week.
 */
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { WorkflowFiring } from '@quarterdeck/contract';
import type { EventData, Json } from '@quarterdeck/events';
import { v5 as uuidv5 } from 'uuid';
import { RaiseAlert, ResolveAlert } from '../alerts';
import { isTransient, transaction } from '../platform/database';
import { DomainError } from '../platform/errors';
import { type CommandMeta, ownMeta } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';
import { SIGNATURE_SECONDS } from '../platform/webhook-signature';
import { WorkflowInstances } from '../workflows';
import type { Trigger } from './trigger-view';

/** What fired a trigger. */
export interface Shot {
  /** The same one fires once. */
  source: string;
  data: Json;
  cause: Pick<EventData<'WorkflowInstanceStarted'>['cause'], 'is' | 'position'>;
  occurrence?: Date;
  /** The correlation of the event that fired. */
  chain?: string;
  meta: CommandMeta;
}

const KEPT_DAYS = 7;
const SHOWN = 50;

const FIRING = `id, at, state as "is", source, coalesce(reason, '') as reason`;
interface FiringRow {
  id: string;
  at: Date;
  is: WorkflowFiring['is'];
  source: string;
  reason: string;
}

const viewOf = ({ id, at, is, source, reason }: FiringRow): WorkflowFiring => ({
  id,
  at: at.toISOString(),
  is,
  source,
  ...(reason !== '' && { reason }),
});

export const instanceIdOf = (trigger: string, source: string): string => uuidv5(source, trigger);

/** A change of the trigger may have mended it, so what is wrong afterwards is told again. */
const alertIdOf = ({ id, position }: Trigger): string => uuidv5(`refused ${position}`, id);

@Injectable()
export class TriggerFirings {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly commands: CommandBus,
    private readonly instances: WorkflowInstances,
  ) {}

  /**
   * @param refused why nothing is started
   * @throws errors that pass: nothing was recorded then, and the same shot may be fired again
   */
  async fire(trigger: Trigger, shot: Shot, refused?: string): Promise<WorkflowFiring> {
    const { id: of } = trigger;
    const id = instanceIdOf(of, shot.source);
    const before = await this.known(of, id);
    if (before) return before;
    const reason = refused ?? (await this.start(trigger, id, shot));
    const firing = await this.record(trigger, id, reason === undefined ? 'started' : 'refused', {
      ...shot,
      reason,
    });
    if (firing.reason !== undefined) await this.tell(trigger, firing.reason, shot.meta);
    else await this.untell(trigger, shot.meta);
    return firing;
  }

  /** Tells of occurrences at which nothing could be started. */
  async miss(trigger: Trigger, { source, occurrence, reason }: Missed): Promise<void> {
    const id = instanceIdOf(trigger.id, source);
    if (await this.known(trigger.id, id)) return;
    const meta = ownMeta('system', trigger.workspace);
    await this.record(trigger, id, 'missed', { source, occurrence, reason, meta });
    await this.tell(trigger, reason, meta);
  }

  /** Newest first. */
  async list(trigger: string): Promise<WorkflowFiring[]> {
    const { rows } = await this.db.query<FiringRow>(
      `select ${FIRING} from app.workflow_firings where trigger = $1 order by at desc, id limit ${SHOWN}`,
      [trigger],
    );
    return rows.map(viewOf);
  }

  /** The last one of each trigger. */
  async last(triggers: readonly string[]): Promise<Map<string, WorkflowFiring>> {
    const { rows } = await this.db.query<FiringRow & { trigger: string }>(
      `select f.* from unnest($1::uuid[]) as t (trigger),
         lateral (select trigger, ${FIRING} from app.workflow_firings w where w.trigger = t.trigger
           order by at desc, id limit 1) f`,
      [triggers],
    );
    return new Map(rows.map((row) => [row.trigger, viewOf(row)]));
  }

  /** The last occurrence that was seen to. */
  async occurrence(trigger: string): Promise<Date | undefined> {
    const { rows } = await this.db.query<{ at: Date | null }>(
      'select max(occurrence) as at from app.workflow_firings where trigger = $1',
      [trigger],
    );
    return rows[0]?.at ?? undefined;
  }

  /** How often a trigger has started something because of what it had started itself. */
  async inChain(trigger: string, chain: string): Promise<number> {
    return this.count(`chain = $2 and state = 'started'`, [trigger, chain]);
  }

  /**
   * One call of a webhook after the other, in all processes: otherwise calls at the same time would not count each other.
   * @returns `used` if this seal has started another instance, `flood` if there were too many
   */
  async seal(
    trigger: string,
    { seal, id }: { seal: string; id: string },
    atMost: number,
  ): Promise<'sealed' | 'used' | 'flood'> {
    return transaction(this.db, async (client) => {
      await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`webhook ${trigger}`]);
      const { rows } = await client.query<{ id: string }>(
        'select id from app.workflow_seals where trigger = $1 and seal = $2',
        [trigger, seal],
      );
      if (rows[0]) return rows[0].id === id ? 'sealed' : 'used';
      const { rowCount } = await client.query(
        `insert into app.workflow_seals (trigger, seal, id) select $1, $2, $3
         where (select count(*) from app.workflow_seals
           where trigger = $1 and at > clock_timestamp() - interval '1 minute') < $4`,
        [trigger, seal, id, atMost],
      );
      return rowCount === 0 ? 'flood' : 'sealed';
    });
  }

  known(trigger: string, id: string): Promise<WorkflowFiring | undefined> {
    return this.one('trigger = $1 and id = $2', [trigger, id]);
  }

  /** The newest occurrence of each trigger stays, because the next one is counted from it. */
  async sweep(): Promise<void> {
    await this.db.query(
      `delete from app.workflow_firings f where f.at < clock_timestamp() - interval '${KEPT_DAYS} days'
         and exists (select from app.workflow_firings n where n.trigger = f.trigger and n.at > f.at)`,
    );
    await this.db.query(
      `delete from app.workflow_seals
       where at < clock_timestamp() - make_interval(secs => ${2 * SIGNATURE_SECONDS + 60})`,
    );
  }

  private async start(
    trigger: Trigger,
    id: string,
    { data, cause, meta }: Shot,
  ): Promise<string | undefined> {
    try {
      await this.instances.start(
        {
          id,
          workflow: trigger.workflow,
          data,
          cause: { ...cause, id: trigger.id, name: trigger.name },
        },
        meta,
      );
      return undefined;
    } catch (error) {
      if (!(error instanceof DomainError) || isTransient(error) || error.code === 'tooMany') throw error;
      return error.msg;
    }
  }

  private async record(
    { id: trigger, workspace }: Trigger,
    id: string,
    is: WorkflowFiring['is'],
    shot: Pick<Shot, 'source' | 'occurrence' | 'chain'> & {
      reason?: string | undefined;
      meta: CommandMeta;
    },
  ): Promise<WorkflowFiring> {
    const { source, occurrence = null, chain = null, reason = null } = shot;
    await this.db.query(
      `insert into app.workflow_firings (trigger, id, workspace, state, source, occurrence, chain, reason)
       values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
      [trigger, id, workspace, is, source, occurrence, chain, reason],
    );
    return (await this.known(trigger, id)) ?? { id, at: new Date().toISOString(), is, source };
  }

  /** An event of the alert may fire triggers, too: it belongs to the same chain. */
  private async tell(trigger: Trigger, reason: string, { correlationId }: CommandMeta): Promise<void> {
    const subject = { kind: 'workflowTrigger', id: trigger.id, name: trigger.name };
    const says = `The trigger ${trigger.name} started nothing: ${reason}`;
    const meta = ownMeta('system', trigger.workspace, correlationId);
    const raise = new RaiseAlert(alertIdOf(trigger), { subject, about: 'workflowTrigger', says }, meta);
    await this.commands.execute(raise);
  }

  private async untell(trigger: Trigger, { correlationId }: CommandMeta): Promise<void> {
    const { workspace } = trigger;
    const { rowCount } = await this.db.query(
      `select from read.alerts where workspace = $1 and id = $2 and state = 'open'`,
      [workspace, alertIdOf(trigger)],
    );
    if (rowCount === 0) return;
    const meta = ownMeta('system', workspace, correlationId);
    const reason = 'it has started an instance since';
    await this.commands.execute(new ResolveAlert(alertIdOf(trigger), { reason }, meta));
  }

  private async one(which: string, values: unknown[]): Promise<WorkflowFiring | undefined> {
    const { rows } = await this.db.query<FiringRow>(
      `select ${FIRING} from app.workflow_firings where ${which}`,
      values,
    );
    return rows[0] && viewOf(rows[0]);
  }

  private async count(which: string, values: unknown[]): Promise<number> {
    const { rows } = await this.db.query<{ count: number }>(
      `select count(*)::int as count from app.workflow_firings where trigger = $1 and ${which}`,
      values,
    );
    return rows[0]?.count ?? 0;
  }
}

interface Missed {
  source: string;
  /** The last one that was missed. */
  occurrence: Date;
  reason: string;
}

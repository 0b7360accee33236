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
import { firedIdOf, Firings, type Firing } from '../platform/cron';
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

/** A change of the trigger may have mended it, so what is wrong afterwards is told again. */
const alertIdOf = ({ id, position }: Trigger): string => uuidv5(`refused ${position}`, id);

@Injectable()
export class TriggerFirings extends Firings<WorkflowFiring['is']> {
  constructor(
    @Inject(DB) private readonly pool: Pool,
    private readonly commands: CommandBus,
    private readonly instances: WorkflowInstances,
  ) {
    super(pool, 'app.workflow_firings');
  }

  /**
   * @param refused why nothing is started
   * @throws errors that pass: nothing was recorded then, and the same shot may be fired again
   */
  async fire(trigger: Trigger, shot: Shot, refused?: string): Promise<Firing<WorkflowFiring['is']>> {
    const { id: of } = trigger;
    const id = firedIdOf(of, shot.source);
    const before = await this.known(of, id);
    if (before) return before;
    const reason = refused ?? (await this.start(trigger, id, shot));
    const { source, occurrence, chain } = shot;
    const { workspace } = trigger;
    const is = reason === undefined ? 'started' : 'refused';
    const firing = await this.record(of, { id, workspace, is, source, occurrence, chain, reason });
    if (firing.reason !== undefined) await this.tell(trigger, firing.reason, shot.meta);
    else await this.untell(trigger, shot.meta);
    return firing;
  }

  /** Tells of occurrences at which nothing could be started. */
  async miss(trigger: Trigger, { source, occurrence, reason }: Missed): Promise<void> {
    const id = firedIdOf(trigger.id, source);
    if (await this.known(trigger.id, id)) return;
    const meta = ownMeta('system', trigger.workspace);
    const { workspace } = trigger;
    await this.record(trigger.id, { id, workspace, is: 'missed', source, occurrence, reason });
    await this.tell(trigger, reason, meta);
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
    return transaction(this.pool, async (client) => {
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

  override async sweep(): Promise<void> {
    await super.sweep();
    await this.pool.query(
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
    const { rowCount } = await this.pool.query(
      `select from read.alerts where workspace = $1 and id = $2 and state = 'open'`,
      [workspace, alertIdOf(trigger)],
    );
    if (rowCount === 0) return;
    const meta = ownMeta('system', workspace, correlationId);
    const reason = 'it has started an instance since';
    await this.commands.execute(new ResolveAlert(alertIdOf(trigger), { reason }, meta));
  }

  private async count(which: string, values: unknown[]): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>(
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

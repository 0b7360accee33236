/** Starts instances on the schedules of triggers, in the process that holds the lease. Schedules are in UTC. */
import { Inject, Injectable } from '@nestjs/common';
import type { Json } from '@quarterdeck/events';
import { dueOccurrences, missedInWords } from '../platform/cron';
import { utcOccurrences } from '../platform/cron-occurrences';
import { LeasedRounds, Leases } from '../platform/leases';
import { ownMeta } from '../platform/sessions';
import { DB, EVENT_STORE, LOGGER, type EventStore, type Logger, type Pool } from '../platform/tokens';
import { changedAt } from './changed-at';
import { TriggerFirings } from './trigger-firings';
import { triggersOf, workspacesWithTriggers, type Trigger } from './trigger-view';

const LOOK_MS = 10_000;
const SWEEP_MS = 60 * 60_000;

/** How long an occurrence is made up for, if nothing could be started then. */
const MADE_UP_MS = 60 * 60_000;

@Injectable()
export class ScheduleTriggers extends LeasedRounds {
  private swept = -Infinity;

  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(LOGGER) logger: Logger,
    private readonly firings: TriggerFirings,
    leases: Leases,
  ) {
    super(leases, logger, {
      lease: 'workflow-schedules',
      what: 'the schedules of workflows',
      everyMs: LOOK_MS,
    });
  }

  protected async round(signal: AbortSignal): Promise<void> {
    await this.look(new Date(), signal);
    if (performance.now() - this.swept < SWEEP_MS) return;
    this.swept = performance.now();
    await this.firings.sweep();
  }

  async look(now: Date, signal?: AbortSignal): Promise<void> {
    for (const workspace of await workspacesWithTriggers(this.db))
      for (const trigger of await triggersOf(this.db, workspace)) {
        if (signal?.aborted) return;
        if (!trigger.isOn || trigger.starts !== 'schedule') continue;
        // A fault of one trigger must not affect the others.
        await this.lookAt(trigger, now).catch((error: unknown) =>
          this.logger.warn({ err: error, trigger: trigger.id }, 'a schedule could not start its workflow'),
        );
      }
  }

  private async lookAt(trigger: Trigger, now: Date): Promise<void> {
    // Occurrences from before the last change of the trigger are none of the schedule that it has now.
    const changed = await changedAt(this.store, trigger.id);
    const seen = await this.firings.occurrence(trigger.id);
    const since = seen && seen > changed ? seen : changed;
    const { at, missed } = dueOccurrences(utcOccurrences(trigger.schedule), {
      since,
      now,
      madeUpMs: MADE_UP_MS,
    });
    if (missed)
      await this.firings.miss(trigger, {
        source: `missed ${missed.to.toISOString()}`,
        occurrence: missed.to,
        reason: missedInWords(missed),
      });
    if (!at) return;
    await this.firings.fire(trigger, {
      source: at.toISOString(),
      data: (trigger.data as Json | null) ?? {},
      cause: { is: 'schedule' },
      occurrence: at,
      meta: ownMeta('system', trigger.workspace),
    });
  }
}

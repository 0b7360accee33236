/** Starts what schedules do at their times, in the process that holds the lease. */
import { Inject, Injectable } from '@nestjs/common';
import { schedule as scheduleNoun, streamName } from '@quarterdeck/events';
import { dueOccurrences, firedIdOf, missedInWords, zonedOccurrences } from '../platform/cron';
import { LeasedRounds, Leases } from '../platform/leases';
import { ownMeta } from '../platform/sessions';
import { DB, EVENT_STORE, LOGGER, type EventStore, type Logger, type Pool } from '../platform/tokens';
import { RunEngine } from '../runs';
import { ScheduleFirings, type SeenTimes } from './schedule-firings';
import { ScheduleStarts } from './schedule-starts';
import { schedulesOf, workspacesWithSchedules, type Schedule } from './schedule-view';

const LOOK_MS = 5000;
const SWEEP_MS = 60 * 60_000;
/** A schedule that skips what was missed still makes up for a short restart of the console. */
const GRACE_MS = 5 * 60_000;

const MAX_KNOWN = 10_000;

@Injectable()
export class ScheduleWork extends LeasedRounds {
  private swept = -Infinity;
  /** By schedule, when it was changed last, as of a position. */
  private readonly changed = new Map<string, { position: string; at: Date }>();

  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(LOGGER) logger: Logger,
    private readonly firings: ScheduleFirings,
    private readonly starts: ScheduleStarts,
    private readonly engine: RunEngine,
    leases: Leases,
  ) {
    super(leases, logger, { lease: 'schedules', what: 'the schedules', everyMs: LOOK_MS });
  }

  protected async round(signal: AbortSignal): Promise<void> {
    await this.look(new Date(), signal);
    if (performance.now() - this.swept < SWEEP_MS) return;
    this.swept = performance.now();
    await this.firings.sweep();
  }

  async look(now: Date, signal?: AbortSignal): Promise<void> {
    for (const workspace of await workspacesWithSchedules(this.db)) {
      const all = await schedulesOf(this.db, workspace);
      const seen = await this.firings.seen(all.map(({ id }) => id));
      for (const schedule of all) {
        if (signal?.aborted) return;
        // A fault of one schedule must not affect the others.
        await this.lookAt(schedule, now, seen.get(schedule.id)).catch((error: unknown) =>
          this.logger.warn({ err: error, schedule: schedule.id }, 'a schedule could not be looked at'),
        );
      }
    }
  }

  private async lookAt(schedule: Schedule, now: Date, seen?: SeenTimes): Promise<void> {
    const { id, workspace, isOn } = schedule;
    const waiting = seen?.waiting ?? undefined;
    if (waiting !== undefined && !isOn)
      await this.firings.settle(id, waiting, 'skipped', 'it was switched off');
    if (!isOn) return;
    if (waiting !== undefined && !(await this.openRun(schedule))) {
      const reason = await this.starts.start(schedule, waiting, metaOf(workspace));
      await this.firings.settle(id, waiting, reason === undefined ? 'started' : 'refused', reason);
    }
    const changed = await this.changedAt(schedule);
    const before = seen?.occurrence ?? undefined;
    const { at, missed } = dueOccurrences(timesOf(schedule), {
      since: before && before > changed ? before : changed,
      now,
      madeUpMs: schedule.missed === 'skip' ? GRACE_MS : Infinity,
    });
    if (missed) {
      const source = `missed ${missed.to.toISOString()}`;
      await this.firings.record(id, {
        id: firedIdOf(id, source),
        workspace,
        is: 'missed',
        source,
        occurrence: missed.to,
        reason: missedInWords(missed),
      });
    }
    if (at) await this.fire(schedule, at);
  }

  private async fire(schedule: Schedule, occurrence: Date): Promise<void> {
    const { id, workspace } = schedule;
    const source = occurrence.toISOString();
    const run = firedIdOf(id, source);
    if (await this.firings.known(id, run)) return;
    const told = { id: run, workspace, source, occurrence };
    const open = await this.openRun(schedule, run);
    if (open) {
      const [before] = await this.firings.list(id, 'waiting', 1);
      const going = `its run of ${minute(open.occurrence ?? open.at)} was still going`;
      if (schedule.overlap === 'wait' && !before)
        return void (await this.firings.record(id, { ...told, is: 'waiting', reason: going }));
      const reason = before ? `${going}, and another time was waiting for its end` : going;
      return void (await this.firings.record(id, { ...told, is: 'skipped', reason }));
    }
    const reason = await this.starts.start(schedule, run, metaOf(workspace));
    await this.firings.record(id, { ...told, is: reason === undefined ? 'started' : 'refused', reason });
  }

  /** Its last run, if that is still going. @param besides is not counted: it may have been started a moment ago */
  private async openRun({ id, workspace }: Schedule, besides?: string) {
    const [last] = await this.firings.list(id, 'started', 1);
    return last && last.id !== besides && (await this.engine.isOpen(last.id, workspace)) ? last : undefined;
  }

  /** Times from before that are none of the schedule that it is now. A new name leaves them as they are. */
  private async changedAt({ id, position }: Schedule): Promise<Date> {
    const known = this.changed.get(id);
    if (known?.position === position) return known.at;
    const events = await this.store.readStream(streamName(scheduleNoun.category, id));
    const last = events.findLast(({ type }) => type !== 'ScheduleRenamed');
    const at = new Date(last?.meta.at ?? Date.now());
    if (this.changed.size >= MAX_KNOWN) this.changed.clear();
    this.changed.set(id, { position, at });
    return at;
  }
}

const minute = (at: string): string => `${at.slice(0, 16)}Z`;

const metaOf = (workspace: string) => ({ ...ownMeta('system', workspace), waits: true as const });

/** A schedule is recorded only if its times can be read. */
export const timesOf = ({ times, zone }: Pick<Schedule, 'times' | 'zone'>) => zonedOccurrences(times, zone);

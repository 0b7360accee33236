import { Controller, Inject } from '@nestjs/common';
import {
  schedules as calls,
  type InputOf,
  type ScheduleFiring,
  type ScheduleState,
} from '@quarterdeck/contract';
import { cronInWords, type Occurrences } from '../platform/cron';
import { notFound } from '../platform/errors';
import { Answers, type Asker, written } from '../platform/http';
import { idFor } from '../platform/sessions';
import { DB, EVENT_STORE, type EventStore, type Pool } from '../platform/tokens';
import { ScheduleFirings } from './schedule-firings';
import { judgedTimes } from './schedule-rules';
import { ScheduleStarts } from './schedule-starts';
import { missingTarget, scheduleOf, schedulesOf, type Schedule } from './schedule-view';
import { timesOf } from './schedule-work';

const EXPLAINED = 5;

const following = (times: Occurrences, now: Date): string[] => {
  const found: string[] = [];
  for (let at = times.next(now); at && found.length < EXPLAINED; at = times.next(at))
    found.push(at.toISOString());
  return found;
};

const isBad = ({ is, run = '' }: ScheduleFiring): boolean =>
  ['refused', 'missed', 'skipped'].includes(is) || ['failed', 'interrupted'].includes(run);

const verdictOf = (
  schedule: Schedule,
  last: ScheduleFiring | undefined,
): Pick<ScheduleState, 'is' | 'reason'> => {
  if (!schedule.isOn) return { is: 'off' };
  const missing = missingTarget(schedule);
  if (missing !== undefined) return { is: 'broken', reason: missing };
  if (!last) return { is: 'on' };
  if (isBad(last)) return { is: 'failing', reason: last.reason ?? 'its last run failed' };
  if (last.is === 'waiting')
    return { is: 'waiting', ...(last.reason !== undefined && { reason: last.reason }) };
  return { is: last.run === 'running' || last.run === 'requested' ? 'running' : 'on' };
};

@Controller()
export class SchedulesController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly firings: ScheduleFirings,
    private readonly starts: ScheduleStarts,
  ) {}

  @Answers(calls.states)
  async states(_: InputOf<typeof calls.states>, { session: { workspace } }: Asker): Promise<ScheduleState[]> {
    const all = await schedulesOf(this.db, workspace);
    const found = await this.firings.last(all.map(({ id }) => id));
    const lasts = await this.firings.withRuns([...found.values()], workspace);
    const byRun = new Map(lasts.map((one) => [one.id, one]));
    const now = new Date();
    return all.map((schedule) => {
      const { id, isOn, times } = schedule;
      const last = byRun.get(found.get(id)?.id ?? '');
      const next = isOn ? timesOf(schedule).next(now)?.toISOString() : undefined;
      return {
        id,
        words: cronInWords(times),
        ...(next !== undefined && { next }),
        ...(last && { last }),
        ...verdictOf(schedule, last),
      };
    });
  }

  @Answers(calls.firings)
  async listFirings({ id }: InputOf<typeof calls.firings>, { session: { workspace } }: Asker) {
    if (!(await scheduleOf(this.db, workspace, id))) throw notFound('schedule');
    return this.firings.withRuns(await this.firings.list(id), workspace);
  }

  @Answers(calls.explain)
  explain({ times, zone = '' }: InputOf<typeof calls.explain>) {
    const judged = judgedTimes(times, zone);
    return { words: cronInWords(times), next: following(judged, new Date()) };
  }

  @Answers(calls.start)
  async start({ id, runId: chosen }: InputOf<typeof calls.start>, { meta }: Asker) {
    const runId = chosen ?? idFor('run', meta);
    await this.starts.startNow(id, runId, meta);
    return written({ runId }, await this.store.head());
  }
}

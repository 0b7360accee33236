/** What came of the times of schedules, with the states of their runs, and which have gone wrong. */
import { Inject, Injectable } from '@nestjs/common';
import type { ScheduleFiring } from '@quarterdeck/contract';
import type { RunView } from '@quarterdeck/projections';
import type { FailedOutcome } from '../alerts';
import { Firings, type Firing } from '../platform/cron';
import { inView } from '../platform/in-view';
import { DB, type Pool } from '../platform/tokens';
import type { ScheduleView } from './schedule-view';

type Is = ScheduleFiring['is'];

const run = inView<RunView>('r.view');
const schedule = inView<ScheduleView>('s.view');

/** Per schedule, the first time that went wrong since one that went well. */
const FAILED = `
  select distinct on (s.id) 'scheduleFailed' as about, s.workspace, f.id::text as first, 'schedule' as kind, s.id, s.name,
    'The schedule ' || s.name || ': '
      || coalesce(f.reason, 'its run failed: ' || coalesce(${run.text('reason')}, r.state)) as says
  from read.schedules s
  join app.schedule_firings f on f.trigger::text = s.id
  left join read.runs r on r.workspace = s.workspace and r.id = f.id::text
  where ${schedule.text('isOn')} = 'true'
    and (f.state in ('refused', 'missed', 'skipped') or r.state in ('failed', 'interrupted'))
    and not exists (select from app.schedule_firings later
      join read.runs done on done.workspace = s.workspace and done.id = later.id::text and done.state = 'succeeded'
      where later.trigger = f.trigger and later.at > f.at)
  order by s.id, f.at`;

export interface SeenTimes {
  occurrence: Date | null;
  waiting: string | null;
}

@Injectable()
export class ScheduleFirings extends Firings<Is> {
  constructor(@Inject(DB) private readonly pool: Pool) {
    super(pool, 'app.schedule_firings');
  }

  /** Of each schedule: the last time that was seen to, and the one that waits. One query, because it is asked all the time. */
  async seen(ids: readonly string[]): Promise<Map<string, SeenTimes>> {
    const { rows } = await this.pool.query<SeenTimes & { id: string }>(
      `select t.id, (select max(f.occurrence) from app.schedule_firings f where f.trigger = t.id) as occurrence,
         (select f.id from app.schedule_firings f where f.trigger = t.id and f.state = 'waiting' limit 1) as waiting
       from unnest($1::uuid[]) as t (id)`,
      [ids],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** What waited has been started, or is not started after all. */
  async settle(schedule: string, id: string, is: Is, reason?: string): Promise<void> {
    await this.pool.query(
      `update app.schedule_firings set state = $3, reason = $4 where trigger = $1 and id = $2 and state = 'waiting'`,
      [schedule, id, is, reason ?? null],
    );
  }

  async withRuns(firings: readonly Firing<Is>[], workspace: string): Promise<ScheduleFiring[]> {
    const { rows } = await this.pool.query<{ id: string; state: string }>(
      'select id, state from read.runs where workspace = $1 and id = any($2)',
      [workspace, firings.map(({ id }) => id)],
    );
    const states = new Map(rows.map(({ id, state }) => [id, state]));
    return firings.map((one) => {
      const state = states.get(one.id);
      return { ...one, ...(state !== undefined && { run: state }) };
    });
  }

  async failed(): Promise<FailedOutcome[]> {
    return (await this.pool.query<FailedOutcome>(FAILED)).rows;
  }
}

/** Health of a server over time: at most 300 points for any range, and its unreachable periods. */
import {
  same,
  type HealthHistory,
  type HealthPoint,
  type UnreachablePeriod,
  type HistoryView,
} from '@quarterdeck/projections';
import type { Pool } from 'pg';
import { inView } from '../platform/in-view';
import { present } from '../platform/as-of';
import { rangeOf, spread, type RangeQuery } from './time-range';

const change = inView<HistoryView>('view');

const MEMORY = '(1 - memory_available::float8 / nullif(memory_total, 0))';
/** As `df` counts it. Older samples have no `disk_used`. */
const DISK_USED = 'coalesce(disk_used, disk_total - disk_available)';
const DISK = `(${DISK_USED}::float8 / nullif(${DISK_USED} + disk_available, 0))`;

const POINTS = `
  select jsonb_strip_nulls(to_jsonb(points) - 'bucket') as point from (
    select floor(extract(epoch from at - $3::timestamptz) / $5::float8) as bucket,
      to_char(to_timestamp(avg(extract(epoch from at))) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
      count(*) as samples, count(*) filter (where not ok) as failed, max(cores) as cores,
      ${spread('load', 'load1::float8')},
      ${spread('memory', MEMORY)},
      ${spread('disk', DISK)}
    from app.health_samples
    where workspace = $1 and server = $2 and at >= $3 and at < $4 group by 1) points
  order by bucket`;

const OF_SERVER = `${same('workspace', '$1')} and ${same('"subjectId"', '$2')}`;

/** Changes within the range, and the last one before it. */
const CHANGES = `
  select ${change.json('data')} as data, ${change.text('at')} as at from read.history
  where ${OF_SERVER} and type = 'ServerHealthChanged' and at < $4 and position >= coalesce((
    select max(position) from read.history
    where ${OF_SERVER} and type = 'ServerHealthChanged' and at <= $3), 0)
  order by position`;

export interface HealthChange {
  at: string;
  data: { to: 'reachable' | 'unreachable'; reason?: string };
}

/** Pure. @param changes oldest first; the first may be before `from` */
export const unreachablePeriods = (changes: readonly HealthChange[], from: string): UnreachablePeriod[] => {
  const periods: UnreachablePeriod[] = [];
  for (const { at, data } of changes) {
    const last = periods.at(-1);
    const begun = last && last.to === undefined;
    if (data.to === 'unreachable' && !begun)
      periods.push({ from: at < from ? from : at, ...(data.reason ? { reason: data.reason } : {}) });
    if (data.to === 'reachable' && begun) last.to = at;
  }
  return periods.filter(({ to }) => to === undefined || to > from);
};

interface HistoryQuery extends RangeQuery {
  workspace: string;
  server: string;
}

export const healthHistory = async (
  db: Pool,
  { workspace, server, ...asked }: HistoryQuery,
  now = present().getTime(),
): Promise<HealthHistory> => {
  const { from, to, step, gapSeconds } = rangeOf(asked, now);
  const values = [workspace, server, from, to];
  const points = await db.query<{ point: HealthPoint }>({
    name: 'health-points',
    text: POINTS,
    values: [...values, step],
  });
  const changes = await db.query<HealthChange>({ name: 'health-changes', text: CHANGES, values });
  return {
    id: server,
    from,
    to,
    gapSeconds,
    points: points.rows.map(({ point }) => point),
    unreachable: unreachablePeriods(changes.rows, from),
  };
};

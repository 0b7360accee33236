/** Requests to a site over time: at most 300 points for any range. */
import {
  timeWithin,
  type SiteTraffic,
  type TimeCounts,
  type TrafficPoint,
  type TrafficProblem,
  type TrafficTotals,
} from '@quarterdeck/projections';
import type { Pool } from 'pg';
import { rangeOf, spread } from '../health';
import { present } from '../platform/as-of';

/** How often sites are looked at. */
export const EVERY_SECONDS = 60;

const ISO = (instant: string): string =>
  `to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const CLASSES = [
  ['requests', 'requests'],
  ['ok', 's2'],
  ['redirected', 's3'],
  ['refused', 's4'],
  ['failed', 's5'],
  ['bytes', 'bytes'],
] as const;

const IN_RANGE = `workspace = $1 and domain = $2 and server = $3 and at >= $4 and at < $5`;
const BUCKET = `floor(extract(epoch from at - $4::timestamptz) / $6::float8)`;

const POINTS = `
  select bucket::float8 as bucket, jsonb_strip_nulls(to_jsonb(points) - 'bucket' - 'times') as point, times from (
    select bucket, ${ISO('to_timestamp(avg(extract(epoch from at)))')} as at, count(*) as samples,
      ${CLASSES.map(([name, column]) => spread(`"${name}"`, `${column}::float8 / nullif(seconds, 0)`)).join(', ')},
      (select jsonb_object_agg(number, count) from (
        select number, sum(times::bigint) as count
        from jsonb_array_elements(jsonb_agg(coalesce(times, '{}'))) as looks (look),
          jsonb_each_text(look) as counted (number, times) group by 1) numbers) as times
    from (select *, ${BUCKET} as bucket from app.site_traffic where ${IN_RANGE} and requests is not null) found
    group by bucket) points
  order by bucket`;

const TOTALS = `
  select ${CLASSES.map(([name, column]) => `coalesce(sum(${column}), 0)::float8 as "${name}"`).join(', ')},
    coalesce(sum(timed), 0)::float8 as timed, coalesce(bool_or(sampled), false) as sampled
  from app.site_traffic where ${IN_RANGE}`;

const NEWEST = `
  select ${ISO('at')} as at, problem, times,
    ${CLASSES.map(([name, column]) => `${column}::float8 / nullif(seconds, 0) as "${name}"`).join(', ')}
  from app.site_traffic where workspace = $1 and domain = $2 and server = $3 and at <= $4 order by at desc limit 1`;

type Rates = Record<(typeof CLASSES)[number][0], number | null>;

interface NewestRow extends Rates {
  at: string;
  problem: TrafficProblem | null;
  times: TimeCounts | null;
}

const percentiles = (times: TimeCounts | null): { p50?: number; p95?: number } => {
  const [p50, p95] = [0.5, 0.95].map((part) => timeWithin(times ?? {}, part));
  return { ...(p50 !== undefined && { p50 }), ...(p95 !== undefined && { p95 }) };
};

/** Pure. */
export const sumOfTimes = (all: readonly (TimeCounts | null)[]): TimeCounts => {
  const sums: Record<string, number> = {};
  for (const times of all)
    for (const [number, count] of Object.entries(times ?? {})) sums[number] = (sums[number] ?? 0) + count;
  return sums;
};

const newestOf = (row: NewestRow | undefined): TrafficPoint | undefined => {
  if (row?.requests == null) return undefined;
  const rates = CLASSES.flatMap(([name]) => {
    const value = row[name];
    return value === null ? [] : [[name, { min: value, avg: value, max: value }] as const];
  });
  return { at: row.at, samples: 1, ...Object.fromEntries(rates), ...percentiles(row.times) };
};

/** Pure. A look is late after three of them. */
const problemOf = (row: NewestRow | undefined, to: string): TrafficProblem | undefined => {
  if (!row) return 'notLooked';
  if (Date.parse(to) - Date.parse(row.at) > 3 * EVERY_SECONDS * 1000) return 'unreachable';
  return row.problem ?? undefined;
};

interface TrafficQuery {
  workspace: string;
  domain: string;
  server: { id: string; alias: string };
  hours: number;
}

export const siteHistory = async (
  db: Pool,
  { workspace, domain, server, hours }: TrafficQuery,
  now = present().getTime(),
): Promise<SiteTraffic> => {
  const { from, to, step, gapSeconds } = rangeOf({ hours, everySeconds: EVERY_SECONDS }, now);
  const of = [workspace, domain, server.id];
  const found = await db.query<{ point: TrafficPoint; times: TimeCounts | null }>({
    name: 'traffic-points',
    text: POINTS,
    values: [...of, from, to, step],
  });
  const sums = await db.query<TrafficTotals & { sampled: boolean }>({
    name: 'traffic-totals',
    text: TOTALS,
    values: [...of, from, to],
  });
  const newestRows = await db.query<NewestRow>({ name: 'traffic-newest', text: NEWEST, values: [...of, to] });
  const [totals] = sums.rows;
  if (!totals) throw new Error('a query of sums has no row');
  const { sampled, ...counts } = totals;
  const newest = newestOf(newestRows.rows[0]);
  const problem = problemOf(newestRows.rows[0], to);
  return {
    id: domain,
    server,
    from,
    to,
    gapSeconds,
    points: found.rows.map(({ point, times }) => ({ ...point, ...percentiles(times) })),
    totals: { ...counts, ...percentiles(sumOfTimes(found.rows.map(({ times }) => times))) },
    sampled,
    ...(newest && { newest }),
    ...(problem && { problem }),
  };
};

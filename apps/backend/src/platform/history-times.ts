/** Positions of the history instead of times. Its index of times has only a sample of the events. */
import { timeSample } from '@quarterdeck/projections';
import type { QueryResult, QueryResultRow } from 'pg';

interface Queries {
  query<R extends QueryResultRow>(text: string, values: unknown[]): Promise<QueryResult<R>>;
}

/** An event is recorded after its decision, but never later than this. */
const LATE = `interval '1 hour'`;

const sampled = `from read.history h where ${timeSample}`;

/**
 * An hour of sampled events is compared, so that one with a wrong clock does no harm. Postgres uses the index only if the
 * end of that hour is a scalar, and if it cannot walk along the positions to their minimum.
 */
const FIRST = (() => {
  const end = `(select h.at ${sampled} and h.at <= $1::timestamptz - ${LATE} order by h.at desc limit 1)`;
  return `select min(h.position + 0)::text as bound ${sampled} and h.at between ${end} - ${LATE} and ${end}`;
})();
const LAST = (() => {
  const begin = `(select h.at ${sampled} and h.at >= $1::timestamptz + ${LATE} order by h.at limit 1)`;
  return `select max(h.position + 0)::text as bound ${sampled} and h.at between ${begin} and ${begin} + ${LATE}`;
})();

/**
 * Events of this time range are between these positions, and few others are. A bound is absent if no event of the sample
 * is outside of the range.
 * @param from ISO instant, as `to`
 */
export const positionsBetween = async (
  db: Queries,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): Promise<{ first?: string | undefined; last?: string | undefined }> => {
  const bound = async (query: string, time: string | undefined): Promise<string | undefined> =>
    time === undefined || time === ''
      ? undefined
      : ((await db.query<{ bound: string | null }>(query, [time])).rows[0]?.bound ?? undefined);
  return { first: await bound(FIRST, from), last: await bound(LAST, to) };
};

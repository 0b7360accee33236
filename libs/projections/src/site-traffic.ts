/** Requests to a site, summed up once a minute. Rows that are deleted after a while, like the samples of servers. */
import { z } from 'zod';
import { healthRange } from './health';

/** Times of requests are counted by the logarithm of their milliseconds: each number is up to 10 % more than the one before. */
export const TIME_BASE = 1.1;
/** An hour. */
export const MAX_TIME_NUMBER = 160;

/** Seconds of a request that was counted at this number: the middle of what belongs there. */
export const secondsOfTime = (number: number): number =>
  number === 0 ? 0 : (TIME_BASE ** (number - 1) + TIME_BASE ** number) / 2000;

/** Counts by number. */
export type TimeCounts = Readonly<Record<string, number>>;

/** The time within which a part of the requests was answered, in seconds. Pure. @param part from 0 to 1 */
export const timeWithin = (counts: TimeCounts, part: number): number | undefined => {
  const sorted = Object.entries(counts)
    .map(([number, count]) => [Number(number), count] as const)
    .toSorted(([one], [other]) => one - other);
  const wanted = sorted.reduce((sum, [, count]) => sum + count, 0) * part;
  let passed = 0;
  for (const [number, count] of sorted) {
    passed += count;
    if (count > 0 && passed >= wanted) return secondsOfTime(number);
  }
  return undefined;
};

const perSecond = healthRange.optional();

export const trafficPoint = z.strictObject({
  at: z.string(),
  samples: z.number(),
  /** In a second, as all of these. */
  requests: perSecond,
  ok: perSecond,
  redirected: perSecond,
  refused: perSecond,
  failed: perSecond,
  bytes: perSecond,
  /** Seconds. */
  p50: z.number().optional(),
  p95: z.number().optional(),
});
export interface TrafficPoint extends z.infer<typeof trafficPoint> {}

export const trafficTotals = z.strictObject({
  requests: z.number(),
  ok: z.number(),
  redirected: z.number(),
  refused: z.number(),
  failed: z.number(),
  bytes: z.number(),
  /** Requests whose line has a time. */
  timed: z.number(),
  p50: z.number().optional(),
  p95: z.number().optional(),
});
export interface TrafficTotals extends z.infer<typeof trafficTotals> {}

/** Why the newest look found nothing. */
export const trafficProblem = z.enum(['noLog', 'noAccess', 'noAwk', 'notLooked', 'unreachable']);
export type TrafficProblem = z.infer<typeof trafficProblem>;

export const siteTraffic = z
  .strictObject({
    id: z.string(),
    server: z.strictObject({ id: z.string(), alias: z.string() }),
    from: z.string(),
    to: z.string(),
    /** Points further apart than this have a gap between them. */
    gapSeconds: z.number(),
    points: z.array(trafficPoint),
    totals: trafficTotals,
    /** Of the newest minute. */
    newest: trafficPoint.optional(),
    /** In some minute more was logged than is read: its figures are those of a part, multiplied. */
    sampled: z.boolean(),
    problem: trafficProblem.optional(),
  })
  .meta({ id: 'SiteTraffic' });
export interface SiteTraffic extends z.infer<typeof siteTraffic> {}

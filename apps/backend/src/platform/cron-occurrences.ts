/** Occurrences of a schedule with five fields, as in crontab, in UTC. Pure. */
import { CronExpressionParser } from 'cron-parser';
import type { Occurrences } from './cron';

type Parsed = ReturnType<typeof CronExpressionParser.parse>;

/** Also returns undefined if the parser finds out late that a day never comes. */
const ask = <T>(schedule: string, now: Date, which: (parsed: Parsed) => T): T | undefined => {
  try {
    return which(CronExpressionParser.parse(schedule, { tz: 'UTC', currentDate: now }));
  } catch {
    return undefined;
  }
};

export const nextOccurrence = (schedule: string, now: Date): Date | undefined =>
  ask(schedule, now, (parsed) => parsed.next().toDate());

/** Whether the schedule has an occurrence: `0 0 31 2 *` has none, since that day never comes. */
export const isSchedule = (schedule: string): boolean => nextOccurrence(schedule, new Date(0)) !== undefined;

/** The last occurrence, if it is at most this many milliseconds ago. */
export const lastOccurrence = (schedule: string, now: Date, withinMs: number): Date | undefined => {
  // The parser looks before the given instant, and `now` may itself be an occurrence.
  const last = ask(schedule, new Date(now.getTime() + 1), (parsed) => parsed.prev().toDate());
  return last && now.getTime() - last.getTime() <= withinMs ? last : undefined;
};

/** The occurrences after one instant up to another, which is included; at most so many. */
export const occurrencesIn = (schedule: string, after: Date, until: Date, max: number): Date[] =>
  ask(schedule, after, (parsed) => {
    const found: Date[] = [];
    for (let one = parsed.next().toDate(); one <= until && found.length < max; one = parsed.next().toDate())
      found.push(one);
    return found;
  }) ?? [];

export const utcOccurrences = (schedule: string): Occurrences => ({
  next: (after) => nextOccurrence(schedule, after),
  last: (now, withinMs) => lastOccurrence(schedule, now, withinMs),
  between: (after, until, max) => occurrencesIn(schedule, after, until, max),
});

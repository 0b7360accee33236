/** Occurrences of a schedule with five fields, as in crontab, in UTC. Pure. */
import { CronExpressionParser } from 'cron-parser';

/** Also returns undefined if the parser finds out late that a day never comes. */
const ask = (
  schedule: string,
  now: Date,
  which: (parsed: ReturnType<typeof CronExpressionParser.parse>) => { toDate(): Date },
): Date | undefined => {
  try {
    return which(CronExpressionParser.parse(schedule, { tz: 'UTC', currentDate: now })).toDate();
  } catch {
    return undefined;
  }
};

export const nextOccurrence = (schedule: string, now: Date): Date | undefined =>
  ask(schedule, now, (parsed) => parsed.next());

/** Whether the schedule has an occurrence: `0 0 31 2 *` has none, since that day never comes. */
export const isSchedule = (schedule: string): boolean => nextOccurrence(schedule, new Date(0)) !== undefined;

/** The last occurrence, if it is at most this many milliseconds ago. */
export const lastOccurrence = (schedule: string, now: Date, withinMs: number): Date | undefined => {
  // The parser looks before the given instant, and `now` may itself be an occurrence.
  const last = ask(schedule, new Date(now.getTime() + 1), (parsed) => parsed.prev());
  return last && now.getTime() - last.getTime() <= withinMs ? last : undefined;
};

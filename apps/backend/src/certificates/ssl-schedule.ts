/** When a schedule of five fields, as in crontab and in UTC, comes round. Pure. */
import { CronExpressionParser } from 'cron-parser';

/** Also where the parser finds out late that a day never comes. */
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

/** Of a schedule that can be read: `0 0 31 2 *` is none, since that day never comes. */
export const isSchedule = (schedule: string): boolean => nextOccurrence(schedule, new Date(0)) !== undefined;

/** The last time that it came round, if that is not longer ago than so many milliseconds. */
export const lastOccurrence = (schedule: string, now: Date, withinMs: number): Date | undefined => {
  // The parser looks before the instant that it is given, and `now` may be the very one.
  const last = ask(schedule, new Date(now.getTime() + 1), (parsed) => parsed.prev());
  return last && now.getTime() - last.getTime() <= withinMs ? last : undefined;
};

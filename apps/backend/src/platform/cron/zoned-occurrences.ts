/**
 * Occurrences of a cron expression on the clocks of a time zone. Pure.
 *
 * When clocks are set forward, a time that they leave out comes as much later, so a nightly job is not left out. When they
 * are set back, a time that comes twice counts the first time. What runs every hour or every few minutes (the field of the
 * minute or the hour begins with `*`) follows the time that has passed instead: no more and no less runs than on other days.
 */
import { instantOf, instantsOf, offsetAt } from '@quarterdeck/projections';
import { CronProblem, cronFieldsOf, type CronFields } from './cron-fields';
import type { Occurrences } from './due-occurrences';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A 29 February on a certain weekday comes within 40 years, also around 2100. */
const MAX_DAYS = 41 * 366;

/** Whether it comes on that day of the calendar, which is given as its midnight in UTC. */
const isOn = ({ day, month, weekday }: CronFields, midnight: number): boolean => {
  const date = new Date(midnight);
  if (!month.values.includes(date.getUTCMonth() + 1)) return false;
  const byDay = day.values.includes(date.getUTCDate());
  const byWeekday = weekday.values.includes(date.getUTCDay());
  // As in crontab: if both are chosen, either is enough.
  return day.isOpen || weekday.isOpen ? byDay && byWeekday : byDay || byWeekday;
};

/** The instants of a day, in order. */
const instantsOn = (fields: CronFields, zone: string, midnight: number): number[] => {
  if (!isOn(fields, midnight)) return [];
  const isByElapsed = fields.hour.isOpen || fields.minute.isOpen;
  const times = fields.hour.values.flatMap((hour) =>
    fields.minute.values.map((minute) => midnight + (hour * 60 + minute) * MINUTE_MS),
  );
  const offset = offsetAt(zone, midnight - DAY_MS);
  if (offset === offsetAt(zone, midnight + 2 * DAY_MS)) return times.map((time) => time - offset);
  const found = times.flatMap((time) => (isByElapsed ? instantsOf(zone, time) : [instantOf(zone, time)]));
  return [...new Set(found)].sort((one, other) => one - other);
};

/** The day that clocks show at an instant, as its midnight in UTC. */
const dayOf = (zone: string, at: number): number => Math.floor((at + offsetAt(zone, at)) / DAY_MS) * DAY_MS;

class ZonedOccurrences implements Occurrences {
  constructor(
    private readonly fields: CronFields,
    private readonly zone: string,
  ) {}

  between(after: Date, until: Date, max: number): Date[] {
    const found: Date[] = [];
    // A day before, because clocks that are set back at midnight show a day twice.
    let day = dayOf(this.zone, after.getTime()) - DAY_MS;
    const end = Math.min(dayOf(this.zone, until.getTime()) + DAY_MS, day + MAX_DAYS * DAY_MS);
    for (; day <= end; day += DAY_MS)
      for (const at of instantsOn(this.fields, this.zone, day)) {
        if (at <= after.getTime()) continue;
        if (at > until.getTime() || found.length >= max) return found;
        found.push(new Date(at));
      }
    return found;
  }

  next(after: Date): Date | undefined {
    return this.between(after, new Date(after.getTime() + MAX_DAYS * DAY_MS), 1)[0];
  }

  last(now: Date, withinMs: number): Date | undefined {
    const least = now.getTime() - withinMs;
    const end = dayOf(this.zone, least) - DAY_MS;
    for (let day = dayOf(this.zone, now.getTime()) + DAY_MS; day >= end; day -= DAY_MS) {
      const at = instantsOn(this.fields, this.zone, day).findLast((one) => one <= now.getTime());
      if (at !== undefined) return at >= least ? new Date(at) : undefined;
    }
    return undefined;
  }
}

/** @throws CronProblem also if it never comes, such as on 31 February */
export const zonedOccurrences = (expression: string, zone: string): Occurrences => {
  const fields = cronFieldsOf(expression);
  const { day, month, weekday } = fields;
  const longest = Math.max(...month.values.map((one) => new Date(Date.UTC(2024, one, 0)).getUTCDate()));
  if (weekday.isOpen && !day.isOpen && Math.min(...day.values) > longest)
    throw new CronProblem(`day ${day.text} never comes in month ${month.text}`);
  return new ZonedOccurrences(fields, zone === '' ? 'UTC' : zone);
};

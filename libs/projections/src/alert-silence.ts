/**
 * Times at which nothing is told: windows of maintenance, and the quiet hours of a rule. What would be told then is put off
 * until they end. Pure.
 */
import {
  momentIn,
  weekdays,
  type maintenanceWindow,
  type ValuesOf,
  type WeeklyTimes,
} from '@quarterdeck/events';
import { instantOf, offsetAt } from './clocks';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** @returns its end, if it holds at that time; all in milliseconds since 1970 */
export type Silence = (at: number) => number | undefined;

const clock = (text: string): number => {
  const [hours, minutes] = text.split(':').map(Number) as [number, number];
  return (hours * 60 + minutes) * MINUTE_MS;
};

/** 1 January 1970 was a Thursday. */
const weekdayOf = (day: number): string | undefined => weekdays[(day / DAY_MS + 3) % 7];

export const weeklySilence = ({ days, from, until, zone }: WeeklyTimes): Silence => {
  const place = zone === '' ? 'UTC' : zone;
  const [start, end] = [clock(from), clock(until)];
  const lasts = end <= start ? end + DAY_MS : end;
  return (at) => {
    const today = Math.floor((at + offsetAt(place, at)) / DAY_MS) * DAY_MS;
    const ends = [today - DAY_MS, today]
      .filter((day) => days.length === 0 || days.includes(weekdayOf(day) ?? ''))
      .filter((day) => instantOf(place, day + start) <= at)
      .map((day) => instantOf(place, day + lasts))
      .filter((ended) => ended > at);
    return ends.length === 0 ? undefined : Math.max(...ends);
  };
};

export type MaintenanceFields = ValuesOf<typeof maintenanceWindow>;

const once = ({ starts, ends }: NonNullable<MaintenanceFields['once']>): Silence => {
  const [start, end] = [momentIn(starts) ?? Infinity, momentIn(ends) ?? -Infinity];
  return (at) => (start <= at && at < end ? end : undefined);
};

export const silenceOf = ({ once: at, weekly }: Pick<MaintenanceFields, 'once' | 'weekly'>): Silence => {
  if (weekly) return weeklySilence(weekly);
  return at ? once(at) : () => undefined;
};

/** Silences that follow each other without a gap for longer than that never end. */
const MAX_SILENT_MS = 92 * DAY_MS;

/** The first time from `at` on at which nothing is silent; undefined if that does not come. */
export const putOff = (at: number, silences: readonly Silence[]): number | undefined => {
  let moment = at;
  while (moment - at <= MAX_SILENT_MS) {
    const now = moment;
    const ends = silences.flatMap((silence) => silence(now) ?? []);
    if (ends.length === 0) return moment;
    moment = Math.max(...ends);
  }
  return undefined;
};

/** Times that come back every week, on the clock of a time zone: quiet hours, and windows of maintenance. */
import { optionalText, several, text } from './kit/field';

export const weekdays = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

export interface WeeklyTimes {
  days: readonly string[];
  from: string;
  until: string;
  zone: string;
}

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/;
const END_OF_DAY = '24:00';

const refusedStart = (from: string): string | undefined =>
  CLOCK.test(from) ? undefined : 'a time such as 22:00 is expected';

const refusedEnd = (until: string, { from, days }: Readonly<Record<string, unknown>>): string | undefined => {
  if (until !== END_OF_DAY && !CLOCK.test(until)) return 'a time such as 07:00, or 24:00, is expected';
  if (until === from) return 'another time than the start is expected';
  const chosen = Array.isArray(days) ? new Set(days).size : 0;
  const isEveryDay = chosen === 0 || chosen === weekdays.length;
  return isEveryDay && from === '00:00' && until === END_OF_DAY
    ? 'it would never end: fewer hours, or some days, are expected'
    : undefined;
};

export const refusedZone = (zone: string): string | undefined => {
  try {
    // oxlint-disable-next-line quarterdeck/same-everywhere -- only a runtime knows the zones, and no view depends on it
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return undefined;
  } catch {
    return 'a time zone such as Europe/Berlin is expected';
  }
};

/** Longer than a time, so that a mistake is answered with an example of one. */
const MAX_TYPED = 40;

/** The fields of a group. */
export const weeklyTimes = {
  days: several({ of: weekdays }, { help: 'Days on which it begins. If empty, every day.' }),
  from: text(MAX_TYPED, { placeholder: '22:00', example: '22:00', half: true, refuses: refusedStart }),
  until: text(MAX_TYPED, {
    placeholder: '07:00',
    example: '07:00',
    help: 'If it is earlier, it ends on the next day.',
    half: true,
    refuses: refusedEnd,
  }),
  zone: optionalText(60, {
    label: 'Time zone',
    placeholder: 'Europe/Berlin',
    help: 'If empty, UTC.',
    refuses: refusedZone,
  }),
};

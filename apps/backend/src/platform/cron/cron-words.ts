/** A cron expression in words: "at 06:00, from Monday to Friday". Pure. */
import { cronFieldsOf, type CronField, type CronFields } from './cron-fields';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
/** More times than that are not listed. */
const MAX_TIMES = 4;

const two = (value: number): string => String(value).padStart(2, '0');

const listed = (all: readonly string[]): string =>
  all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;

/** `first to last` for three and more in a row, or else each. */
const spanned = (values: readonly number[], nameOf: (value: number) => string): string => {
  const [first = 0] = values;
  const last = values.at(-1) ?? first;
  return values.length > 2 && last - first === values.length - 1
    ? `${nameOf(first)} to ${nameOf(last)}`
    : listed(values.map(nameOf));
};

/** The number of a step over the whole field; undefined for anything else. */
const stepOf = ({ text }: CronField): number | undefined => {
  const step = /^\*\/(\d+)$/.exec(text)?.[1];
  return step === undefined ? undefined : Number(step);
};
const isEvery = ({ text }: CronField): boolean => text === '*' || text === '*/1';

const hoursOf = (hour: CronField): string => {
  if (isEvery(hour)) return 'every hour';
  const step = stepOf(hour);
  if (step !== undefined && 24 % step === 0) return `every ${step} hours from 00:00`;
  return `${hour.values.length === 1 ? 'hour' : 'hours'} ${spanned(hour.values, two)}`;
};

const timesOf = ({ minute, hour }: CronFields): string => {
  const times = hour.values.flatMap((h) => minute.values.map((m) => `${two(h)}:${two(m)}`));
  if (!hour.isOpen && !minute.isOpen && times.length <= MAX_TIMES) return `at ${listed(times)}`;
  const step = stepOf(minute);
  const evenly = step !== undefined && 60 % step === 0 ? `every ${step} minutes` : undefined;
  const minutes = isEvery(minute) ? 'every minute' : evenly;
  if (minutes !== undefined) return isEvery(hour) ? minutes : `${minutes}, in ${hoursOf(hour)}`;
  const at = `at ${minute.values.length === 1 ? 'minute' : 'minutes'} ${spanned(minute.values, String)}`;
  return isEvery(hour) ? `${at} of every hour` : `${at} of ${hoursOf(hour)}`;
};

const daysOf = ({ day, weekday }: CronFields): string => {
  const byDay = `on day ${spanned(day.values, String)} of the month`;
  const byWeekday = `${weekday.values.length > 2 ? 'from' : 'on'} ${spanned(weekday.values, (one) => WEEKDAYS[one] ?? '')}`;
  const [anyDay, anyWeekday] = [day.values.length === 31, weekday.values.length === 7];
  if (anyDay && anyWeekday) return '';
  // Either is enough if both are chosen.
  if (!day.isOpen && !weekday.isOpen) return `${byDay}, and ${byWeekday.replace('from', 'on')}`;
  if (anyDay) return byWeekday.includes(' to ') ? byWeekday : byWeekday.replace('from', 'on');
  return anyWeekday ? byDay : `${byDay} if it is ${spanned(weekday.values, (one) => WEEKDAYS[one] ?? '')}`;
};

/** @throws CronProblem */
export const cronInWords = (expression: string): string => {
  const fields = cronFieldsOf(expression);
  const times = timesOf(fields);
  const days = daysOf(fields);
  const { month } = fields;
  const months =
    month.values.length === 12 ? '' : `in ${spanned(month.values, (one) => MONTHS[one - 1] ?? '')}`;
  const rest = [days, months].filter(Boolean);
  // "at 06:00" alone leaves open on which days.
  if (rest.length === 0 && /^at \d\d:/.test(times)) return `every day ${times}`;
  return [times, ...rest].join(', ');
};

/**
 * When a notification is shown: from `dateStart` on, and before `dateEnd`. Each is a day or a moment. A day starts at
 * midnight in UTC, and as an end it is shown to its last second. Without a start it is shown at once, without an end for
 * good. Pure.
 */
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const MOMENT =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?(?:Z|([+-])(\d{2}):(\d{2}))$/;
const DAY_MS = 24 * 60 * 60 * 1000;
const MINUTE_MS = 60_000;

const midnight = (year: string, month: string, day: string): number | undefined => {
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day));
  // The 31st of a shorter month would be a day of the next one.
  return new Date(at).toISOString().slice(0, 10) === `${year}-${month}-${day}` ? at : undefined;
};

/** Milliseconds since 1970 of a time with its zone; undefined for another text. */
export const momentIn = (text: string): number | undefined => {
  const found = MOMENT.exec(text);
  if (!found) return undefined;
  const [, year = '', month = '', day = '', hours, minutes, seconds, fraction = '', sign, ...zone] = found;
  const date = midnight(year, month, day);
  const [offsetHours, offsetMinutes] = zone.map((part) => Number(part ?? 0)) as [number, number];
  const parts = [Number(hours), Number(minutes), Number(seconds ?? 0)] as const;
  if (date === undefined || parts[0] > 23 || parts[1] > 59 || parts[2] > 59) return undefined;
  if (offsetHours > 23 || offsetMinutes > 59) return undefined;
  const offset = (sign === '-' ? -1 : 1) * (offsetHours * 60 + offsetMinutes);
  const time = ((parts[0] * 60 + parts[1]) * 60 + parts[2]) * 1000 + Number(fraction.padEnd(3, '0'));
  return date + time - offset * MINUTE_MS;
};

/** Milliseconds since 1970; undefined if the text is neither a day nor a moment. */
const timeIn = (text: string, dayPart: number): number | undefined => {
  const [, year, month, day] = DAY.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return momentIn(text);
  const start = midnight(year, month, day);
  return start === undefined ? undefined : start + dayPart;
};

/** The first millisecond at which it is shown; undefined for a text that is no time. */
export const startOf = (dateStart: string): number | undefined => timeIn(dateStart, 0);
/** The first millisecond at which it is not shown any more; undefined for a text that is no time. */
export const endOf = (dateEnd: string): number | undefined => timeIn(dateEnd, DAY_MS);

export interface Window {
  readonly dateStart: string;
  readonly dateEnd: string;
}

export type Phase = 'upcoming' | 'due' | 'over';

/** @param at milliseconds since 1970 */
export const phaseAt = ({ dateStart, dateEnd }: Window, at: number): Phase => {
  const [start = -Infinity, end = Infinity] = [startOf(dateStart), endOf(dateEnd)];
  if (at < start) return 'upcoming';
  return at < end ? 'due' : 'over';
};

/** The times at which what is shown changes, in their order. */
export const edgesOf = (windows: readonly Window[]): readonly number[] =>
  [
    ...new Set(
      windows.flatMap(({ dateStart, dateEnd }) =>
        [startOf(dateStart), endOf(dateEnd)].filter((time) => time !== undefined),
      ),
    ),
  ].toSorted((a, b) => a - b);

const EXAMPLE = 'a day such as 2026-12-24, or a time with its zone such as 2026-12-24T18:00Z, is expected';

export const refusedStart = (text: string): string | undefined =>
  startOf(text) === undefined ? EXAMPLE : undefined;

export const refusedEnd = (text: string, dateStart: unknown): string | undefined => {
  const end = endOf(text);
  if (end === undefined) return EXAMPLE;
  const start = startOf(typeof dateStart === 'string' ? dateStart : '');
  return start !== undefined && end <= start
    ? 'it would end before it starts: a later end is expected'
    : undefined;
};

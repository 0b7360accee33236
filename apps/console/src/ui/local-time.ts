/** The values of `datetime-local` inputs: local time without a zone. Pure. */

/** @returns `''` if the text is not a valid time */
export const toLocalInput = (iso: string | undefined, upTo: 'minutes' | 'seconds' = 'minutes'): string => {
  const at = new Date(iso ?? '');
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return Number.isNaN(local.getTime()) ? '' : local.toISOString().slice(0, upTo === 'minutes' ? 16 : 19);
};

/** @returns the instant; undefined for an incomplete time, or one beyond the range of `Date` */
export const fromLocalInput = (value: string): string | undefined => {
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
};

const LOCAL = /^\d{4,6}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/;

const isLocal = (text: string): boolean => LOCAL.test(text);

/** What a form shows of a time: one that is stored, or one that was typed since. */
export const shownInInput = (text: string, timeIn: (stored: string) => number | undefined): string => {
  if (isLocal(text)) return text;
  const at = timeIn(text);
  if (at === undefined || Number.isNaN(at)) return '';
  const iso = new Date(at).toISOString();
  return toLocalInput(iso, iso.endsWith(':00.000Z') ? 'minutes' : 'seconds');
};

/** What a form sends: a stored time that nobody changed stays as it is, such as a day. */
export const instantOfInput = (text: string): string =>
  isLocal(text) ? (fromLocalInput(text) ?? text).replace(/:00\.000Z$/, 'Z') : text;

export const zoneInWords = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

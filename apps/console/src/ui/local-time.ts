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

/** Thresholds in days, as a part of the lifetime of a certificate. Pure. */

const DAY_MS = 86_400_000;
/** The lifetime for which thresholds are set. Of a shorter one, the same part counts. */
const USUAL_DAYS = 90;

export interface Lifetime {
  /** ISO. Unknown of some certificates from before it was recorded. */
  notBefore?: string | undefined;
  notAfter: string;
}

/**
 * What a threshold in days means for this certificate: 30 days are 15 for one of 45 days and 2 for one of 6. Without
 * this, such a certificate would count as expiring on the day on which it was issued.
 */
export const daysFor = (days: number, { notBefore, notAfter }: Lifetime): number => {
  const lifetime = notBefore === undefined ? NaN : (Date.parse(notAfter) - Date.parse(notBefore)) / DAY_MS;
  return lifetime > 0 && lifetime < USUAL_DAYS ? (days * lifetime) / USUAL_DAYS : days;
};

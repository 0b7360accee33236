/** When certificates expire, by day and month, in UTC as in the certificates themselves. Pure. */
import { z } from 'zod';
import { certificateOf, type DomainView } from './domain-view';

/** `2026-12-05` */
export type Day = string;
/** `2026-12` */
export type Month = string;

const ending = z.strictObject({ domain: z.string(), serverName: z.string(), notAfter: z.string() });
export interface Ending extends z.infer<typeof ending> {}

const expiryDay = z.strictObject({
  day: z.string(),
  /** How many certificates expire on that day. */
  count: z.int(),
  /** The first of them, in the order in which they expire. */
  endings: z.array(ending),
});
export interface ExpiryDay extends z.infer<typeof expiryDay> {}

/** One month of the calendar, and how many certificates expire in each month from the present one on. */
export const expiryCalendar = z
  .strictObject({
    month: z.string(),
    /** The days on which a certificate expires. */
    days: z.array(expiryDay),
    months: z.array(z.strictObject({ month: z.string(), count: z.int() })),
    /** How many certificates expired in other months than this one. */
    expiredElsewhere: z.int(),
  })
  .meta({ id: 'ExpiryCalendar' });
export interface ExpiryCalendar extends z.infer<typeof expiryCalendar> {}

/** The fields of a domain from which the expiry of its certificate is computed. */
export type Expiring = Pick<DomainView, 'id' | 'serverName' | 'served' | 'certificate'>;

/** Number of months, starting with the current one. No trusted certificate lasts longer than a year. */
const AHEAD = 13;
/** Maximum number of certificates listed per day. The list of domains shows all of them, in its column `expires`. */
export const MAX_ENDINGS_OF_DAY = 25;

export const dayOf = (instant: string): Day => instant.slice(0, 10);
export const monthOf = (dayOrInstant: string): Month => dayOrInstant.slice(0, 7);

/** The month `count` months later, or earlier if negative. */
export const monthsFrom = (month: Month, count: number): Month => {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
};

/** Expiries of the certificates in effect, earliest first. */
export const endingsOf = (domains: readonly Expiring[]): Ending[] =>
  domains
    .flatMap((domain) => {
      const certificate = certificateOf(domain);
      const { id, serverName } = domain;
      return certificate ? [{ domain: id, serverName, notAfter: certificate.notAfter }] : [];
    })
    .sort((a, b) => compare(a.notAfter, b.notAfter) || compare(a.serverName, b.serverName));

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const byDay = (endings: readonly Ending[]): ExpiryDay[] => {
  const days = new Map<Day, Ending[]>();
  for (const one of endings) {
    const day = dayOf(one.notAfter);
    const known = days.get(day);
    if (known) known.push(one);
    else days.set(day, [one]);
  }
  return [...days].map(([day, all]) => ({
    day,
    count: all.length,
    endings: all.slice(0, MAX_ENDINGS_OF_DAY),
  }));
};

/** @param now an instant as text; it decides which month is the current one, and what has expired */
export const expiriesOf = (
  domains: readonly Expiring[],
  { now, month = monthOf(now) }: { now: string; month?: Month | undefined },
): ExpiryCalendar => {
  const endings = endingsOf(domains);
  const counts = new Map<Month, number>();
  for (const { notAfter } of endings) counts.set(monthOf(notAfter), (counts.get(monthOf(notAfter)) ?? 0) + 1);
  return {
    month,
    days: byDay(endings.filter(({ notAfter }) => monthOf(notAfter) === month)),
    months: Array.from({ length: AHEAD }, (_, index) => {
      const one = monthsFrom(monthOf(now), index);
      return { month: one, count: counts.get(one) ?? 0 };
    }),
    expiredElsewhere: endings.filter(({ notAfter }) => notAfter <= now && monthOf(notAfter) !== month).length,
  };
};

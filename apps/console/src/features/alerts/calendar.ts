/** When certificates end, by day and month, in UTC as the certificates themselves say it. Pure. */
import { certificateOf, type DomainRow } from '@quarterdeck/projections';

/** `2026-12-05` */
export type Day = string;
/** `2026-12` */
export type Month = string;

export interface Ending {
  domain: string;
  serverName: string;
  notAfter: string;
}

/** Of the certificates that count, in the order of their ends. */
export const endingsOf = (domains: readonly DomainRow[]): Ending[] =>
  domains
    .flatMap((row) => {
      const { id: domain, serverName } = row;
      const certificate = certificateOf(row);
      return certificate ? [{ domain, serverName, notAfter: certificate.notAfter }] : [];
    })
    .sort((a, b) => a.notAfter.localeCompare(b.notAfter) || a.serverName.localeCompare(b.serverName));

export const dayOf = (instant: string): Day => instant.slice(0, 10);
export const monthOf = (dayOrInstant: string): Month => dayOrInstant.slice(0, 7);

export const isMonth = (text: string): boolean => /^\d{4}-(0[1-9]|1[0-2])$/.test(text);

/** So many months further, or back. */
export const monthsFrom = (month: Month, count: number): Month => {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
};

/** The weeks of a month from Monday on; days of other months are left out. */
export const weeksOf = (month: Month): (Day | undefined)[][] => {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate();
  const before = (new Date(Date.UTC(year, number - 1, 1)).getUTCDay() + 6) % 7;
  const cells = Array.from({ length: Math.ceil((before + count) / 7) * 7 }, (_, index) => {
    const day = index - before + 1;
    return day >= 1 && day <= count ? `${month}-${String(day).padStart(2, '0')}` : undefined;
  });
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7));
};

/** How many end in each month that is shown as a way to go: from the month given, `count` of them. */
export const monthsAhead = (
  endings: readonly Ending[],
  from: Month,
  count: number,
): { month: Month; ending: number }[] =>
  Array.from({ length: count }, (_, index) => {
    const month = monthsFrom(from, index);
    return { month, ending: endings.filter(({ notAfter }) => monthOf(notAfter) === month).length };
  });

export const byDay = (endings: readonly Ending[]): Map<Day, Ending[]> => {
  const days = new Map<Day, Ending[]>();
  for (const ending of endings) {
    const day = dayOf(ending.notAfter);
    const known = days.get(day);
    if (known) known.push(ending);
    else days.set(day, [ending]);
  }
  return days;
};

const words = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
  return (day: string): string =>
    format.format(new Date(`${day.length === 7 ? `${day}-01` : day}T00:00:00Z`));
};

export const monthInWords = words({ month: 'long', year: 'numeric' });
export const monthInShort = words({ month: 'short', year: 'numeric' });
export const dayInWords = words({ weekday: 'long', day: 'numeric', month: 'long' });

/** The days of a month, and date formats in UTC. Pure. */
import type { Day, Month } from '@quarterdeck/projections';

/** The weeks of a month, starting on Monday; days of other months are undefined. */
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

const words = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
  return (day: string): string =>
    format.format(new Date(`${day.length === 7 ? `${day}-01` : day}T00:00:00Z`));
};

export const monthInWords = words({ month: 'long', year: 'numeric' });
export const monthInShort = words({ month: 'short', year: 'numeric' });
export const dayInWords = words({ weekday: 'long', day: 'numeric', month: 'long' });

/** Times of maintenance: alerts that begin in them are recorded, and told only if they are still open at the end. */
import { choice, group, several, text } from './kit/field';
import { noun } from './kit/noun';
import { momentIn } from './notification-times';
import { weeklyTimes } from './weekly-times';

const MAX_DAYS = 31;
const DAY_MS = 24 * 60 * 60_000;
const EXAMPLE = 'a time with its zone such as 2026-12-24T18:00Z is expected';

const refusedStart = (starts: string): string | undefined =>
  momentIn(starts) === undefined ? EXAMPLE : undefined;

const refusedEnd = (ends: string, { starts }: Readonly<Record<string, unknown>>): string | undefined => {
  const end = momentIn(ends);
  if (end === undefined) return EXAMPLE;
  const start = momentIn(typeof starts === 'string' ? starts : '');
  if (start === undefined) return undefined;
  if (end <= start) return 'it would end before it starts: a later end is expected';
  return end - start > MAX_DAYS * DAY_MS ? `at most ${MAX_DAYS} days are accepted` : undefined;
};

export const maintenanceWindow = noun('maintenanceWindow', {
  path: 'maintenance-window',
  named: 'name',
  unique: ['name'],
  fields: {
    name: text(100, { placeholder: 'Kernel updates' }),
    happens: choice(['once', 'weekly'], { label: 'When', omitted: 'once' }),
    once: group(
      {
        starts: text(40, { half: true, timeIn: momentIn, refuses: refusedStart }),
        ends: text(40, { half: true, timeIn: momentIn, refuses: refusedEnd }),
      },
      {
        when: ['happens', 'once'],
        example: { starts: '2026-12-24T18:00Z', ends: '2026-12-24T22:00Z' },
      },
    ),
    weekly: group(weeklyTimes, { when: ['happens', 'weekly'], label: 'Every week' }),
    servers: several({ to: 'server' }, { help: 'With their sites and services.' }),
    sites: several({ to: 'domain' }),
    products: several(
      { to: 'product' },
      {
        help: 'With their services. If no server, site or product is chosen, everything but tampering with the log.',
      },
    ),
  },
});

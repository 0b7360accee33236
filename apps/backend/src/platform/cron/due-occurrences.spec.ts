// covers: WF-02, OPS-05
import { utcOccurrences } from '../cron-occurrences';
import { dueOccurrences, missedInWords, type Occurrences } from './due-occurrences';
import { zonedOccurrences } from './zoned-occurrences';

const at = (text: string): Date => new Date(text);
const HOUR = 3_600_000;
const due = (schedule: string, since: string, now: string) =>
  dueOccurrences(utcOccurrences(schedule), { since: at(since), now: at(now), madeUpMs: HOUR });

test.each([
  ['nothing before the first occurrence', '0 * * * *', '2026-06-15T12:00:00Z', '2026-06-15T12:59:59Z', {}],
  [
    'the occurrence at its time',
    '0 * * * *',
    '2026-06-15T12:00:00Z',
    '2026-06-15T13:00:00Z',
    { at: at('2026-06-15T13:00:00Z') },
  ],
  [
    'an occurrence that was passed over less than an hour ago',
    '0 6 * * *',
    '2026-06-14T06:00:00Z',
    '2026-06-15T06:59:00Z',
    { at: at('2026-06-15T06:00:00Z') },
  ],
  [
    'the newest of several, and the others as missed',
    '*/20 * * * *',
    '2026-06-15T12:00:00Z',
    '2026-06-15T13:10:00Z',
    {
      at: at('2026-06-15T13:00:00Z'),
      missed: {
        count: 2,
        more: false,
        from: at('2026-06-15T12:20:00Z'),
        to: at('2026-06-15T12:40:00Z'),
      },
    },
  ],
  [
    'only missed ones, if the newest is more than an hour ago',
    '0 6 * * *',
    '2026-06-13T06:00:00Z',
    '2026-06-15T08:00:00Z',
    { missed: { count: 2, more: false, from: at('2026-06-14T06:00:00Z'), to: at('2026-06-15T06:00:00Z') } },
  ],
])('%s', (_, schedule, since, now, expected) => {
  expect(due(schedule, since, now)).toEqual(expected);
});

test('counts a hundred missed ones, and says that there are more', () => {
  const { at: made, missed } = due('* * * * *', '2026-06-01T00:00:00Z', '2026-06-15T00:00:30Z');
  expect(made).toEqual(at('2026-06-15T00:00:00Z'));
  expect(missed).toMatchObject({ count: 100, more: true, to: at('2026-06-14T23:59:00Z') });
});

/** A generator of numbers that is the same each time. */
const numbers = (seed: number) => (): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
  return seed / 2 ** 31;
};

const schedules: readonly (readonly [string, (schedule: string) => Occurrences])[] = [
  ['UTC', utcOccurrences],
  ['Europe/Berlin', (schedule) => zonedOccurrences(schedule, 'Europe/Berlin')],
  ['America/New_York', (schedule) => zonedOccurrences(schedule, 'America/New_York')],
];

test.each(schedules)(
  'in %s, however the looks fall, each occurrence is started once or told as missed, and none twice',
  (_, of) => {
    for (let seed = 1; seed <= 40; seed++) {
      const random = numbers(seed);
      const schedule = of(['*/7 * * * *', '13 * * * *', '0 */5 * * *', '30 2 * * *'][seed % 4] ?? '');
      // Clocks are changed on the following days.
      const begin = at(seed % 2 === 0 ? '2026-03-07T00:00:00Z' : '2026-10-24T00:00:00Z');
      const between = (after: Date, until: Date): number[] =>
        schedule.between(after, until, 10_000).map((one) => one.getTime());
      let [since, now] = [begin, begin];
      const seen: number[] = [];
      for (let looks = 0; looks < 20; looks++) {
        now = new Date(now.getTime() + Math.floor(random() ** 4 * 30 * HOUR) + 1000);
        const { at: started, missed } = dueOccurrences(schedule, { since, now, madeUpMs: HOUR });
        if (missed) seen.push(...between(new Date(missed.from.getTime() - 1), missed.to));
        if (started) seen.push(started.getTime());
        since = started ?? missed?.to ?? since;
      }
      expect(seen).toEqual(between(begin, now));
    }
  },
);

describe('after a sleep of six hours', () => {
  const times = zonedOccurrences('0 * * * *', 'Europe/Berlin');
  const slept = { since: at('2026-06-15T12:00:00Z'), now: at('2026-06-15T18:30:00Z') };

  test('a schedule that catches up starts the newest occurrence, and says how many it missed', () => {
    const { at: started, missed } = dueOccurrences(times, { ...slept, madeUpMs: Infinity });
    expect(started).toEqual(at('2026-06-15T18:00:00Z'));
    expect(missed && missedInWords(missed)).toBe(
      '5 occurrences from 2026-06-15T13:00Z to 2026-06-15T17:00Z were missed',
    );
  });

  test('a schedule that skips starts nothing, and says the same of all six', () => {
    const { at: started, missed } = dueOccurrences(times, { ...slept, madeUpMs: 5 * 60_000 });
    expect(started).toBeUndefined();
    expect(missed).toMatchObject({ count: 6, to: at('2026-06-15T18:00:00Z') });
  });
});

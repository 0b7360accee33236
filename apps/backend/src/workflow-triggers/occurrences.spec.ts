// covers: WF-02
import { nextOccurrence } from '../platform/cron-occurrences';
import { dueOccurrences } from './occurrences';

const at = (text: string): Date => new Date(text);
const due = (schedule: string, since: string, now: string) => dueOccurrences(schedule, at(since), at(now));

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

test('counts a thousand missed ones, and says that there are more', () => {
  const { at: made, missed } = due('* * * * *', '2026-06-01T00:00:00Z', '2026-06-15T00:00:30Z');
  expect(made).toEqual(at('2026-06-15T00:00:00Z'));
  expect(missed).toMatchObject({ count: 1000, more: true, to: at('2026-06-15T00:00:00Z') });
});

/** A generator of numbers that is the same each time. */
const numbers = (seed: number) => (): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
  return seed / 2 ** 31;
};

test('however the looks fall, each occurrence is started once or told as missed, and none twice', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = numbers(seed);
    const schedule = ['*/7 * * * *', '13 * * * *', '0 */5 * * *', '30 2 * * 1'][seed % 4] ?? '';
    const begin = at('2026-03-28T00:00:00Z');
    let [since, now] = [begin, begin];
    const seen: number[] = [];
    for (let looks = 0; looks < 60; looks++) {
      now = new Date(now.getTime() + Math.floor(random() ** 4 * 30 * 3_600_000) + 1000);
      const { at: started, missed } = dueOccurrences(schedule, since, now);
      for (let one = missed?.from; one && missed && one <= missed.to;) {
        seen.push(one.getTime());
        one = nextOccurrence(schedule, one);
      }
      if (started) seen.push(started.getTime());
      since = started ?? missed?.to ?? since;
    }
    const all: number[] = [];
    for (let one = nextOccurrence(schedule, begin); one && one <= now; one = nextOccurrence(schedule, one))
      all.push(one.getTime());
    expect(seen).toEqual(all);
  }
});

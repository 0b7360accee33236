// covers: OPS-05
import { cronInWords } from './cron-words';
import { zonedOccurrences } from './zoned-occurrences';

const at = (text: string): Date => new Date(text);
const between = (schedule: string, zone: string, [after, until]: readonly [string, string]) =>
  zonedOccurrences(schedule, zone)
    .between(at(after), at(until), 1000)
    .map((one) => one.toISOString().slice(5, 16));

describe('when clocks are changed', () => {
  // From 23:00 of the day before, which is excluded, to the end of the day.
  const days = {
    'Europe/Berlin': {
      forward: ['2026-03-28T22:00:00Z', '2026-03-29T21:59:00Z'],
      back: ['2026-10-24T21:00:00Z', '2026-10-25T22:59:00Z'],
    },
    'America/New_York': {
      forward: ['2026-03-08T04:00:00Z', '2026-03-09T03:59:00Z'],
      back: ['2026-11-01T03:00:00Z', '2026-11-02T04:59:00Z'],
    },
  } as const;

  test.each([
    ['Europe/Berlin', 'forward', '30 2 * * *', ['03-29T01:30']],
    ['America/New_York', 'forward', '30 2 * * *', ['03-08T07:30']],
    ['Europe/Berlin', 'back', '30 2 * * *', ['10-25T00:30']],
    ['America/New_York', 'back', '30 1 * * *', ['11-01T05:30']],
    // 03:30 is the time of both that day.
    ['Europe/Berlin', 'forward', '30 2,3 * * *', ['03-29T01:30']],
    ['America/New_York', 'back', '30 1,2 * * *', ['11-01T05:30', '11-01T07:30']],
    ['Europe/Berlin', 'forward', '0 12 * * *', ['03-29T10:00']],
    ['Europe/Berlin', 'back', '0 12 * * *', ['10-25T11:00']],
  ] as const)('in %s %s, %s comes once: %j', (zone, way, schedule, expected) => {
    expect(between(schedule, zone, days[zone][way])).toEqual(expected);
  });

  test.each([
    ['forward', 23],
    ['back', 25],
  ] as const)('%s, what comes every hour or minute comes as time passes', (way, hours) => {
    for (const [zone, { [way]: span }] of Object.entries(days)) {
      expect(between('0 * * * *', zone, span)).toHaveLength(hours);
      expect(between('*/30 * * * *', zone, span)).toHaveLength(2 * hours + 1);
    }
  });
});

test('both ways through time give the same occurrences', () => {
  for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Cairo', 'UTC'])
    for (const schedule of ['30 2 * * *', '*/20 * * * *', '15 */2 * * *', '0 0 * * *', '59 23 * * 6,0']) {
      const times = zonedOccurrences(schedule, zone);
      for (const [begin, end] of [
        ['2026-03-01T00:00:00Z', '2026-05-02T00:00:00Z'],
        ['2026-10-01T00:00:00Z', '2026-11-03T00:00:00Z'],
      ] as const) {
        const forwards = times.between(at(begin), at(end), 100_000);
        const backwards: Date[] = [];
        for (let now = at(end); ;) {
          const one = times.last(now, 10 * 86_400_000);
          if (!one || one <= at(begin)) break;
          backwards.unshift(one);
          now = new Date(one.getTime() - 1);
        }
        expect(backwards).toEqual(forwards);
        expect(new Set(forwards.map(Number)).size).toBe(forwards.length);
        expect(times.next(at(begin))).toEqual(forwards[0]);
      }
    }
});

test.each([
  ['0 0 29 2 *', 'UTC', '2026-06-15T12:00:00Z', '2028-02-29T00:00:00.000Z'],
  ['0 0 29 2 *', 'Europe/Berlin', '2097-01-01T00:00:00Z', '2104-02-28T23:00:00.000Z'],
  ['0 6 * * 7', 'UTC', '2026-06-15T12:00:00Z', '2026-06-21T06:00:00.000Z'],
  ['0 6 * * SUN', 'Asia/Kolkata', '2026-06-15T12:00:00Z', '2026-06-21T00:30:00.000Z'],
  ['0 0 1 * 1', 'UTC', '2026-06-27T12:00:00Z', '2026-06-29T00:00:00.000Z'],
  ['0 0 1 * 1', 'UTC', '2026-06-30T12:00:00Z', '2026-07-01T00:00:00.000Z'],
  ['17 3 * * *', 'UTC', '2026-06-15T03:17:00Z', '2026-06-16T03:17:00.000Z'],
])('%s in %s comes after %s at %s', (schedule, zone, now, expected) => {
  expect(zonedOccurrences(schedule, zone).next(at(now))?.toISOString()).toBe(expected);
});

test.each([
  ['0 0 31 2 *', 'day 31 never comes in month 2'],
  ['0 0 31 4,6,9,11 *', 'day 31 never comes in month 4,6,9,11'],
  ['61 * * * *', 'the minute "61" at character 1: a number from 0 to 59 is expected'],
  ['0 2,24 * * *', 'the hour "24" at character 5: a number from 0 to 23 is expected'],
  ['0 0 * foo *', 'the month "foo" at character 7: a name such as feb, or a number from 1 to 12 is expected'],
  ['0 0 * * 8', 'the weekday "8" at character 9: a name such as mon, or a number from 0 to 7 is expected'],
  [
    '30-5 * * * *',
    'the minute "30-5" at character 1: the range goes backwards: write 5-30, or two ranges with a comma',
  ],
  ['*/0 * * * *', 'the minute "*/0" at character 1: after / a step from 1 to 59 is expected'],
  ['5/10 * * * *', 'the minute "5/10" at character 1: a step needs a range, such as 5-59/10 or */10'],
  ['1,,2 * * * *', 'the minute "" at character 3: a number, a range such as 1-5, or * is expected'],
  [
    '* * *',
    '3 fields were given: five fields are expected: minute, hour, day, month and weekday, such as 0 6 * * 1-5 for 06:00 from Monday to Friday',
  ],
])('%s is refused: %s', (schedule, message) => {
  expect(() => zonedOccurrences(schedule, 'UTC')).toThrow(message);
});

test.each([
  ['0 6 * * 1-5', 'at 06:00, from Monday to Friday'],
  ['30 2 * * *', 'every day at 02:30'],
  ['0 6,18 * * *', 'every day at 06:00 and 18:00'],
  ['* * * * *', 'every minute'],
  ['*/15 * * * *', 'every 15 minutes'],
  ['17 * * * *', 'at minute 17 of every hour'],
  ['0 */6 * * *', 'at minute 0 of every 6 hours from 00:00'],
  ['*/10 8-18 * * mon,wed', 'every 10 minutes, in hours 08 to 18, on Monday and Wednesday'],
  ['0 0 1 * *', 'at 00:00, on day 1 of the month'],
  ['0 0 1 jan,jul *', 'at 00:00, on day 1 of the month, in January and July'],
  ['0 0 1 * 1', 'at 00:00, on day 1 of the month, and on Monday'],
  ['0 4 * * 0', 'at 04:00, on Sunday'],
])('%s is explained as "%s"', (schedule, words) => {
  expect(cronInWords(schedule)).toBe(words);
});

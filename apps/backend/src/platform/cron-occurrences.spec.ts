// covers: DOM-11
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { transformFileSync } from '@swc/core';
import { isSchedule, lastOccurrence, nextOccurrence } from './cron-occurrences';

const HOUR = 3_600_000;
const next = (schedule: string, now: string) => nextOccurrence(schedule, new Date(now))?.toISOString();
const last = (schedule: string, now: string, withinMs = HOUR) =>
  lastOccurrence(schedule, new Date(now), withinMs)?.toISOString();

const { code } = transformFileSync(join(__dirname, 'cron-occurrences.ts'), {
  swcrc: false,
  jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
  module: { type: 'commonjs' },
});

describe('a schedule', () => {
  test.each([
    ['17 3 * * *', '2026-06-15T12:00:00Z', '2026-06-16T03:17:00.000Z'],
    ['17 3 * * *', '2026-06-15T03:17:00Z', '2026-06-16T03:17:00.000Z'],
    ['*/20 * * * *', '2026-06-15T12:21:07Z', '2026-06-15T12:40:00.000Z'],
    ['0 0 29 2 *', '2026-06-15T12:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['0 6 * * 7', '2026-06-15T12:00:00Z', '2026-06-21T06:00:00.000Z'],
    // As in crontab: either of the two day fields is enough.
    ['0 0 1 * 1', '2026-06-27T12:00:00Z', '2026-06-29T00:00:00.000Z'],
    ['0 0 1 * 1', '2026-06-30T12:00:00Z', '2026-07-01T00:00:00.000Z'],
  ])('the next time of %s after %s is %s', (schedule, now, at) => {
    expect(next(schedule, now)).toBe(at);
  });

  test.each(['Europe/Berlin', 'America/St_Johns', 'Pacific/Kiritimati'])(
    'is in UTC even on a machine in %s, and on days when its clocks change',
    (zone) => {
      // A separate process, because the time zone of this one is fixed.
      const ask = `
        const at = (date) => new Date(date);
        const { nextOccurrence: next, lastOccurrence: last } = module.exports;
        console.log(JSON.stringify([
          at('2026-03-29T12:00:00Z').getHours(),
          next('30 2 * * *', at('2026-03-29T00:00:00Z')),
          next('30 0 * * *', at('2026-10-24T22:00:00Z')),
          last('30 0 * * *', at('2026-10-25T01:00:00Z'), 3600000),
        ]));`;
      const env = { PATH: process.env['PATH'], TZ: zone };
      const said = execFileSync(process.execPath, ['-e', `${code}\n${ask}`], { env, encoding: 'utf8' });
      const [noon, ...occurrences] = JSON.parse(said) as [number, ...string[]];
      expect(noon).not.toBe(12);
      expect(occurrences).toEqual([
        '2026-03-29T02:30:00.000Z',
        '2026-10-25T00:30:00.000Z',
        '2026-10-25T00:30:00.000Z',
      ]);
    },
  );

  test.each([
    '0 0 31 2 *',
    '0 0 30 2 *',
    '60 * * * *',
    '0 24 * * *',
    '0 0 0 * *',
    '5-1 * * * *',
    '*/0 * * * *',
  ])('%s has no next time and is not a schedule', (schedule) => {
    expect(isSchedule(schedule)).toBe(false);
    expect(next(schedule, '2026-06-15T12:00:00Z')).toBeUndefined();
    expect(last(schedule, '2026-06-15T12:00:00Z', 10_000 * HOUR)).toBeUndefined();
  });

  test.each(['17 3 * * *', '0 0 29 2 *', '* * * * *', '0,30 8-18 * * 1-5'])(
    '%s is a schedule',
    (schedule) => {
      expect(isSchedule(schedule)).toBe(true);
    },
  );
});

describe('a missed occurrence', () => {
  test.each([
    ['2026-06-15T03:16:59.999Z', undefined],
    ['2026-06-15T03:17:00.000Z', '2026-06-15T03:17:00.000Z'],
    ['2026-06-15T03:17:00.001Z', '2026-06-15T03:17:00.000Z'],
    ['2026-06-15T04:17:00.000Z', '2026-06-15T03:17:00.000Z'],
    ['2026-06-15T04:17:00.001Z', undefined],
  ])('is caught up for an hour: at %s it is %s', (now, at) => {
    expect(last('17 3 * * *', now)).toBe(at);
  });

  it('is the last one of several', () => {
    expect(last('*/10 * * * *', '2026-06-15T03:29:59Z')).toBe('2026-06-15T03:20:00.000Z');
  });
});

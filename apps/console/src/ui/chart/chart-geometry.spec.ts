/** covers: SRV-16 */
import type { HealthPoint } from '@quarterdeck/projections';
import {
  beginOf,
  bandPath,
  isUnreachable,
  linePath,
  nearest,
  roundUp,
  stretches,
  timeTicks,
} from './chart-geometry';

const MINUTE = 60_000;
const start = Date.parse('2026-11-20T12:00:00.000Z');
const iso = (minute: number): string => new Date(start + minute * MINUTE).toISOString();
const point = (minute: number, avg?: number): HealthPoint => ({
  at: iso(minute),
  samples: 2,
  failed: avg === undefined ? 2 : 0,
  ...(avg !== undefined && { load: { min: avg - 1, avg, max: avg + 1 } }),
});
const frame = { from: start, to: start + 10 * MINUTE, top: 10, width: 100, height: 50 };

test('a line breaks at a check without a value and at a gap between checks', () => {
  const points = [point(0, 1), point(1, 2), point(2), point(3, 3), point(4, 3), point(9, 4)];
  const found = stretches(points, ({ load }) => load, 2.5 * MINUTE);
  expect(found.map((stretch) => stretch.map(({ avg }) => avg))).toEqual([[1, 2], [3, 3], [4]]);
  expect(stretches(points, ({ memory }) => memory, 2.5 * MINUTE)).toEqual([]);
});

test('draws a stretch at its times and values, and a single value as a dot', () => {
  const [stretch = []] = stretches([point(0, 1), point(5, 9)], ({ load }) => load, 10 * MINUTE);
  expect(linePath(frame, stretch)).toBe('M0.0 45.0L50.0 5.0');
  expect(bandPath(frame, stretch)).toBe('M0.0 40.0L50.0 0.0L50.0 10.0L0.0 50.0Z');
  expect(linePath(frame, stretch.slice(0, 1))).toBe('M0.0 45.0h0');
});

test('the scale ends at a round number not below any value', () => {
  expect([0, 0.3, 1, 1.01, 2, 2.4, 7, 10, 33, 99, 101].map(roundUp)).toEqual([
    1, 0.5, 1, 2, 2, 5, 10, 10, 50, 100, 200,
  ]);
});

test('times on the axis are round, within the range, and not too many', () => {
  const HOUR = 60 * MINUTE;
  for (const hours of [1, 24, 168, 720])
    for (const most of [3, 6, 12]) {
      const ticks = timeTicks(start - hours * HOUR, start, most);
      expect(ticks.length).toBeGreaterThan(0);
      expect(ticks.length).toBeLessThanOrEqual(most + 1);
      for (const at of ticks) {
        expect(at).toBeGreaterThanOrEqual(start - hours * HOUR);
        expect(new Date(at).getSeconds()).toBe(0);
        expect(new Date(at).getMinutes() % 5).toBe(0);
      }
    }
});

describe('when the clocks change', () => {
  const HOUR = 60 * MINUTE;
  const turned = (at: string, before: number, after: number) => (instant: number) =>
    (instant < Date.parse(at) ? before : after) * HOUR;
  const autumn = turned('2026-10-25T01:00:00Z', -2, -1);
  const spring = turned('2026-03-29T01:00:00Z', -1, -2);
  const ticks = (until: string, hours: number, most: number, behind: (at: number) => number) =>
    timeTicks(Date.parse(until) - hours * HOUR, Date.parse(until), most, behind).map((at) =>
      new Date(at).toISOString().slice(5, 16),
    );

  test('days start at midnight before and after the change', () => {
    expect(ticks('2026-10-28T10:00:00Z', 168, 7, autumn)).toEqual([
      '10-21T22:00',
      '10-22T22:00',
      '10-23T22:00',
      '10-24T22:00',
      '10-25T23:00',
      '10-26T23:00',
      '10-27T23:00',
    ]);
    expect(ticks('2026-03-30T10:00:00Z', 72, 3, spring)).toEqual([
      '03-27T23:00',
      '03-28T23:00',
      '03-29T22:00',
    ]);
  });

  test('a skipped hour has no tick of its own, and minute ticks continue through the change', () => {
    expect(ticks('2026-03-29T03:00:00Z', 4, 4, spring)).toEqual([
      '03-28T23:00',
      '03-29T00:00',
      '03-29T01:00',
      '03-29T02:00',
      '03-29T03:00',
    ]);
    expect(ticks('2026-10-25T01:20:00Z', 1, 4, autumn)).toEqual([
      '10-25T00:30',
      '10-25T00:45',
      '10-25T01:00',
      '10-25T01:15',
    ]);
  });
});

test('the cursor finds the nearest point', () => {
  const points = [point(0, 1), point(4, 1), point(5, 1)];
  expect([-5, 1, 3, 4.6, 99].map((minute) => nearest(points, start + minute * MINUTE))).toEqual([
    0, 0, 1, 2, 2,
  ]);
  expect(nearest([], start)).toBe(-1);
});

test('a period includes its start but not its end; an open period has no end', () => {
  const periods = [{ from: iso(2), to: iso(4) }, { from: iso(8) }];
  expect([1, 2, 3, 4, 7, 8, 100].map((minute) => isUnreachable(periods, iso(minute)))).toEqual([
    false,
    true,
    true,
    false,
    false,
    true,
    true,
  ]);
});

test('a chart starts with its range, or with the first check if that came much later', () => {
  const range = { from: '2026-11-20T00:00:00.000Z', to: '2026-11-21T00:00:00.000Z', gapSeconds: 60 };
  const begin = (points: object[], unreachable: object[] = []) =>
    new Date(beginOf({ ...range, points, unreachable } as never)).toISOString();
  expect(begin([])).toBe(range.from);
  expect(begin([{ at: '2026-11-20T01:00:00.000Z' }])).toBe(range.from);
  expect(begin([{ at: '2026-11-20T20:00:00.000Z' }])).toBe('2026-11-20T20:00:00.000Z');
  const silent = [{ from: '2026-11-20T19:00:00.000Z' }];
  expect(begin([{ at: '2026-11-20T20:00:00.000Z' }], silent)).toBe('2026-11-20T19:00:00.000Z');
});

/** covers: OPS-04 */
import { secondsOfTime, timeWithin } from './site-traffic';

/** As the server counts it. */
const numberOf = (ms: number): number => (ms < 1 ? 0 : Math.floor(Math.log(ms) / Math.log(1.1) + 1e-9) + 1);
const countsOf = (times: readonly number[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const ms of times) counts[numberOf(ms)] = (counts[numberOf(ms)] ?? 0) + 1;
  return counts;
};

test('a time is known to 5 %', () => {
  for (const ms of [1, 3, 10, 99, 250, 1000, 59_999, 3_600_000])
    expect(Math.abs(secondsOfTime(numberOf(ms)) * 1000 - ms)).toBeLessThanOrEqual(ms * 0.051);
  expect(secondsOfTime(0)).toBe(0);
});

test('the time within which a part of the requests was answered', () => {
  const counts = countsOf([
    ...Array.from({ length: 90 }, () => 4),
    ...Array.from({ length: 10 }, () => 2000),
  ]);
  expect(timeWithin(counts, 0.5)).toBeCloseTo(0.004, 3);
  expect(timeWithin(counts, 0.9)).toBeCloseTo(0.004, 3);
  expect(timeWithin(counts, 0.95)).toBeGreaterThan(1.9);
  expect(timeWithin(countsOf([0, 0, 0, 5000]), 0.5)).toBe(0);
  expect(timeWithin({}, 0.95)).toBeUndefined();
});

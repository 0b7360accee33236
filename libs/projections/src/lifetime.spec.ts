// covers: DOM-13
import { daysFor } from './lifetime';

const living = (days: number) => ({
  notBefore: '2026-11-01T00:00:00.000Z',
  notAfter: new Date(Date.parse('2026-11-01T00:00:00.000Z') + days * 86_400_000).toISOString(),
});

test.each([
  [30, 90, 30],
  [30, 397, 30],
  [30, 45, 15],
  [30, 6, 2],
  [21, 45, 10.5],
])('%d days are, of a certificate of %d days, %d', (days, lifetime, expected) =>
  expect(daysFor(days, living(lifetime))).toBe(expected),
);

test('a lifetime that is unknown or impossible is taken for the usual one', () => {
  expect(daysFor(30, { notAfter: '2026-11-30T00:00:00.000Z' })).toBe(30);
  expect(daysFor(30, living(-1))).toBe(30);
});

// covers: DOM-13
import { monthInWords, weeksOf } from './calendar';

test.each([
  ['2026-11', 6, 6, 30],
  ['2027-02', 0, 4, 28],
  ['2028-02', 1, 5, 29],
  ['2026-12', 1, 5, 31],
])('%s begins on weekday %i and has %i weeks', (month, before, weeks, count) => {
  const all = weeksOf(month);
  expect(all).toHaveLength(weeks);
  expect(all.every((week) => week.length === 7)).toBe(true);
  expect(all[0]?.indexOf(`${month}-01`)).toBe(before);
  const days = all.flat().filter(Boolean);
  expect([days.length, days.at(-1)]).toEqual([count, `${month}-${count}`]);
});

test('names months', () => {
  expect(monthInWords('2026-12')).toBe('December 2026');
});

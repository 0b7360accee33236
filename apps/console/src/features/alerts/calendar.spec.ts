// covers: DOM-13
import type { DomainRow } from '@quarterdeck/projections';
import { byDay, endingsOf, isMonth, monthInWords, monthsAhead, monthsFrom, weeksOf } from './calendar';

const domain = (serverName: string, more: object) => ({ id: serverName, serverName, ...more }) as DomainRow;
const issued = (notAfter: string) => ({ certificate: { notAfter } });
const served = (notAfter: string, ...names: string[]) => ({ served: { served: { notAfter, names } } });

test('ends stand in their order, of what is served before what was issued, unless it is another site’s', () => {
  const found = endingsOf([
    domain('c', issued('2026-12-05T10:00:00.000Z')),
    domain('b', { ...issued('2027-03-01T00:00:00.000Z'), ...served('2026-12-05T10:00:00.000Z', 'b') }),
    domain('a', served('2026-11-30T00:00:00.000Z', 'a')),
    domain('shadowed', served('2026-11-30T00:00:00.000Z', 'a')),
    domain('none', {}),
    domain('silent', { served: { valid: false } }),
  ]);
  expect(found.map((ending) => ending.serverName)).toEqual(['a', 'b', 'c']);
  expect([...byDay(found)].map(([day, of]) => [day, of.length])).toEqual([
    ['2026-11-30', 1],
    ['2026-12-05', 2],
  ]);
  expect(monthsAhead(found, '2026-11', 3)).toEqual([
    { month: '2026-11', ending: 1 },
    { month: '2026-12', ending: 2 },
    { month: '2027-01', ending: 0 },
  ]);
});

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

test('months are turned over the year’s end, and named', () => {
  expect([monthsFrom('2026-12', 1), monthsFrom('2026-01', -1), monthsFrom('2026-11', 13)]).toEqual([
    '2027-01',
    '2025-12',
    '2027-12',
  ]);
  expect(monthInWords('2026-12')).toBe('December 2026');
  expect(['2026-12', '2026-13', '2026-1', '', 'x'].map(isMonth)).toEqual([true, false, false, false, false]);
});

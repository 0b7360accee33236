// covers: DOM-13
import { isMonth } from '@quarterdeck/events';
import {
  endingsOf,
  expiriesOf,
  monthsFrom,
  MAX_ENDINGS_OF_DAY,
  type Ending,
  type Expiring,
} from './expiry-calendar';

const now = '2026-11-20T12:00:00.000Z';
const domain = (serverName: string, more: object) => ({ id: serverName, serverName, ...more }) as Expiring;
const issued = (notAfter: string) => ({ certificate: { notAfter } });
const served = (notAfter: string, ...names: string[]) => ({ served: { served: { notAfter, names } } });
const namesOf = (endings: readonly Ending[]): string[] => endings.map(({ serverName }) => serverName);

const found = [
  domain('c', issued('2026-12-05T10:00:00.000Z')),
  domain('b', { ...issued('2027-03-01T00:00:00.000Z'), ...served('2026-12-05T10:00:00.000Z', 'b') }),
  domain('a', served('2026-11-30T00:00:00.000Z', 'a')),
  domain('past', issued('2026-10-01T00:00:00.000Z')),
  domain('shadowed', served('2026-11-30T00:00:00.000Z', 'a')),
  domain('none', {}),
  domain('silent', { served: { valid: false } }),
];

test('expiries are in order, of what is served before what was issued, unless it belongs to another site', () => {
  expect(namesOf(endingsOf(found))).toEqual(['past', 'a', 'b', 'c']);
});

test('a month has its days, the number of each month from the present one on, and what expired elsewhere', () => {
  const { month, days, months, expiredElsewhere } = expiriesOf(found, { month: '2026-12', now });
  expect([month, expiredElsewhere]).toEqual(['2026-12', 1]);
  expect(days.map(({ day, count, endings }) => [day, count, namesOf(endings)])).toEqual([
    ['2026-12-05', 2, ['b', 'c']],
  ]);
  expect(months.slice(0, 3)).toEqual([
    { month: '2026-11', count: 1 },
    { month: '2026-12', count: 2 },
    { month: '2027-01', count: 0 },
  ]);
  expect(months).toHaveLength(13);
});

test('without a month it is the present one, and what expired in the month that is shown is not elsewhere', () => {
  expect(expiriesOf(found, { now })).toMatchObject({ month: '2026-11', expiredElsewhere: 1 });
  expect(expiriesOf(found, { month: '2026-10', now }).expiredElsewhere).toBe(0);
});

test('of a day with thousands it holds the first, and how many they are', () => {
  const many = Array.from({ length: 10_000 }, (_, n) => domain(`d${n}`, issued('2026-11-30T00:00:00.000Z')));
  const [day] = expiriesOf(many, { now }).days;
  expect([day?.count, day?.endings.length]).toEqual([10_000, MAX_ENDINGS_OF_DAY]);
});

test('months go on over the end of a year', () => {
  expect([monthsFrom('2026-12', 1), monthsFrom('2026-01', -1), monthsFrom('2026-11', 13)]).toEqual([
    '2027-01',
    '2025-12',
    '2027-12',
  ]);
  expect(['2026-12', '2026-13', '2026-1', '', 'x'].map(isMonth)).toEqual([true, false, false, false, false]);
});

// covers: CLOUD-03
import { costIn, type CloudUse } from './cloud';

const small = { hourly: 0.01, monthly: 6 };
const use = (from: string, to?: string, more: Partial<CloudUse> = {}): CloudUse => ({
  from,
  ...(to !== undefined && { to }),
  ...small,
  ...more,
});
const costs = (uses: CloudUse[], month: string, now = '2027-01-01T00:00:00Z') =>
  Object.fromEntries([...costIn(uses, month, now)].map(([product, cost]) => [product ?? 'none', cost]));

test('started hours count, up to the price of a month', () => {
  expect(costs([use('2026-11-10T12:00:00Z', '2026-11-10T13:30:00Z')], '2026-11')).toEqual({ none: 0.02 });
  expect(costs([use('2026-10-01T00:00:00Z', '2026-12-31T00:00:00Z')], '2026-11')).toEqual({ none: 6 });
});
test('a month has only its own part of a use, and one that goes on counts up to now', () => {
  const uses = [use('2026-10-31T22:00:00Z', '2026-11-01T03:00:00Z')];
  expect(costs(uses, '2026-10')).toEqual({ none: 0.02 });
  expect(costs(uses, '2026-11')).toEqual({ none: 0.03 });
  expect(costs(uses, '2026-12')).toEqual({});
  expect(costs([use('2026-12-31T23:00:00Z')], '2026-12')).toEqual({ none: 0.01 });
  expect(costs([use('2026-12-31T23:00:00Z')], '2027-01')).toEqual({});
});
test('each product has the costs of its own time', () => {
  const uses = [
    use('2026-11-01T00:00:00Z', '2026-11-01T02:00:00Z'),
    use('2026-11-01T02:00:00Z', '2026-11-01T05:00:00Z', { product: 'shop' }),
    use('2026-11-01T05:00:00Z', '2026-11-01T06:00:00Z', { product: 'shop', hourly: 0.1, monthly: 60 }),
  ];
  expect(costs(uses, '2026-11').none).toBeCloseTo(0.02);
  expect(costs(uses, '2026-11').shop).toBeCloseTo(0.13);
});
test('the price of a month is the most for one machine, also if its product changes', () => {
  const uses = [
    use('2026-11-01T00:00:00Z', '2026-11-29T00:00:00Z'),
    use('2026-11-29T00:00:00Z', '2026-12-10T00:00:00Z', { product: 'shop' }),
  ];
  expect(costs(uses, '2026-11')).toEqual({ none: 6 });
  expect(costs(uses, '2026-12').shop).toBeCloseTo(2.16);
});
test('an hour in which the product changes is counted once, for the product at its end', () => {
  const associated = [
    use('2026-11-01T12:00:00Z', '2026-11-01T12:05:00Z'),
    use('2026-11-01T12:05:00Z', '2026-11-01T12:30:00Z', { product: 'shop' }),
  ];
  expect(costs(associated, '2026-11')).toEqual({ shop: 0.01 });
  const toAndFro = Array.from({ length: 20 }, (_, at) =>
    use(`2026-11-01T12:${10 + at}:00Z`, `2026-11-01T12:${11 + at}:00Z`, { product: `p${at % 2}` }),
  );
  expect(costs(toAndFro, '2026-11')).toEqual({ p1: 0.01 });
});
test('each size of a machine that was resized in the month has its own hours, and its own most', () => {
  const large = { hourly: 0.02, monthly: 12 };
  const resized = [
    use('2026-11-01T00:00:00Z', '2026-11-01T10:30:00Z'),
    use('2026-11-01T10:30:00Z', '2026-11-01T12:00:00Z', large),
    use('2026-11-01T12:00:00Z', '2026-11-01T13:00:00Z'),
  ];
  // 11.5 hours of the small size, and 1.5 of the large one.
  expect(costs(resized, '2026-11').none).toBeCloseTo(0.12 + 0.04);
  const late = [
    use('2026-11-01T00:00:00Z', '2026-11-29T00:00:00Z'),
    use('2026-11-29T00:00:00Z', undefined, large),
  ];
  expect(costs(late, '2026-11').none).toBeCloseTo(6 + 48 * 0.02);
});
test.each(['0000-01', '0001-01', '0026-11', '1926-11', '2027-02', '9999-12'])(
  'nothing is counted in %s, when the machine was not there',
  (month) => {
    expect(costs([use('2026-11-10T12:00:00Z')], month)).toEqual({});
    // A machine of 1926 does not count in the year 26.
    const old = use('1926-11-10T12:00:00Z', '1926-11-11T12:00:00Z');
    expect(costs([old], month)).toEqual(month === '1926-11' ? { none: 0.24 } : {});
  },
);
test('a use that ends before it begins, as with clocks that differ, costs nothing', () => {
  expect(costs([use('2026-11-10T12:00:00Z', '2026-11-10T11:59:59Z')], '2026-11')).toEqual({});
  expect(costs([use('2026-11-10T12:00:00Z')], '2026-11', '2026-11-10T11:00:00Z')).toEqual({});
  expect(costs([use('never')], '2026-11')).toEqual({});
});

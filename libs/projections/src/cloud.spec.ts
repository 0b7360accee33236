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
  expect(costs(uses, '2026-11')).toEqual({ none: 6, shop: 0 });
  expect(costs(uses, '2026-12').shop).toBeCloseTo(2.16);
});

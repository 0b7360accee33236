// covers: DOM-09
import fc from 'fast-check';
import {
  letsEncryptLimits,
  rateBudget,
  registeredDomain,
  spanInWords,
  type AcmeAttempt,
} from './rate-budget';

const HOUR_MS = 3_600_000;
const now = new Date('2026-06-15T12:00:00.000Z');
const ago = (hours: number): string => new Date(now.getTime() - hours * HOUR_MS).toISOString();
const issued = (hours: number, ...names: string[]): AcmeAttempt => ({
  at: ago(hours),
  names,
  outcome: 'issued',
});
const hoursUntil = (at: string | undefined): number => (Date.parse(at ?? '') - now.getTime()) / HOUR_MS;
const ask = (names: string[], history: AcmeAttempt[], more = {}) =>
  rateBudget({ names, history, now, ...more });
const of = (limit: string, { budgets }: ReturnType<typeof ask>) => budgets.find((one) => one.limit === limit);

describe('the registered domain of a name', () => {
  test.each([
    ['example.org', 'example.org'],
    ['a.b.example.org.', 'example.org'],
    ['*.Example.org', 'example.org'],
    ['new.blog.example.co.uk', 'example.co.uk'],
    // From the private part of the public suffix list: every customer has a separate budget.
    ['mine.github.io', 'mine.github.io'],
    ['localhost', 'localhost'],
    ['192.0.2.7', '192.0.2.7'],
  ])('%s: %s', (name, domain) => {
    expect(registeredDomain(name)).toBe(domain);
  });
});

describe('what an authority still allows', () => {
  it('is everything at first', () => {
    const verdict = ask(['a.example.org'], []);
    expect(verdict).toMatchObject({ allowed: true });
    expect(verdict.budgets.map(({ limit, of: what, left, outOf }) => [limit, what, left, outOf])).toEqual([
      ['exactNames', 'a.example.org', 5, 5],
      ['failures', 'a.example.org', 5, 5],
      ['registeredDomain', 'example.org', 50, 50],
      ['orders', 'this account', 300, 300],
    ]);
  });

  it('is five certificates for exactly the same names, in any order and spelling', () => {
    const history = [1, 2, 3, 4, 5].map((hours) =>
      issued(
        hours,
        ...(hours % 2 ? ['b.example.org', 'A.example.org'] : ['a.example.org.', 'b.example.org']),
      ),
    );
    const verdict = ask(['a.example.org', 'b.example.org'], history);
    expect(verdict.allowed).toBe(false);
    // The first order was five hours ago, and one order is returned every 33.6 hours.
    expect(hoursUntil(verdict.nextAt)).toBeCloseTo(168 / 5 - 5, 3);
    expect(verdict.words).toBe(
      '0 of 5 certificates for exactly a.example.org, b.example.org left in 7 days; the next in 29 hours.',
    );
    expect(ask(['a.example.org'], history).allowed).toBe(true);
  });

  it('returns one by one', () => {
    const burst = Array.from({ length: 5 }, () => issued(68, 'a.example.org'));
    expect(of('exactNames', ask(['a.example.org'], burst))).toMatchObject({ left: 2 });
    expect(ask(['a.example.org'], burst)).toMatchObject({ allowed: true });
  });

  it('is fifty certificates for a registered domain, counting only new names', () => {
    const history = Array.from({ length: 50 }, (_, at) => issued(1, `site${at}.example.org`));
    const verdict = ask(['another.example.org'], history);
    expect(verdict.allowed).toBe(false);
    expect(hoursUntil(verdict.nextAt)).toBeCloseTo(168 / 50 - 1, 3);
    expect(ask(['another.example.net'], history)).toMatchObject({ allowed: true });
    // To the authority, the same names again are a renewal.
    expect(ask(['site3.example.org'], history)).toMatchObject({ allowed: true });
    expect(of('registeredDomain', ask(['site3.example.org'], history))).toBeUndefined();
  });

  it('counts renewals neither against the registered domain nor as new orders', () => {
    const history = [3, 2, 1].map((hours) => issued(hours, 'a.example.org'));
    const verdict = ask(['b.example.org'], history);
    expect(of('registeredDomain', verdict)).toMatchObject({ left: 49 });
    expect(of('exactNames', ask(['a.example.org'], history))).toMatchObject({ left: 2 });
  });

  it('is five failures per name and hour, by account', () => {
    const failed = [50, 40, 30, 20, 10].map((minutes): AcmeAttempt => ({
      at: ago(minutes / 60),
      names: ['a.example.org', 'b.example.org'],
      outcome: 'failed',
      failedNames: ['a.example.org'],
    }));
    // Four have been returned by then.
    expect(of('failures', ask(['a.example.org'], failed))).toMatchObject({ left: 4 });
    const quick = failed.map((one) => ({ ...one, at: ago(1 / 60) }));
    const verdict = ask(['a.example.org', 'b.example.org'], quick);
    expect(verdict.allowed).toBe(false);
    expect(hoursUntil(verdict.nextAt) * 60).toBeCloseTo(11, 3);
    expect(verdict.words).toContain('the next in 11 minutes');
    expect(ask(['b.example.org'], quick)).toMatchObject({ allowed: true });
    expect(ask(['a.example.org'], quick, { account: 'another' })).toMatchObject({ allowed: true });
  });

  it('is 300 new orders in three hours, whatever their outcome', () => {
    const history = Array.from({ length: 300 }, (_, at): AcmeAttempt => ({
      at: ago(0.001),
      names: [`a.example${at}.org`],
      outcome: at % 2 ? 'refused' : 'issued',
    }));
    const verdict = ask(['a.new.org'], history);
    expect(verdict).toMatchObject({ allowed: false, budgets: [{ limit: 'orders', left: 0 }, {}, {}, {}] });
    expect(hoursUntil(verdict.nextAt)).toBeLessThanOrEqual(0.01);
  });

  it('has no limit for an order that names its predecessor', () => {
    const history = Array.from({ length: 20 }, () => issued(1, 'a.example.org'));
    expect(ask(['a.example.org'], history)).toMatchObject({ allowed: false });
    expect(ask(['a.example.org'], history, { replaces: true })).toEqual({
      allowed: true,
      words: 'Renewals that name the certificate they replace are not limited.',
      budgets: [],
    });
    const replaced = history.map((one) => ({ ...one, replaces: true }));
    expect(of('exactNames', ask(['a.example.org'], replaced))).toMatchObject({ left: 5 });
  });

  it('is nothing before the time that the authority named, even for such an order', () => {
    const retryAt = new Date(now.getTime() + 5 * HOUR_MS).toISOString();
    const history: AcmeAttempt[] = [{ at: ago(1), names: ['a.example.org'], outcome: 'refused', retryAt }];
    for (const replaces of [false, true])
      expect(ask(['b.example.org'], history, { replaces })).toMatchObject({
        allowed: false,
        nextAt: retryAt,
        words: 'The authority asked us to wait until 2026-06-15 17:00 UTC, another 5 hours.',
      });
    expect(ask(['b.example.net'], history)).toMatchObject({ allowed: true });
    const later = new Date(Date.parse(retryAt));
    expect(rateBudget({ names: ['b.example.org'], history, now: later })).toMatchObject({ allowed: true });
  });

  test('never allows more than the limit at once, and always allows at the time that it names', () =>
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 400, noNaN: true }), { maxLength: 30 }), (hours) => {
        const history = hours.map((one) => issued(one, 'a.example.org'));
        const verdict = ask(['a.example.org'], history);
        const { left = -1 } = of('exactNames', verdict) ?? {};
        expect(left).toBeLessThanOrEqual(5 - Math.min(5, hours.filter((one) => one < 168 / 5).length));
        expect(verdict.allowed).toBe(left > 0);
        if (verdict.nextAt === undefined) return;
        const then = new Date(Date.parse(verdict.nextAt) + 1);
        expect(rateBudget({ names: ['a.example.org'], history, now: then }).allowed).toBe(true);
        const before = new Date(Date.parse(verdict.nextAt) - 1000);
        if (before > now)
          expect(rateBudget({ names: ['a.example.org'], history, now: before }).allowed).toBe(false);
      }),
    ));

  it('does not depend on the order of the history', () => {
    const history = [issued(30, 'a.example.org'), issued(2, 'a.example.org'), issued(100, 'a.example.org')];
    expect(ask(['a.example.org'], [...history].reverse())).toEqual(ask(['a.example.org'], history));
  });

  it('can use other numbers for another authority', () => {
    const limits = { ...letsEncryptLimits, exactNames: { count: 1, periodMs: HOUR_MS } };
    expect(ask(['a.example.org'], [issued(0.5, 'a.example.org')], { limits })).toMatchObject({
      allowed: false,
    });
  });
});

test.each([
  [1, '1 minute'],
  [60_000, '1 minute'],
  [11 * 60_000 + 1, '12 minutes'],
  [HOUR_MS, '60 minutes'],
  [34 * HOUR_MS, '34 hours'],
  [168 * HOUR_MS, '7 days'],
])('%i ms is written as %s', (ms, words) => {
  expect(spanInWords(ms)).toBe(words);
});

// covers: DOM-09
import fc from 'fast-check';
import { expiryLabel, renewalVerdict, type RenewalWindow } from './renewal';

const DAY_MS = 86_400_000;
const start = Date.parse('2026-06-01T00:00:00.000Z');
const after = (days: number): Date => new Date(start + days * DAY_MS);
const lasting = (days: number, serial = '0A1B') => ({
  serial,
  notBefore: after(0).toISOString(),
  notAfter: after(days).toISOString(),
});
const window = (from: number, to: number): RenewalWindow => ({
  start: after(from).toISOString(),
  end: after(to).toISOString(),
});

describe('the label of a certificate', () => {
  test.each([
    [-1, 'expired'],
    [0, 'expired'],
    [1, 'expiring'],
    [29, 'expiring'],
    [30, 'valid'],
    [90, 'valid'],
  ] as const)('%i days left: %s', (days, label) => {
    expect(expiryLabel(days)).toBe(label);
  });

  it('can be the workspace’s own', () => {
    expect(expiryLabel(9, { expiringDays: 10, expiredDays: 2 })).toBe('expiring');
    expect(expiryLabel(10, { expiringDays: 10, expiredDays: 2 })).toBe('valid');
    expect(expiryLabel(2, { expiringDays: 10, expiredDays: 2 })).toBe('expired');
  });
});

describe('a certificate is renewed', () => {
  test.each([
    [90, 60],
    [64, 64 * (2 / 3)],
    [45, 30],
    [10, 10 * (2 / 3)],
    [9, 4.5],
    [6, 3],
  ])('of %d days after %d, and not before', (lifetime, due) => {
    const facts = lasting(lifetime);
    const at = renewalVerdict({ facts, now: after(0) }).at;
    expect((Date.parse(at) - start) / DAY_MS).toBeCloseTo(due, 6);
    expect(renewalVerdict({ facts, now: new Date(Date.parse(at) - 1) })).toMatchObject({
      is: 'wait',
      due: false,
      at,
    });
    expect(renewalVerdict({ facts, now: new Date(Date.parse(at) + 1) })).toMatchObject({
      is: 'renew',
      due: true,
      at,
    });
  });

  it('has a reason in words', () => {
    const reason = (lifetime: number, day: number) =>
      renewalVerdict({ facts: lasting(lifetime), now: after(day) }).reason;
    expect(reason(90, 1)).toBe(
      'It will be renewed on 2026-07-31 00:00 UTC, when a third of its lifetime is left.',
    );
    expect(reason(90, 61)).toBe(
      'Less than a third of its lifetime is left: it expires on 2026-08-30 00:00 UTC.',
    );
    expect(reason(6, 4)).toBe('Less than half of its lifetime is left: it expires on 2026-06-07 00:00 UTC.');
    expect(reason(90, 90)).toBe('It expired on 2026-08-30 00:00 UTC.');
  });

  it('does not renew because thirty days are left, if the lifetime is 45 days', () => {
    expect(renewalVerdict({ facts: lasting(45), now: after(29) })).toMatchObject({ due: false });
  });

  it('can follow a rule of the workspace', () => {
    const rule = {
      partLeft: 0.1,
      shortLivedDays: 0,
      shortLivedPartLeft: 0.5,
      expiringDays: 5,
      expiredDays: 0,
    };
    expect(renewalVerdict({ facts: lasting(90), now: after(80), rule })).toMatchObject({ is: 'wait' });
    expect(renewalVerdict({ facts: lasting(90), now: after(82), rule })).toMatchObject({
      is: 'renew',
      reason: expect.stringContaining('10 % of its lifetime'),
    });
  });
});

describe('the window that an authority suggests', () => {
  it('moves the renewal forward, as after a mass revocation', () => {
    const ari = window(3, 4);
    expect(renewalVerdict({ facts: lasting(90), now: after(2.9), ari })).toMatchObject({ is: 'wait' });
    expect(renewalVerdict({ facts: lasting(90), now: after(4), ari })).toMatchObject({
      is: 'renew',
      reason: 'The authority suggests renewing it: its window began on 2026-06-04 00:00 UTC.',
    });
  });

  it('means now if it is in the past', () => {
    expect(renewalVerdict({ facts: lasting(90), now: after(5), ari: window(1, 2) })).toMatchObject({
      due: true,
    });
  });

  it('does not delay what the lifetime requires', () => {
    expect(renewalVerdict({ facts: lasting(90), now: after(61), ari: window(80, 85) })).toMatchObject({
      due: true,
    });
  });

  it('is ignored if it ends before it begins, or is not a window', () => {
    const facts = lasting(90);
    const without = renewalVerdict({ facts, now: after(1) });
    for (const ari of [window(5, 4), window(5, 5), { start: 'soon', end: 'later' }])
      expect(renewalVerdict({ facts, now: after(1), ari })).toEqual(without);
  });

  test('is entered at a fixed point for each certificate, inside the window', () =>
    fc.assert(
      fc.property(
        fc.stringMatching(/^[0-9A-F]{2,40}$/),
        fc.double({ min: 0.1, max: 5, noNaN: true }),
        (serial, length) => {
          const ari = window(10, 10 + length);
          const points = [1, 2, 70].map(
            (day) => renewalVerdict({ facts: lasting(90, serial), now: after(day), ari }).at,
          );
          expect(new Set(points).size).toBe(1);
          expect(Date.parse(points[0] ?? '')).toBeGreaterThanOrEqual(Date.parse(ari.start));
          expect(Date.parse(points[0] ?? '')).toBeLessThanOrEqual(Date.parse(ari.end));
        },
      ),
    ));

  it('spreads the certificates of a fleet evenly, even with consecutive serials', () => {
    const ari = window(10, 20);
    const tenths = Array.from({ length: 10 }, () => 0);
    for (let serial = 0; serial < 2000; serial += 1) {
      const { at } = renewalVerdict({ facts: lasting(90, serial.toString(16)), now: after(1), ari });
      const tenth = Math.floor((Date.parse(at) - start) / DAY_MS - 10);
      tenths[tenth] = (tenths[tenth] ?? 0) + 1;
    }
    expect(Math.min(...tenths)).toBeGreaterThan(140);
    expect(Math.max(...tenths)).toBeLessThan(260);
  });
});

describe('a domain that presents another certificate than the issued one', () => {
  it('needs a reload of its web server, not a renewal', () => {
    expect(renewalVerdict({ facts: lasting(90), now: after(1), served: { serial: 'FFFF' } })).toMatchObject({
      is: 'reload',
      due: false,
      reason: expect.stringContaining('presents certificate FFFF instead of the latest one, 0A1B'),
    });
  });

  it('is renewed all the same when it is due', () => {
    expect(renewalVerdict({ facts: lasting(90), now: after(70), served: { serial: 'FFFF' } })).toMatchObject({
      is: 'renew',
    });
  });

  it('is not assumed if it presents the issued one, or if that is unknown', () => {
    const verdict = renewalVerdict({ facts: lasting(90), now: after(1) });
    expect(verdict).toMatchObject({ is: 'wait' });
    expect(renewalVerdict({ facts: lasting(90), now: after(1), served: { serial: '0A1B' } })).toEqual(
      verdict,
    );
  });
});

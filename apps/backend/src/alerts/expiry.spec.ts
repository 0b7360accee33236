// covers: DOM-13
import type { DomainView } from '@quarterdeck/projections';
import fc from 'fast-check';
import { alertsDue, settle, type KnownAlert, type WatchedDomain } from './expiry';

const DAY = 24 * 60 * 60_000;
const END = Date.parse('2026-12-01T00:00:00.000Z');
const iso = (ms: number): string => new Date(ms).toISOString();
const served = (serial: string, end = END, names = ['shop.example.org']): DomainView['served'] => ({
  at: iso(0),
  valid: true,
  served: { serial, issuer: 'CA', names, notBefore: iso(0), notAfter: iso(end), protocol: 'TLSv1.3' },
});
const issued = (serial: string, end = END) =>
  ({ serial, notAfter: iso(end), names: ['shop.example.org'] }) as DomainView['certificate'];
const domain: WatchedDomain = {
  id: '0193f0a0-0000-7000-8000-0000000000d1',
  serverName: 'shop.example.org',
  served: served('01'),
};
const thresholds = [21, 14, 7];
/** The instant that many days before expiry. */
const at = (days: number): Date => new Date(END - Math.round(days * DAY));
const due = (days: number, more: Partial<WatchedDomain> = {}, of = thresholds) =>
  alertsDue({ domain: { ...domain, ...more }, thresholds: of, now: at(days) });

describe('an alert is due', () => {
  test.each([
    [30, []],
    [21.01, []],
    [21, [21]],
    [15, [21]],
    [14, [14]],
    [7, [7]],
    [0.5, [7]],
    [0, [0]],
    [-3, [0]],
  ])('%p days before expiry at %p', (days, expected) => {
    expect(due(days).map(({ threshold }) => threshold)).toEqual(expected);
  });

  test.each([
    [6, [5.9, 1.5, 1.3, 0.4], [[], [], [21], [7]]],
    [45, [44, 10.6, 10.4, 3], [[], [], [21], [7]]],
  ])('for a certificate of %d days when the same part of it is left', (lifetime, left, expected) => {
    const { served: shown, ...rest } = served('01')!;
    const short = { ...rest, served: { ...shown!, notBefore: iso(END - lifetime * DAY) } };
    expect(left.map((days) => due(days, { served: short }).map(({ threshold }) => threshold))).toEqual(
      expected,
    );
  });

  test('is never due if the thresholds of the workspace or the domain are empty', () => {
    expect(due(3, {}, [])).toEqual([]);
    expect(due(3, { thresholds: [] })).toEqual([]);
    expect(due(-3, { thresholds: [] })).toEqual([]);
  });

  test('uses the thresholds of the domain before those of the workspace', () => {
    expect(due(20, { thresholds: [3] })).toEqual([]);
    expect(due(29, { thresholds: [30] })[0]?.threshold).toBe(30);
  });

  test.each([
    [6.5, 'The certificate of shop.example.org expires in 6 days, on 2026-12-01.'],
    [1.2, 'The certificate of shop.example.org expires in 1 day, on 2026-12-01.'],
    [0.2, 'The certificate of shop.example.org expires within a day, on 2026-12-01.'],
    [-1, 'The certificate of shop.example.org expired on 2026-12-01.'],
  ])('and says so %p days before', (days, says) => {
    expect(due(days)[0]?.raised).toMatchObject({
      says,
      about: 'certificateExpiry',
      notAfter: '2026-12-01T00:00:00.000Z',
      subject: { kind: 'domain', id: domain.id, name: 'shop.example.org' },
    });
  });
});

/** Keeps raised and resolved alerts, as the log would. */
const play = () => {
  const alerts = new Map<string, KnownAlert & { raised: number }>();
  const step = (now: Date, more: Partial<WatchedDomain> = {}, of: readonly number[] = thresholds) => {
    const settlement = settle({ domain: { ...domain, ...more }, thresholds: of, now }, [...alerts.values()]);
    for (const { id } of settlement.resolve) {
      const known = alerts.get(id);
      if (!known) throw new Error(`${id} was never raised`);
      alerts.set(id, { ...known, state: 'resolved' });
    }
    for (const { id, threshold } of settlement.raise)
      alerts.set(id, { id, threshold, state: 'open', raised: (alerts.get(id)?.raised ?? 0) + 1 });
    return settlement;
  };
  const open = () => [...alerts.values()].filter(({ state }) => state === 'open');
  return { alerts, step, open };
};

describe('as time passes', () => {
  test('raises each crossing once, in order, in place of the one before', () => {
    const { step, open } = play();
    expect(step(at(22))).toEqual({ raise: [], resolve: [] });
    expect(step(at(20)).raise[0]?.threshold).toBe(21);
    expect(step(at(19))).toEqual({ raise: [], resolve: [] });
    const second = step(at(13));
    expect(second.raise[0]?.threshold).toBe(14);
    expect(second.resolve[0]?.reason).toBe('raised again at 14 days');
    const last = step(at(-1));
    expect(last.raise[0]?.threshold).toBe(0);
    expect(last.resolve[0]?.reason).toBe('the certificate has expired');
    expect(open()).toHaveLength(1);
  });

  test('raises one alert, for the smallest threshold, if several are crossed at once', () => {
    const { step, open } = play();
    expect(step(at(5)).raise.map(({ threshold }) => threshold)).toEqual([7]);
    expect(open()).toHaveLength(1);
  });

  test('ends the alert when a renewed certificate is served; that one may later raise its own', () => {
    const { step, open } = play();
    step(at(5));
    const renewed = { served: served('02', END + 85 * DAY) };
    expect(step(at(4), renewed).resolve[0]?.reason).toBe(
      'another certificate replaces it, which expires on 2027-02-24',
    );
    expect(open()).toEqual([]);
    expect(step(at(-80), renewed).raise[0]?.threshold).toBe(7);
  });

  test('ends nothing while a renewed certificate is not served', () => {
    const { step } = play();
    step(at(5));
    expect(step(at(4), { certificate: issued('02', END + 85 * DAY) })).toEqual({ raise: [], resolve: [] });
  });

  test('ends the alert when the certificate or the threshold is removed', () => {
    const gone = play();
    gone.step(at(5));
    expect(gone.step(at(4), { served: undefined }).resolve[0]?.reason).toBe(
      'the certificate no longer exists',
    );
    const changed = play();
    changed.step(at(20));
    expect(changed.step(at(20), {}, [7]).resolve[0]?.reason).toMatch('the thresholds were changed');
  });

  test('does not raise a dismissed alert again for a larger threshold, only for a smaller one', () => {
    const { alerts, step } = play();
    const [raised] = step(at(12)).raise;
    const id = raised?.id ?? '';
    alerts.set(id, { id, threshold: 14, state: 'dismissed', raised: 1 });
    expect(step(at(11), {}, [30, 14, 7])).toEqual({ raise: [], resolve: [] });
    expect(step(at(11), {}, [30])).toEqual({ raise: [], resolve: [] });
    expect(step(at(6)).raise[0]?.threshold).toBe(7);
  });

  // In hours, so that no moment is within a millisecond of a threshold without being equal to it.
  const moment = (from: number, to: number) =>
    fc.integer({ min: from * 24, max: to * 24 }).map((h) => h / 24);
  const moments = fc.array(moment(-40, 100), { maxLength: 40 });
  const wanted = fc.uniqueArray(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 10 });

  test('raises each crossing once and never goes backwards, with one open alert, whenever somebody looks', () => {
    fc.assert(
      fc.property(moments, wanted, (days, of) => {
        const { alerts, step, open } = play();
        const seen: number[] = [];
        for (const day of days.toSorted((a, b) => b - a)) {
          for (const again of [1, 2]) {
            const { raise } = step(at(day), {}, of);
            expect(raise.length).toBeLessThanOrEqual(again === 1 ? 1 : 0);
            seen.push(...raise.map(({ threshold }) => threshold));
          }
          const crossed = [0, ...of].filter((threshold) => day <= threshold);
          expect(open().map(({ threshold }) => threshold)).toEqual(
            crossed.length === 0 ? [] : [Math.min(...crossed)],
          );
        }
        expect(seen).toEqual([...new Set(seen)].sort((a, b) => b - a));
        expect([...alerts.values()].every(({ raised }) => raised === 1)).toBe(true);
      }),
    );
  });

  test('has at most one open alert, and a second look finds nothing, whatever changes about domain and settings', () => {
    const change = fc.record({
      day: moment(-5, 40),
      of: fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 4 }),
      serial: fc.constantFrom('01', '02', undefined),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 25 }), (changes) => {
        const { step, open } = play();
        for (const { day, of, serial } of changes) {
          const more = { served: serial === undefined ? undefined : served(serial) };
          step(at(day), more, of);
          expect(open().length).toBeLessThanOrEqual(1);
          expect(open().length).toBe(
            alertsDue({ domain: { ...domain, ...more }, thresholds: of, now: at(day) }).length,
          );
          expect(step(at(day), more, of)).toEqual({ raise: [], resolve: [] });
        }
      }),
    );
  });
});

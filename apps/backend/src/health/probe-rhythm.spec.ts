// covers: SRV-16
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { nextDue } from './probe-shift';

const intervals = fc.integer({ min: 5, max: 3600 }).map((seconds) => seconds * 1000);
const instants = fc.integer({ min: 0, max: 4e12 });

describe('when a server is due', () => {
  test('is after now, and within one interval', () =>
    fc.assert(
      fc.property(fc.uuid(), intervals, instants, (id, everyMs, now) => {
        const due = nextDue(id, everyMs, now);
        expect(due).toBeGreaterThan(now);
        expect(due - now).toBeLessThanOrEqual(everyMs);
      }),
    ));

  test('is one regular beat for every caller: the distance is always the interval', () =>
    fc.assert(
      fc.property(fc.uuid(), intervals, instants, (id, everyMs, now) => {
        const due = nextDue(id, everyMs, now);
        expect(nextDue(id, everyMs, due) - due).toBe(everyMs);
      }),
    ));

  it('is spread over the interval, even for ids created one after the other', () => {
    const everyMs = 30_000;
    const perSecond = Array.from({ length: 30 }, () => 0);
    for (let server = 0; server < 500; server += 1) {
      const second = Math.floor((nextDue(uuidv7(), everyMs, 0) % everyMs) / 1000);
      perSecond[second] = (perSecond[second] ?? 0) + 1;
    }
    // 16.7 are expected per second. 50 in one of 30 seconds would not be chance.
    expect(Math.max(...perSecond)).toBeLessThan(50);
    expect(Math.min(...perSecond)).toBeGreaterThan(0);
  });
});

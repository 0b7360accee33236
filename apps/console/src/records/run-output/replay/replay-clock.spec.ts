/** covers: AUD-02 */
import fc from 'fast-check';
import {
  clockTime,
  IDLE_LIMIT_MS,
  parseTime,
  playedAt,
  rateOf,
  timelineOf,
  timeParam,
  toPlayed,
  toRecorded,
} from './replay-clock';

describe('the timeline of a replay', () => {
  // Events at 1 s and 2 s, then two at the same instant an hour later.
  const instants = [1000, 2000, 3_602_000, 3_602_000];
  const end = 3_603_000;

  it('shortens a long pause', () => {
    const timeline = timelineOf(instants, end, true);
    expect(timeline).toEqual({
      durationMs: end,
      length: 2000 + IDLE_LIMIT_MS + 1000,
      pauses: [{ from: 2000, to: 3_602_000, playedFrom: 2000 }],
    });
    expect(toPlayed(timeline, 2000)).toBe(2000);
    expect(toPlayed(timeline, 1_802_000)).toBe(3000);
    expect(toPlayed(timeline, 3_602_000)).toBe(4000);
    expect(toRecorded(timeline, 3000)).toBe(1_802_000);
    expect(toRecorded(timeline, 4500)).toBe(3_602_500);
  });

  it('plays in full length if idle time is not skipped', () => {
    const timeline = timelineOf(instants, end, false);
    expect(timeline).toEqual({ durationMs: end, length: end, pauses: [] });
    expect(toPlayed(timeline, 1_234_567)).toBe(1_234_567);
  });

  it('also shortens pauses at the start and the end, but none within the limit', () => {
    expect(timelineOf([60_000], 120_000, true).length).toBe(2 * IDLE_LIMIT_MS);
    expect(timelineOf([2000, 4000], 6000, true).pauses).toEqual([]);
    expect(timelineOf([], 500, true)).toEqual({ durationMs: 500, length: 500, pauses: [] });
  });

  it("converts each event's time to played time in order, and back to exactly the same time", () => {
    const gaps = fc.array(fc.oneof(fc.nat(50), fc.integer({ min: 1900, max: 90_000_000 })), {
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(gaps, fc.boolean(), (waits, skipIdle) => {
        let at = 0;
        const happened = waits.map((wait) => (at += wait));
        const timeline = timelineOf(happened, at + 10, skipIdle);
        const played = happened.map((instant) => toPlayed(timeline, instant));
        expect(played).toEqual(played.toSorted((a, b) => a - b));
        expect(played.map((one) => toRecorded(timeline, one))).toEqual(happened);
      }),
      { seed: 20261120 },
    );
  });

  it('stays within both ends', () => {
    const timeline = timelineOf(instants, end, true);
    expect([toPlayed(timeline, -5), toRecorded(timeline, -5)]).toEqual([0, 0]);
    expect([toPlayed(timeline, 1e12), toRecorded(timeline, 1e12)]).toEqual([timeline.length, end]);
  });
});

describe('the playhead', () => {
  const timeline = timelineOf([], 10_000, false);

  it('stays still while paused, advances with the time passed, and stops at the end', () => {
    expect(playedAt({ at: 2000, rate: 4 }, 99_999, timeline)).toBe(2000);
    const going = { at: 2000, since: 50_000, rate: 4 };
    expect(playedAt(going, 50_500, timeline)).toBe(4000);
    // A hidden tab, shown again after an hour.
    expect(playedAt(going, 3_650_000, timeline)).toBe(10_000);
  });

  it('supports half speed, multiples, and a maximum that depends on the length', () => {
    expect(rateOf(0.5, timeline)).toBe(0.5);
    expect(rateOf('max', timeline)).toBe(64);
    expect(rateOf('max', timelineOf([], 3_600_000, false))).toBe(1200);
  });
});

describe('times in words and URLs', () => {
  it('parses seconds, and ignores anything else', () => {
    expect(parseTime('12.4')).toBe(12_400);
    expect(parseTime('0')).toBe(0);
    for (const odd of [null, '', '-1', '1e9', 'x', '1.', '1.2345', 'Infinity'])
      expect(parseTime(odd)).toBeUndefined();
  });

  it('rounds seconds up, so that the link shows everything that was visible', () => {
    expect(timeParam(12_400)).toBe('12.4');
    expect(timeParam(12_401)).toBe('12.5');
    expect(timeParam(0)).toBe('0');
  });

  it('formats a clock', () => {
    expect([0, 12_450, 61_000, 3_723_400].map(clockTime)).toEqual([
      '0:00.0',
      '0:12.4',
      '1:01.0',
      '1:02:03.4',
    ]);
  });
});

// covers: OPS-01
import { putOff, silenceOf, weeklySilence } from './alert-silence';

const ms = (text: string): number => Date.parse(text);
const until = (moment: number | undefined): string | undefined =>
  moment === undefined ? undefined : new Date(moment).toISOString().slice(0, 16);
const night = { days: [], from: '22:00', until: '07:00', zone: 'Europe/Berlin' };

describe('weekly times', () => {
  test.each([
    ['before', '2026-11-30T20:59Z', undefined],
    ['at its beginning', '2026-11-30T21:00Z', '2026-12-01T06:00'],
    ['after midnight', '2026-12-01T02:00Z', '2026-12-01T06:00'],
    ['at its end', '2026-12-01T06:00Z', undefined],
    ['in summer', '2026-07-01T20:00Z', '2026-07-02T05:00'],
    // The clocks are put forward at 01:00 UTC, and back in autumn.
    ['through the start of summer time', '2026-03-28T23:00Z', '2026-03-29T05:00'],
    ['through the end of summer time', '2026-10-24T23:00Z', '2026-10-25T06:00'],
  ])('%s: %s is silent until %s', (_, at, end) => {
    expect(until(weeklySilence(night)(ms(at)))).toBe(end);
  });

  test('count by the day on which they begin', () => {
    const friday = weeklySilence({ ...night, days: ['Friday'] });
    // 4 December 2026 is a Friday.
    expect(until(friday(ms('2026-12-04T21:30Z')))).toBe('2026-12-05T06:00');
    expect(until(friday(ms('2026-12-05T03:00Z')))).toBe('2026-12-05T06:00');
    expect(friday(ms('2026-12-05T21:30Z'))).toBeUndefined();
    expect(friday(ms('2026-12-04T03:00Z'))).toBeUndefined();
  });

  test('begin at the next time that exists, if the clocks leave out theirs', () => {
    const short = weeklySilence({ days: ['Sunday'], from: '02:30', until: '04:00', zone: 'Europe/Berlin' });
    expect(short(ms('2026-03-29T00:59Z'))).toBeUndefined();
    expect(until(short(ms('2026-03-29T01:45Z')))).toBe('2026-03-29T02:00');
  });

  test('without a zone are in UTC', () => {
    expect(until(weeklySilence({ ...night, zone: '' })(ms('2026-11-30T22:00Z')))).toBe('2026-12-01T07:00');
  });
});

describe('what falls into a silence', () => {
  const weekend = { days: ['Saturday', 'Sunday'], from: '00:00', until: '24:00', zone: '' };
  const once = { once: { starts: '2026-12-07T00:00Z', ends: '2026-12-07T10:00Z' }, weekly: null };

  test('is put off until none is left', () => {
    const silences = [weeklySilence(weekend), silenceOf(once)];
    expect(until(putOff(ms('2026-12-05T12:00Z'), silences))).toBe('2026-12-07T10:00');
    expect(until(putOff(ms('2026-12-04T12:00Z'), silences))).toBe('2026-12-04T12:00');
    expect(until(putOff(ms('2026-12-07T10:00Z'), silences))).toBe('2026-12-07T10:00');
  });

  test('is never told if they cover all time', () => {
    const rest = { ...weekend, days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'] };
    expect(putOff(ms('2026-12-05T12:00Z'), [weeklySilence(weekend), weeklySilence(rest)])).toBeUndefined();
  });
});

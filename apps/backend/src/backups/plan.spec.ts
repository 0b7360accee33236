// covers: BAK-01
import { isDrillDue, isDue, isFullDue, thinnedOf, type Dated } from './plan';

const HOUR_MS = 60 * 60_000;
const at = (text: string): Date => new Date(text);

describe('a backup is due', () => {
  const schedule = { at: '02:30' };
  const since = '2026-11-01T12:00:00.000Z';

  it('once after each time that the schedule names', () => {
    const due = (now: string, lastTakenAt?: string) => isDue({ schedule, since, lastTakenAt }, at(now));
    expect(due('2026-11-23T02:29:59Z', '2026-11-22T02:30:00.000Z')).toBe(false);
    expect(due('2026-11-23T02:30:00Z', '2026-11-22T02:30:00.000Z')).toBe(true);
    expect(due('2026-11-23T23:00:00Z', '2026-11-22T02:30:00.000Z')).toBe(true);
    expect(due('2026-11-23T02:30:01Z', '2026-11-23T02:30:00.500Z')).toBe(false);
    // The console was down for a week.
    expect(due('2026-11-30T01:00:00Z', '2026-11-23T02:30:00.500Z')).toBe(true);
  });

  it('not for a time before the installation existed, and never without a schedule', () => {
    expect(isDue({ schedule, since }, at('2026-11-01T13:00:00Z'))).toBe(false);
    expect(isDue({ schedule, since }, at('2026-11-02T03:00:00Z'))).toBe(true);
    expect(isDue({ schedule: null, since }, at('2026-11-02T03:00:00Z'))).toBe(false);
  });

  it('not again at once after somebody cancelled it, but at the next time', () => {
    const due = (now: string) =>
      isDue({ schedule, since, lastCancelledAt: '2026-11-23T02:31:00.000Z' }, at(now));
    expect(due('2026-11-23T02:31:01Z')).toBe(false);
    expect(due('2026-11-24T02:30:00Z')).toBe(true);
  });

  it('again half an hour after one that failed', () => {
    const due = (now: string) =>
      isDue({ schedule, since, lastFailedAt: '2026-11-23T02:30:05.000Z' }, at(now));
    expect(due('2026-11-23T03:00:04Z')).toBe(false);
    expect(due('2026-11-23T03:00:05Z')).toBe(true);
  });
});

it('takes a full archive first, and after a week of increments', () => {
  const full = { takenAt: '2026-11-23T02:30:00.000Z' };
  expect(isFullDue([], at('2026-11-23T02:30:00Z'))).toBe(true);
  expect(isFullDue([full, { takenAt: '2026-11-29T02:30:00.000Z' }], at('2026-11-30T02:29:00Z'))).toBe(false);
  expect(isFullDue([full], at('2026-11-30T02:30:00Z'))).toBe(true);
});

describe('thinning', () => {
  const keep = { days: 7, weeks: 4, months: 12 };

  /** One archive per night, a full one every seventh night. */
  const nights = (count: number, from = '2025-01-01T02:30:00.000Z'): Dated[] => {
    let last: string | null = null;
    return Array.from({ length: count }, (_, nth) => {
      const base = nth % 7 === 0 ? null : last;
      last = `archive-${nth}`;
      return { id: last, base, takenAt: new Date(Date.parse(from) + nth * 24 * HOUR_MS).toISOString() };
    });
  };

  it('keeps the newest of the last 7 days, 4 weeks and 12 months, and all that they need', () => {
    const archives = nights(700);
    const gone = new Set(thinnedOf(archives, keep).map(({ id }) => id));
    const kept = archives.filter(({ id }) => !gone.has(id));
    const byId = new Map(kept.map((one) => [one.id, one]));
    // Every kept increment still has its base.
    for (const { base } of kept) expect(base === null || byId.has(base)).toBe(true);
    expect(kept.slice(-7)).toEqual(archives.slice(-7));
    const months = new Set(archives.map(({ takenAt }) => takenAt.slice(0, 7)));
    for (const month of [...months].slice(-12)) {
      const newest = archives.findLast(({ takenAt }) => takenAt.startsWith(month));
      expect(byId.has(newest!.id)).toBe(true);
    }
    expect(kept.length).toBeLessThan(7 * 24);
    // Thinning again removes nothing more.
    expect(thinnedOf(kept, keep)).toEqual([]);
  });

  it('removes increments before what they continue, so that a killed removal leaves no gap', () => {
    const archives = nights(700);
    const gone = thinnedOf(archives, keep);
    for (let count = 0; count <= gone.length; count += 50) {
      const removed = new Set(gone.slice(0, count).map(({ id }) => id));
      const left = archives.filter(({ id }) => !removed.has(id));
      const ids = new Set(left.map(({ id }) => id));
      expect(left.filter(({ base }) => base !== null && !ids.has(base))).toEqual([]);
    }
  });

  it('removes nothing only because time has passed, and never the only archive', () => {
    const old = nights(3, '2020-01-01T02:30:00.000Z');
    expect(thinnedOf(old, keep)).toEqual([]);
    expect(thinnedOf(nights(1), { days: 1, weeks: 1, months: 1 })).toEqual([]);
    expect(thinnedOf([], keep)).toEqual([]);
  });

  it('keeps an archive from before a migration as long as the others of its day', () => {
    const one = (takenAt: string, more: object = {}) => ({ id: takenAt, base: null, takenAt, ...more });
    const before = one('2026-11-03T09:00:00.000Z', { beforeMigration: true });
    const sameDay = [before, one('2026-11-03T10:00:00.000Z')];
    const newest = { days: 1, weeks: 1, months: 1 };
    expect(thinnedOf(sameDay, newest)).toEqual([]);
    expect(thinnedOf([one('2026-11-03T08:00:00.000Z'), ...sameDay], newest)).toHaveLength(1);
    expect(thinnedOf([...sameDay, one('2026-11-04T02:30:00.000Z')], newest)).toHaveLength(2);
  });

  it('keeps a chain whole when only its last increment is wanted', () => {
    const archives = nights(7);
    expect(thinnedOf(archives, { days: 1, weeks: 1, months: 1 })).toEqual([]);
  });
});

describe('a drill is due', () => {
  const schedule = { at: '02:30' };
  const due = (now: string, more: { passedAt?: string; failedAt?: string } = {}) =>
    isDrillDue({ schedule, hasArchive: true, ...more }, at(now));

  it('after the first backup, and then each week', () => {
    expect(isDrillDue({ schedule, hasArchive: false }, at('2026-11-23T02:31:00Z'))).toBe(false);
    expect(due('2026-11-23T02:31:00Z')).toBe(true);
    const passedAt = '2026-11-23T02:31:00.000Z';
    expect(due('2026-11-30T02:30:59Z', { passedAt })).toBe(false);
    expect(due('2026-11-30T02:31:00Z', { passedAt })).toBe(true);
    expect(isDrillDue({ schedule: null, hasArchive: true }, at('2026-11-30T02:31:00Z'))).toBe(false);
  });

  it('again a day after one that failed', () => {
    const last = { passedAt: '2026-11-16T02:31:00.000Z', failedAt: '2026-11-23T02:31:00.000Z' };
    expect(due('2026-11-24T02:30:59Z', last)).toBe(false);
    expect(due('2026-11-24T02:31:00Z', last)).toBe(true);
  });
});

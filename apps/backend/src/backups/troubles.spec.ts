// covers: BAK-02
import { backupsDecider, type BackupState, type CurrentWork, type RecordedArchive } from './backups.decider';
import { troublesOf } from './troubles';

const installedAt = '2026-11-01T12:00:00.000Z';
const archive: RecordedArchive = {
  id: 'a',
  place: '/a',
  name: 'a.backup',
  base: null,
  takenAt: '2026-11-22T02:30:00.000Z',
  bytes: 1,
  after: '0',
  end: '9',
  events: 9,
  masterKey: '0123',
  durationMs: 1,
  missing: false,
};
const proven = {
  work: 'd',
  at: '2026-11-20T02:31:00.000Z',
  archives: ['a'],
  takenAt: archive.takenAt,
  end: '9',
  events: 9,
  rows: 1,
  viewRows: 1,
  durationMs: 1,
};
const state: BackupState = { ...backupsDecider.initial, archives: [archive], proven };
const aboutAt = (now: string, more: Partial<BackupState> = {}): string[] =>
  troublesOf({ ...state, ...more }, installedAt, new Date(now)).map(({ about }) => about);

it('a backup is overdue after 26 hours, counted from the newest archive in its place', () => {
  expect(aboutAt('2026-11-23T04:30:00.000Z')).toEqual([]);
  expect(aboutAt('2026-11-23T04:30:00.001Z')).toEqual(['backupOverdue']);
  expect(aboutAt('2026-11-23T03:00:00.000Z', { archives: [{ ...archive, missing: true }] })).toEqual([
    'backupOverdue',
  ]);
  const [none] = troublesOf({ ...state, archives: [] }, installedAt, new Date('2026-11-02T14:00:00.001Z'));
  expect(none?.says).toBe('No backup was taken for more than 26 hours: there is none.');
  expect(aboutAt('2026-11-02T14:00:00.000Z', { archives: [], proven: undefined })).toEqual([]);
});

it('a backup that takes far longer than those before is told while it is under way', () => {
  const current: CurrentWork = {
    work: 'w',
    why: 'operator',
    full: true,
    attempts: 1,
    cancelRequested: false,
    kind: 'backup',
    startedAt: '2026-11-22T03:00:00.000Z',
  };
  const plan = { ...state.plan, schedule: null };
  expect(aboutAt('2026-11-22T04:00:00.000Z', { plan, current })).toEqual([]);
  expect(aboutAt('2026-11-22T04:00:00.001Z', { plan, current })).toEqual(['backupOverdue']);
  const archives = [{ ...archive, durationMs: 30 * 60_000 }];
  expect(aboutAt('2026-11-22T04:30:00.000Z', { plan, current, archives })).toEqual([]);
  expect(aboutAt('2026-11-22T04:30:00.001Z', { plan, current, archives })).toEqual(['backupOverdue']);
  const drill: CurrentWork = { ...current, kind: 'drill' };
  expect(aboutAt('2026-11-22T04:30:00.001Z', { plan, current: drill })).toEqual([]);
});

it('a drill is overdue after 8 days, counted from the first archive if none has passed', () => {
  const schedule = { at: '02:30' };
  const taken = (takenAt: string) => ({ ...archive, takenAt });
  const archives = [taken('2026-11-15T02:30:00.000Z'), taken('2026-11-23T02:30:00.000Z')];
  const plan = { ...state.plan, schedule };
  const last = { ...proven, at: '2026-11-15T02:31:00.000Z' };
  expect(aboutAt('2026-11-23T02:31:00.000Z', { archives, plan, proven: last })).toEqual([]);
  expect(aboutAt('2026-11-23T02:31:00.001Z', { archives, plan, proven: last })).toEqual(['drillOverdue']);
  expect(aboutAt('2026-11-23T02:30:00.001Z', { archives, plan, proven: undefined })).toEqual([
    'drillOverdue',
  ]);
});

it('nothing is overdue without a schedule, and what failed is told at once', () => {
  const plan = { ...state.plan, schedule: null };
  expect(aboutAt('2027-11-23T04:30:00.001Z', { plan })).toEqual([]);
  const failed = { at: installedAt, reason: 'no room' };
  expect(aboutAt('2026-11-22T03:00:00.000Z', { plan, failed, drillFailed: failed })).toEqual([
    'backupFailed',
    'drillFailed',
  ]);
});

it('what cannot be removed is one trouble, whatever joins it later, until the oldest of it is gone', () => {
  const stuck = (place: string, ...ids: string[]) => ({
    place,
    archives: ids.map((id) => ({ id, name: `${id}.backup` })),
    reason: 'denied',
  });
  const of = (...notRemoved: BackupState['notRemoved'][number][]) =>
    troublesOf({ ...state, notRemoved }, installedAt, new Date('2026-11-22T03:00:00.000Z'));
  const [first] = of(stuck('/a', '1'));
  expect(first).toMatchObject({
    about: 'archivesNotRemoved',
    says: expect.stringMatching(/^1 archive that/),
  });
  for (const later of [of(stuck('/a', '3', '2', '1')), of(stuck('/b', '2'), stuck('/a', '1'))])
    expect(later.map(({ about, since }) => [about, since])).toEqual([['archivesNotRemoved', first!.since]]);
  expect(of(stuck('/a', '3', '2'))[0]!.says).toMatch(/^2 archives that .*: denied$/);
  expect(of(stuck('/a', '3', '2'))[0]!.since).not.toBe(first!.since);
});

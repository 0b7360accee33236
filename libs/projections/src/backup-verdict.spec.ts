// covers: BAK-02
import type { ArchiveView, BackupsView } from './backups';
import { backupVerdict, chainTo, newestInPlace, restoreVerdict } from './backup-verdict';

const HOUR_MS = 60 * 60_000;
const now = new Date('2026-11-23T12:00:00.000Z');
const hoursAgo = (hours: number): string => new Date(now.getTime() - hours * HOUR_MS).toISOString();

const archive = (id: string, base: string | null, takenAt: string): ArchiveView => ({
  id,
  base,
  takenAt,
  place: '/mnt/backups',
  name: `${id}.backup`,
  bytes: 1,
  after: '0',
  end: '9',
  events: 9,
  masterKey: '0123456789abcdef',
  durationMs: 100,
  missing: false,
});
const full = archive('full', null, hoursAgo(30));
const increment = archive('increment', 'full', hoursAgo(6));
const view = {
  archives: [increment, full],
  plan: { schedule: { at: '02:30' } } as BackupsView['plan'],
  target: { name: '/mnt/backups', besideConsole: false },
};

test('backups are overdue after 26 hours, unless they are taken only on demand', () => {
  const is = (more: Partial<BackupsView>) => backupVerdict({ ...view, ...more }, now).is;
  expect(is({})).toBe('good');
  expect(is({ archives: [full] })).toBe('overdue');
  expect(is({ archives: [full], plan: { ...view.plan, schedule: null } })).toBe('good');
  expect(is({ archives: [] })).toBe('none');
  expect(is({ failed: { at: hoursAgo(1), reason: 'no room' } })).toBe('failed');
  // A missing archive does not count as a backup.
  expect(is({ archives: [{ ...full, missing: true }] })).toBe('none');
});

test('the newest archive is found in either order', () => {
  expect(newestInPlace([full, increment])).toBe(increment);
  expect(newestInPlace([{ ...increment, missing: true }, full])).toBe(full);
  expect(newestInPlace([])).toBeUndefined();
});

test('a restore reads all archives back to the full one', () => {
  expect(chainTo(increment, view.archives)).toEqual([full, increment]);
  expect(chainTo(full, view.archives)).toEqual([full]);
  expect(chainTo(increment, [increment, { ...full, missing: true }])).toBeUndefined();
  expect(chainTo(increment, [increment])).toBeUndefined();
});

describe('backups are restorable', () => {
  const proven: BackupsView['proven'] = {
    at: hoursAgo(5),
    archives: 2,
    takenAt: increment.takenAt,
    end: '9',
    events: 9,
    rows: 1,
    viewRows: 1,
    durationMs: 1,
  };
  const shown = [
    { ...increment, provenAt: proven.at },
    { ...full, provenAt: proven.at },
  ];
  const is = (more: Partial<BackupsView>) =>
    restoreVerdict({ ...view, archives: shown, proven, ...more }, now).is;

  test('only after a drill that passed, for 8 days, also without a schedule', () => {
    expect(is({})).toBe('restorable');
    expect(restoreVerdict(view, now).is).toBe('unproven');
    const old = { ...proven, at: hoursAgo(8 * 24 + 1) };
    expect(is({ proven: old })).toBe('old');
    expect(is({ proven: old, plan: { ...view.plan, schedule: null } })).toBe('old');
  });

  test('not once a later drill has failed', () => {
    expect(is({ drillFailed: { at: hoursAgo(1), reason: 'an archive is altered' } })).toBe('failed');
  });

  test('not from a target that no drill has restored from', () => {
    const target = { name: '/mnt/other', besideConsole: false };
    expect(is({ target })).toBe('unproven');
    const later = { ...archive('later', null, hoursAgo(1)), place: target.name };
    expect(is({ target, archives: [later, ...shown] })).toBe('unproven');
  });

  test('not when what was restored is gone, or what the newest needs', () => {
    const later = archive('later', null, hoursAgo(1));
    const [last, first] = shown as [ArchiveView, ArchiveView];
    expect(is({ archives: [later, { ...last, missing: true }, first] })).toBe('unproven');
    expect(is({ archives: [later, last, { ...first, missing: true }] })).toBe('unproven');
    expect(is({ archives: [last, { ...first, missing: true }] })).toBe('broken');
    // Retention has deleted the restored archive.
    expect(is({ archives: [later] })).toBe('restorable');
  });
});

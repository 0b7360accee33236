import { isStanding, severityOf } from './alert-severity';
import { urgencyOf, type AlertView } from './alerts';

test('a certificate is a warning until the day on which it expires', () => {
  const about = 'certificateExpiry';
  expect([21, 1, 0].map((threshold) => severityOf({ about, threshold }))).toEqual([
    'warning',
    'warning',
    'critical',
  ]);
});

test('what is lost or down is critical, what waits for an answer is a notice', () => {
  const abouts = ['siteDown', 'backupFailed', 'machineMoved', 'workflowAsks'] as const;
  expect(abouts.map((about) => severityOf({ about }))).toEqual(['critical', 'critical', 'warning', 'notice']);
});

test('a test needs nobody', () => {
  expect(isStanding({ about: 'test', state: 'open' })).toBe(false);
  expect(isStanding({ about: 'siteDown', state: 'open' })).toBe(true);
  expect(isStanding({ about: 'siteDown', state: 'dismissed' })).toBe(false);
  const acknowledged = { at: '2026-11-30T10:00:00.000Z', by: 'ada', note: '' };
  expect(isStanding({ about: 'siteDown', state: 'open', acknowledged })).toBe(false);
});

test('what needs somebody stands first, the gravest of it, and the newest', () => {
  const alert = (id: string, more: Partial<AlertView>): AlertView =>
    ({ id, state: 'open', about: 'diskFull', raisedAt: '2026-11-20T12:00:00.000Z', ...more }) as AlertView;
  const all = [
    alert('ended', { state: 'resolved', about: 'siteDown', raisedAt: '2026-11-22T12:00:00.000Z' }),
    alert('taken', { about: 'siteDown', acknowledged: { at: '', by: '', note: '' } }),
    alert('warning', {}),
    alert('newer warning', { raisedAt: '2026-11-21T12:00:00.000Z' }),
    alert('critical', { about: 'siteDown' }),
  ];
  const sorted = all.toSorted((a, b) => urgencyOf(b).localeCompare(urgencyOf(a)));
  expect(sorted.map(({ id }) => id)).toEqual(['critical', 'newer warning', 'warning', 'taken', 'ended']);
});

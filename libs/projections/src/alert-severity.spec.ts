import { isStanding, severityOf } from './alert-severity';

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

// covers: DOM-13, SHELL-06
import { bannerWords, thresholdsInWords, toldWords } from './alert-words';

const now = Date.parse('2026-11-22T12:00:00.000Z');
const ending = (days: number, more: object = {}) => ({
  about: 'certificateExpiry' as const,
  state: 'open' as const,
  says: 'The certificate ends.',
  subject: { kind: 'domain', id: 'd', name: 'shop.example.org' },
  notAfter: new Date(now + days * 86_400_000).toISOString(),
  ...more,
});

const asking = (workflow: string) => ({
  about: 'workflowAsks' as const,
  state: 'open' as const,
  says: `An instance of ${workflow} waits for an admin`,
  subject: { kind: 'workflowInstance', id: workflow, name: workflow },
});

const about = (what: 'serverOverloaded' | 'serverUnreachable', says: string) => (server: string) => ({
  about: what,
  state: 'open' as const,
  says: `${server} is ${says}`,
  subject: { kind: 'server', id: server, name: server },
});
const busy = about('serverOverloaded', 'overloaded');
const gone = about('serverUnreachable', 'unreachable');

test.each([
  [[], ''],
  [[ending(6.2)], 'The certificate of shop.example.org expires within 7 days.'],
  [[ending(0.2)], 'The certificate of shop.example.org expires within a day.'],
  [[ending(-0.2)], 'The certificate of shop.example.org has expired.'],
  [[ending(6.2), ending(3), ending(1)], '3 certificates expire within 7 days.'],
  [[ending(-1), ending(-2)], '2 certificates have expired.'],
  [[ending(-1), ending(13.5)], '1 certificate has expired, and 1 expires within 14 days.'],
  [[ending(-1), ending(13.5), ending(2)], '1 certificate has expired, and 2 expire within 14 days.'],
  [[ending(3, { about: 'test' }), ending(3, { state: 'dismissed' })], ''],
  [[ending(3, { about: 'foreignEvents', says: 'Not written by us.' })], 'Not written by us.'],
  [
    [ending(3, { about: 'backupFailed', says: 'The last backup failed: no room' })],
    'The last backup failed: no room.',
  ],
  [
    [ending(-0.2), ending(3, { about: 'foreignEvents', says: 'Not written by us.' })],
    'Not written by us. The certificate of shop.example.org has expired.',
  ],
  [[asking('Order')], 'An instance of Order waits for an admin.'],
  [
    [asking('Order'), ending(-0.2), asking('Refund'), ending(3, { about: 'foreignEvents', says: 'Odd.' })],
    'Odd. 2 workflow instances wait for an answer. The certificate of shop.example.org has expired.',
  ],
  [
    [busy('web-1'), busy('web-2'), ending(-0.2), gone('build'), busy('web-3')],
    'build is unreachable. There are 3 more alerts. The certificate of shop.example.org has expired.',
  ],
])('the banner summarizes all open alerts in one sentence (%#)', (alerts, words) => {
  expect(bannerWords(alerts, now)).toBe(words);
});

const failed = (attempt: number) => ({ at: '', attempt, durationMs: 1, reason: 'status 500' });

test('summarizes the deliveries to the webhook', () => {
  const nextAttemptAt = '2026-11-22T13:00:00.000Z';
  expect(toldWords({ deliveries: [] })).toMatchObject({ label: 'not sent', tone: 'quiet' });
  expect(toldWords({ deliveries: [failed(1)], nextAttemptAt }).label).toBe('failed, retrying');
  expect(toldWords({ deliveries: [failed(1), failed(2)] })).toMatchObject({
    label: 'failed 2 times',
    tone: 'bad',
  });
  expect(
    toldWords({ deliveries: [failed(1), { at: '', attempt: 2, status: 200, durationMs: 1 }] }).label,
  ).toBe('delivered');
});

test('describes thresholds', () => {
  expect(thresholdsInWords([])).toBe('never');
  expect(thresholdsInWords([1])).toBe('1 day before expiry, and on expiry');
  expect(thresholdsInWords([21, 14, 7])).toBe('21, 14, and 7 days before expiry, and on expiry');
});

// covers: VAL-01, DOM-13, SRV-08
import {
  alertSettings,
  packagePullForm,
  domainAlerts,
  fieldMessages,
  shownAddress,
  workspaceAlerts,
} from './inputs';
import type { z } from 'zod';

const problems = (schema: z.ZodType, value: unknown) => {
  const { error } = schema.safeParse(value);
  return error ? fieldMessages(error) : {};
};
const settings = (url: string, secret?: string) => ({
  thresholds: [7],
  webhook: { url, ...(secret === undefined ? {} : { secret }) },
});

test('sorts thresholds in descending order and drops duplicates', () => {
  expect(workspaceAlerts.parse({ thresholds: [7, 30, 7, 14] })).toEqual({ thresholds: [30, 14, 7] });
  const id = '0193f0a0-0000-7000-8000-000000000001';
  expect(domainAlerts.parse({ id, thresholds: [1, 2] }).thresholds).toEqual([2, 1]);
  expect(domainAlerts.parse({ id, thresholds: null }).thresholds).toBeNull();
});

test.each([
  [[0], 'thresholds.0', 'numbers below 1 are not accepted'],
  [[366], 'thresholds.0', 'numbers above 365 are not accepted'],
  [[1.5], 'thresholds.0', 'expected type integer'],
  ['7', 'thresholds', 'array expected'],
])('thresholds of %j are refused', (thresholds, field, message) => {
  expect(problems(workspaceAlerts, { thresholds })).toEqual({ [field]: message });
});

test.each(['https://hooks.example.org/console', 'http://10.0.0.1:8080/x?y=z', 'HTTPS://EXAMPLE.ORG'])(
  '%s is a web address',
  (url) => {
    expect(problems(workspaceAlerts, settings(url))).toEqual({});
    expect(problems(packagePullForm, { cdUrl: url })).toEqual({});
  },
);

const example = 'a web address is expected, such as';
test.each([
  ['', 'This field is required'],
  ['hooks.example.org', example],
  ['ftp://example.org', example],
  ['https://', example],
  ['javascript:alert(1)', example],
])('%s is not a webhook address', (url, message) => {
  expect(problems(workspaceAlerts, settings(url))['webhook.url']).toMatch(message);
  expect(problems(packagePullForm, { cdUrl: url }).cdUrl).toMatch(message);
});

test.each(['https://me:secret@example.org/', 'https://me@example.org/'])(
  '%s is refused for a webhook and accepted for a package',
  (url) => {
    expect(problems(workspaceAlerts, settings(url))).toEqual({
      'webhook.url': 'a web address without a name and a password is expected',
    });
    expect(problems(packagePullForm, { cdUrl: url })).toEqual({});
  },
);

test('accepts a shortened address for a webhook and refuses it for a package', () => {
  const shown = shownAddress('https://example.org/deploy/shop');
  expect(problems(workspaceAlerts, settings(shown))).toEqual({});
  expect(problems(packagePullForm, { cdUrl: shown }).cdUrl).toMatch('enter the whole address');
});

test('refuses a secret that is short enough to guess', () => {
  expect(problems(workspaceAlerts, settings('https://x.example.org', 'fifteen letters'))).toEqual({
    'webhook.secret': 'a secret of at least 16 characters is expected',
  });
  expect(problems(workspaceAlerts, settings('https://x.example.org', 'sixteen letters!'))).toEqual({});
});

test('reads a comma-separated list of days in the form', () => {
  const read = (thresholds: string) => alertSettings.parse({ thresholds }).thresholds;
  expect([read('7, 21,14'), read('3 1'), read(' 30 ')]).toEqual([[21, 14, 7], [3, 1], [30]]);
  expect(alertSettings.parse({})).toEqual({});
  expect(problems(alertSettings, { thresholds: 'weekly' })).toEqual({
    thresholds: 'days are expected, such as 21, 14, 7',
  });
  const wrong = { thresholds: 'at most ten days between 1 and 365 are expected' };
  expect(problems(alertSettings, { thresholds: '7, 400' })).toEqual(wrong);
  expect(problems(alertSettings, { thresholds: '1 2 3 4 5 6 7 8 9 10 11' })).toEqual(wrong);
});

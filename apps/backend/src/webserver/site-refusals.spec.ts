import { applyExit } from './apply-scripts/apply-exit';
import { siteText } from './site-config';
import { earlierText, newText } from './site-input';
import type { Site } from './site-model';
import { explainMissing, explainRefusal, NOT_THERE } from './site-refusals';

const first = '0190a000-0000-7000-8000-000000000001';
const second = '0190a000-0000-7000-8000-000000000002';
const site: Site = {
  serverName: 'app.test',
  options: { docker: false, ssl: false, gzip: false },
  // nginx writes them in another order than the operator.
  locations: [
    { id: first, location: '/a', url: 'http://one.invalid:8080' },
    { id: second, location: '/a/long/path', url: 'http://two.invalid:8080' },
  ],
  folders: { path: '/srv/static', root: '/root', nginxPath: '/srv/nginx' },
  ipv6: false,
};
const input = newText(site, '-');
const lineOf = (words: string): string => {
  const line = siteText(site)
    .text.split('\n')
    .findIndex((one) => one.includes(words));
  expect(line).not.toBe(-1);
  return String(line + 1);
};
const LIVE = '/srv/nginx/app.test.conf';
const refused = (report: Record<string, string>, given = input) =>
  explainRefusal(given, { exitCode: applyExit.refused, report });

it.each([
  [first, 'one.invalid'],
  [second, 'two.invalid'],
])('a line of the text points to the field of the location %s', (id, host) => {
  const error = `host not found in upstream "${host}"`;
  expect(refused({ error, errorFile: LIVE, errorLine: lineOf(`//${host}`) })).toEqual({
    code: 'refused',
    reason: `nginx refuses it: ${error}. The live configuration is unchanged.`,
    report: { field: `locations.${id}.url` },
  });
});

it("is mapped by the line in the message, even with nginx's prefix", () => {
  const error = `nginx: [emerg] 12#12: host not found in upstream "two.invalid" in ${LIVE}:${lineOf('//two.invalid')}`;
  expect(refused({ error })).toMatchObject({
    reason: expect.stringMatching(/^nginx refuses it: host not found/),
    report: { field: `locations.${second}.url` },
  });
});

it('is not mapped to a field if another file or an earlier text is wrong', () => {
  const error = 'unknown directive "nonsense"';
  const theirs = refused({ error, errorFile: '/srv/nginx/theirs.conf', errorLine: lineOf('//one.invalid') });
  expect(theirs).toEqual({ code: 'refused', reason: expect.stringContaining(error) });
  const earlier = earlierText({ ...input, text: 'nonsense;' }, '-');
  expect(refused({ error, errorFile: LIVE, errorLine: '1' }, earlier)?.report).toBeUndefined();
});

it('names the file of the server that was not valid before, and what is wrong with it', () => {
  const error = 'host not found in upstream "backend.internal"';
  const report = { error, errorFile: '/srv/nginx/shop.test.conf', errorLine: '12' };
  expect(explainRefusal(input, { exitCode: applyExit.brokenBefore, report })).toEqual({
    code: 'brokenBefore',
    reason: expect.stringContaining(
      `nginx cannot read shop.test (/srv/nginx/shop.test.conf, line 12): ${error}.`,
    ),
  });
});

it('is reported with the field if another site already serves the name', () => {
  const end = { exitCode: applyExit.conflict, report: { conflict: 'app.test' } };
  expect(explainRefusal(input, end)).toEqual({
    code: 'nameTaken',
    reason: 'Another site on this server already answers for app.test. The live configuration is unchanged.',
    report: { field: 'serverName' },
  });
});

it('suggests what helps if nginx may not open that many logs', () => {
  const error = 'open() "/root/.quarterdeck/logs/app.test/site.access.log" failed (24: Too many open files)';
  expect(explainRefusal(input, { exitCode: applyExit.notRunning, report: { error } })).toEqual({
    code: 'tooManyFiles',
    reason: expect.stringContaining("'Initialize Server' to raise its limit"),
  });
});

it('is reported with the field if a folder named by the operator is missing', () => {
  const media = { id: second, location: '/media', volumes: '/mnt/media' };
  const served = newText({ ...site, locations: [{ id: first, location: '/' }, media] }, '-');
  expect(explainMissing(served, { exitCode: NOT_THERE, report: { missing: '/mnt/media' } })).toEqual({
    code: 'noFolder',
    reason: expect.stringContaining('/mnt/media'),
    report: { field: `locations.${second}.volumes` },
  });
  expect(explainMissing(served, { exitCode: 73, report: {} })).toBeUndefined();
});

it('every refusal of the script has a code and a sentence, and other exit codes have none', () => {
  for (const [name, exitCode] of Object.entries(applyExit)) {
    const told = explainRefusal(input, { exitCode, report: {} });
    expect([name, told?.code, told?.reason]).toEqual([
      name,
      expect.stringMatching(/^[a-zA-Z]+$/),
      expect.stringMatching(/^\S+ .+ .+\.$/),
    ]);
  }
  expect(explainRefusal(input, { exitCode: 75, report: {} })).toBeUndefined();
});

it.each([
  [
    { error: 'bind() to 0.0.0.0:80 failed (98: Address already in use)', holder: 'apache2', stopped: 'yes' },
    'nginx was not running and could not be started: port 80 is used by the program apache2. Its file is as it was before.',
  ],
  [
    { error: 'bind() to [::]:443 failed (98: Address already in use)', holder: '' },
    'nginx could not run it: port 443 is used by another program. The previous configuration is live again.',
  ],
  [
    { error: 'open() "/run/nginx.pid" failed (13: Permission denied)', stopped: 'yes' },
    'nginx was not running and could not be started: open() "/run/nginx.pid" failed (13: Permission denied). Its file is as it was before.',
  ],
  [{}, 'nginx could not run it. The previous configuration is live again.'],
])('says of %j why nginx does not run it', (report, reason) => {
  expect(explainRefusal(input, { exitCode: applyExit.notRunning, report })).toEqual({
    code: 'notRunning',
    reason,
  });
});

it('says of a file that somebody removed that it is gone', () => {
  const report = { file: LIVE, found: '-' };
  expect(explainRefusal(input, { exitCode: applyExit.drift, report })?.reason).toMatch(
    /is gone from the server/,
  );
});

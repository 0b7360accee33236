import { RecordAppliedConfig, RecordConfigRemoval, RecordFoundConfig } from '../domains';
import { meta } from '../platform/decisions/decider-testing';
import { Outbound } from '../platform/outbound/outbound';
import { putBackScript, removeScript, sha256OfText } from './apply-scripts/apply';
import { answerOf, applySite, isWorse, keptText } from './site.kinds';

const context = (before: Record<string, string> | undefined, probe: Record<string, string>) => ({
  run: 'a',
  request: { kind: 'applySite', subject: { kind: 'domain', id: 'a', name: 'app.test' }, input: {} },
  reports: { ...(before && { before }), probe },
  attempts: [],
});
const [answers, silent, notAsked] = ['answers', 'silent', 'notAsked'];

test.each([
  ['it answered, and does not', true, { http: answers }, { http: silent }],
  ['it was silent before', false, { http: silent }, { http: silent }],
  ['it answers', false, { http: silent }, { http: answers }],
  ['nobody may ask', false, { http: notAsked }, { http: notAsked }],
  ['it may not be asked any more', false, { http: answers }, { http: notAsked }],
  ['nothing is known of before', false, undefined, { http: silent }],
  ['TLS has gone', true, { http: answers, tls: answers }, { http: answers, tls: silent }],
  [
    'TLS is new and does not answer, where HTTP does',
    true,
    { http: answers },
    { http: answers, tls: silent },
  ],
  [
    'all of the server is out of reach, as before',
    false,
    { http: silent, tls: silent },
    { http: silent, tls: silent },
  ],
  ['TLS was turned off', false, { http: answers, tls: answers }, { http: answers }],
] as const)('%s: restored %s', (_words, worse, before, probe) => {
  expect(isWorse(context(before, probe))).toBe(worse);
});

test.each([
  ['ours on both sides', 'answers', 'answers', 'ours'],
  ['a foreign listen takes an address of the server', 'another', 'answers', 'another'],
  ['nginx is stopped', 'nginxStopped', 'silent', 'stopped'],
  ['only the server may be asked', 'answers', undefined, 'ours'],
  ['a firewall is in between', 'silent', 'silent', 'ours'],
  ['nobody could ask', undefined, undefined, 'notAsked'],
  ['the app behind it is dead', '502', '502', 'ours'],
] as const)('%s: %s', (_words, is, seen, proof) => {
  const by = { proof, taken: '192.0.2.7, port 80 (/etc/nginx/conf.d/panel.conf)' };
  const found = answerOf(seen && { is: seen, says: '' }, by);
  expect([found?.is, found?.says.includes('panel.conf') ?? false]).toEqual([is, is === 'another']);
});

test('names the file that takes the address by which visitors come', () => {
  const takenInside = '127.0.0.1, port 80 (/etc/nginx/conf.d/hand.conf)';
  expect(answerOf({ is: 'another', says: 'x' }, { proof: 'ours', takenInside })?.says).toContain('hand.conf');
  expect(answerOf({ is: 'answers', says: 'x' }, { proof: 'ours', takenInside })?.is).toBe('answers');
});

test('keeps only text that can be restored byte for byte', () => {
  const kept = (text: string): string => keptText(text, sha256OfText(text));
  expect(kept('server {}\n')).toBe('server {}\n');
  expect(kept('')).toBe('');
  expect(kept('a\0b')).toBe('');
  expect(kept('x'.repeat(256 * 1024 + 1))).toBe('');
  expect(kept('é'.repeat(128 * 1024 + 1))).toBe('');
  // Decoding has changed the text, so it differs from the file.
  expect(keptText('\ufffd', sha256OfText('something else'))).toBe('');
});

describe('restores the earlier configuration, and records it', () => {
  const earlier = { text: 'server {}\n', options: { docker: false, ssl: true, gzip: false } };
  const folders = { root: '/root', path: '/srv/static', nginxPath: '/srv/nginx' };
  const server = { id: 's', alias: 'web', host: '192.0.2.7', port: 22, username: 'root', ...folders };
  const sha256 = sha256OfText(earlier.text);
  const kind = applySite({
    outbound: new Outbound(),
    hostOf: async () => server.host,
    earlier: async (_domain, asked) => (asked === sha256 ? earlier : undefined),
    answered: async () => undefined,
    read: async () => ({ bytes: 0, text: '', nginxRuns: true }),
  });
  const putBack = async (expected: string) => {
    const request = {
      ...context(undefined, {}).request,
      input: { serverName: 'app.test', text: 'new', sha256: 'new', expected },
    };
    const given = { ...context(undefined, {}), request, server };
    const step = Array.isArray(kind.steps) ? kind.steps.find(({ name }) => name === 'putBack') : undefined;
    if (step?.on !== 'server' || typeof step.script !== 'function') throw new Error('no such step');
    return {
      script: await step.script(given, meta),
      told: await step.onSuccess?.(given, {}, meta),
    };
  };
  const place = { nginxPath: '/srv/nginx', root: '/root', file: 'app.test.conf', expected: 'new' };

  test('an applied configuration, from its text', async () => {
    expect(await putBack(sha256)).toEqual({
      script: putBackScript(place, sha256, earlier.text),
      told: new RecordAppliedConfig('a', { ...earlier, sha256, file: place.file, restored: sha256 }, meta),
    });
  });

  test('a foreign file, never with another text', async () => {
    expect(await putBack('theirs')).toEqual({
      script: putBackScript(place, 'theirs'),
      told: new RecordFoundConfig('a', { found: { sha256: 'theirs', text: '' } }, meta),
    });
  });

  test('no file, if there was none', async () => {
    const { script, told } = await putBack('-');
    expect([script, told]).toEqual([
      removeScript(place),
      new RecordConfigRemoval('a', { file: place.file }, meta),
    ]);
  });
});

import { sha256OfText } from './apply-scripts/apply';
import { isWorse, keptText } from './site.kinds';

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
] as const)('%s: put back %s', (_words, worse, before, probe) => {
  expect(isWorse(context(before, probe))).toBe(worse);
});

test('only what can be put back to the byte is kept', () => {
  const kept = (text: string): string => keptText(text, sha256OfText(text));
  expect(kept('server {}\n')).toBe('server {}\n');
  expect(kept('')).toBe('');
  expect(kept('a\0b')).toBe('');
  expect(kept('x'.repeat(256 * 1024 + 1))).toBe('');
  // What it was read as is not what lies there.
  expect(keptText('\ufffd', sha256OfText('something else'))).toBe('');
});

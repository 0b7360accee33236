import type { RunView } from '@quarterdeck/projections';
import { nextStepOf, remedyOf } from './next-step';

type EndedRun = Parameters<typeof nextStepOf>[0];

const failed = (code: string, more: Partial<EndedRun> = {}): EndedRun => ({
  id: 'r',
  kind: 'command',
  code,
  serverId: 's',
  steps: [],
  subject: { kind: 'server', id: 's', name: 'web-1' },
  ...more,
});
const site: Partial<EndedRun> = { kind: 'applySite', subject: { kind: 'domain', id: 'd', name: 'app.test' } };
const database: Partial<EndedRun> = {
  kind: 'createDatabase',
  serverId: '',
  subject: { kind: 'database', id: 'b', name: 'shop' },
};
const deploy: Partial<EndedRun> = {
  kind: 'deployService',
  subject: { kind: 'service', id: 'v', name: 'Orders' },
  steps: [{ step: 'pull', attempt: 1, exitCode: 30 }] as RunView['steps'],
};
const ranThere = { steps: [{ step: 'apply', attempt: 1, exitCode: 11 }] as RunView['steps'] };

test.each<[string, EndedRun, string, string | undefined]>([
  ['an sshd that is not there', failed('refused'), 'its address is correct', 'Edit the address'],
  ['the same below a domain', failed('refused', site), 'its address is correct', 'Edit the address'],
  ['a name that is unknown', failed('unknownHost'), 'its address is correct', 'Edit the address'],
  ['a network that is away', failed('unreachable'), 'its address is correct', 'Edit the address'],
  ['something else that listens', failed('notSsh'), 'its address is correct', 'Edit the address'],
  [
    'a refusal of nginx',
    failed('refused', { ...site, ...ranThere }),
    'Fix the cause on the server',
    undefined,
  ],
  ['a refusal of a database', failed('refused', database), 'Fix the cause in the database', undefined],
  ['another host key', failed('hostKeyChanged'), 'Compare the two host keys', 'Compare the two host keys'],
  ['a key that is refused', failed('authentication'), 'Replace the private key', 'Replace the private key'],
  [
    'a password that a database refuses',
    failed('authentication', database),
    'Fix the cause in the database',
    undefined,
  ],
  ['a changed file', failed('drifted', site), 'Choose which configuration', 'Compare with server'],
  ['a registry that wants a login', failed('noLogin', deploy), 'Store a login', 'Container registries'],
  ['a registry that refuses the login', failed('login', deploy), 'Store a login', 'Container registries'],
  ['a registry that is away', failed('registry', deploy), 'when the registry answers', undefined],
  ['an image that is not there', failed('noImage', deploy), 'when the image is published', undefined],
  ['a step that took too long', failed('timeout'), 'took so long', undefined],
  ['what no code says', failed(''), 'Fix the cause on the server', undefined],
  ['many servers', failed('', { kind: 'fleet' }), 'Compare the servers that failed', 'Servers of this run'],
])('%s', (_what, run, words, label) => {
  const step = nextStepOf(run);
  expect(step.words).toContain(words);
  expect(step.link?.label).toBe(label);
});

test('links a connection failure to the page that fixes it, and to none if only waiting helps', () => {
  const codes = ['hostKeyChanged', 'passphraseWrong', 'refused', 'frozen', undefined];
  expect(codes.map((code) => remedyOf(code, 's')?.link.to)).toEqual([
    '/app/server/s/detail',
    '/app/server/s/detail?mode=key',
    '/app/server/s/detail?mode=edit',
    undefined,
    undefined,
  ]);
});

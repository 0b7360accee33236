import { attentionOf, type Judged } from './attention';

const at = '2026-11-22T12:00:00.000Z';
const now = Date.parse(at);
const inDays = (days: number): string => new Date(now + days * 86_400_000).toISOString();

const nothing: Judged = { servers: [], domains: [], runs: [], alerts: [], now };

const server = (alias: string, more: object = {}) => ({
  id: alias,
  alias,
  health: { state: 'reachable', since: at } as const,
  ...more,
});
const domain = (serverName: string, more: object = {}) => ({
  id: serverName,
  serverName,
  dns: { outcome: 'found', pointsHere: true } as never,
  config: { options: { docker: false, ssl: true, gzip: false } } as never,
  served: { valid: true, served: { notAfter: inDays(80), names: [serverName] } } as never,
  answer: { is: 'answers' } as never,
  ...more,
});
const run = (id: string, state: string, more: object = {}) =>
  ({
    id,
    state,
    kind: 'command',
    label: 'Docker images',
    steps: [],
    requestedAt: at,
    endedAt: at,
    subject: { kind: 'server', id: 'web-1', name: 'web-1' },
    ...more,
  }) as never;
const alert = (id: string, subjectId: string, more: object = {}) =>
  ({
    id,
    subjectId,
    state: 'open',
    about: 'certificateExpiry',
    says: `${id} ends`,
    raisedAt: at,
    subject: { kind: 'domain', id: subjectId, name: subjectId },
    ...more,
  }) as never;

const wordsOf = (judged: Partial<Judged>): string[] =>
  attentionOf({ ...nothing, ...judged }).map(({ name, label, part }) => `${name}: ${label} (${part})`);

test('what is well is not listed', () => {
  expect(
    wordsOf({ servers: [server('web-1')], domains: [domain('shop.test')], runs: [run('r', 'succeeded')] }),
  ).toEqual([]);
});

test('each thing is listed once with all that is wrong with it, the worst things first', () => {
  const away = { health: { state: 'unreachable', since: at } };
  const full = { newest: { ok: true, load1: 9, cores: 2 } };
  const wrong = { dns: { outcome: 'found', pointsHere: false } as never, pending: 3 };
  expect(
    wordsOf({
      servers: [server('web-1', full), server('web-2', away)],
      domains: [domain('blog.test', { pending: 1 }), domain('shop.test', wrong)],
      runs: [run('r', 'interrupted'), run('s', 'failed', { kind: 'fleet' })],
    }),
  ).toEqual([
    'web-2: unreachable (reach)',
    'shop.test: DNS wrong, changes not applied: 3 lines (dns)',
    'Docker images on web-1: failed (run)',
    'web-1: overloaded (load)',
    'blog.test: changes not applied: 1 line (config)',
    'Docker images on web-1: interrupted (run)',
  ]);
  expect(attentionOf({ ...nothing, servers: [server('web-2', away)] })[0]).toMatchObject({ since: at });
  expect(attentionOf({ ...nothing, runs: [run('s', 'failed', { kind: 'fleet' })] })[0]).toMatchObject({
    kind: 'fleet',
    at,
  });
});

test('runs of one name that ended for the same reason are one item, the newest of them', () => {
  const later = '2026-11-22T13:00:00.000Z';
  const items = attentionOf({
    ...nothing,
    runs: [
      run('r', 'failed', { reason: 'No space' }),
      run('s', 'failed', { reason: 'No space', endedAt: later }),
      run('t', 'failed', { reason: 'No space' }),
      run('u', 'failed', { reason: 'Not found' }),
      run('v', 'failed', { reason: 'Full', times: 4 }),
      run('w', 'failed', {
        kind: 'fleet',
        steps: [{ report: { servers: 5, succeeded: 3 } }] as never,
        times: 2,
      }),
    ],
  });
  expect(items.map(({ id, at: when, label }) => [id, when, label])).toEqual([
    ['s', later, 'failed 3 times: No space'],
    ['u', at, 'failed: Not found'],
    ['v', at, 'failed 4 times: Full'],
    ['w', at, '3 of 5 succeeded, attempt 2'],
  ]);
});

test('the same failure on several servers is one item, the newest of them', () => {
  const later = '2026-11-22T13:00:00.000Z';
  const on = (id: string, more: object = {}) =>
    run(id, 'failed', {
      reason: 'No space',
      serverId: id,
      subject: { kind: 'server', id, name: id },
      ...more,
    });
  const items = attentionOf({
    ...nothing,
    runs: [on('a'), on('b', { endedAt: later }), on('c', { reason: 'Not found' }), on('d', { times: 2 })],
  });
  expect(items.map(({ id, name, label }) => [id, name, label])).toEqual([
    ['b', 'Docker images on 2 servers', 'failed: No space'],
    ['c', 'Docker images on c', 'failed: Not found'],
    ['d', 'Docker images on d', 'failed 2 times: No space'],
  ]);
});

test('a failed run says why', () => {
  const reason = 'No space left on device';
  expect(wordsOf({ runs: [run('r', 'failed', { reason }), run('s', 'interrupted', { reason })] })).toEqual([
    'Docker images on web-1: failed: No space left on device (run)',
    'Docker images on web-1: interrupted (run)',
  ]);
});

test('what a server takes along is counted on its line and not listed again', () => {
  const away = { health: { state: 'unreachable', since: at } };
  const silent = {
    serverId: 'web-2',
    config: { options: { docker: false, ssl: true, gzip: false } } as never,
    served: { valid: false } as never,
    answer: { is: 'silent' } as never,
  };
  const wrong = { ...silent, dns: { outcome: 'found', pointsHere: false } as never };
  const items = attentionOf({
    ...nothing,
    servers: [server('web-2', away), server('web-3', away)],
    domains: [domain('shop.test', silent), domain('blog.test', silent), domain('news.test', wrong)],
    runs: [
      run('r', 'failed', { serverId: 'web-2', code: 'refused' }),
      run('s', 'failed', { serverId: 'web-2', code: 'exit' }),
    ],
  });
  expect(items.map(({ name, affects }) => [name, affects])).toEqual([
    ['web-2', { domains: 2, runs: 1 }],
    ['web-3', undefined],
    ['news.test', undefined],
    ['Docker images on web-1', undefined],
  ]);
});

test('a cancelled run needs nothing', () => {
  expect(wordsOf({ runs: [run('r', 'cancelled')] })).toEqual([]);
});

test('an open alert is listed unless its domain is, and no test', () => {
  const expired = {
    served: { valid: true, served: { notAfter: inDays(-1), names: ['shop.test'] } } as never,
  };
  expect(
    wordsOf({
      domains: [domain('shop.test', expired), domain('blog.test')],
      alerts: [
        alert('one', 'shop.test'),
        alert('two', 'blog.test'),
        alert('three', 'blog.test', { about: 'test' }),
        alert('four', 'blog.test', { state: 'dismissed' }),
      ],
    }),
  ).toEqual(['shop.test: certificate expired (certificate)', 'blog.test: two ends (alert)']);
});

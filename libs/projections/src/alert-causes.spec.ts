// covers: OPS-01
import type { AppEvent } from '@quarterdeck/events';
import { crossingsIn, foundBy, illsOfDomain, illsOfServer, Measured } from './alert-causes';
import { domains } from './domains';
import type { HealthSample } from './health';
import { servers } from './servers';
import { logOf } from './testing/log';

const ID = '0193f0a0-0000-7000-8000-0000000000a1';
const GB = 1024 ** 3;
const at = (minute: number): string => new Date(Date.UTC(2026, 10, 20, 10, minute)).toISOString();
const sample = (minute: number, more: Partial<HealthSample> = {}): HealthSample => ({
  server: ID,
  at: at(minute),
  ok: true,
  tookMs: 5,
  load1: 0.5,
  cores: 4,
  memoryTotal: 8 * GB,
  memoryAvailable: 4 * GB,
  diskTotal: 100 * GB,
  diskUsed: 50 * GB,
  diskAvailable: 50 * GB,
  nginx: 'running',
  docker: 'absent',
  ...more,
});
const measured = (...samples: HealthSample[]) => {
  const all = new Measured();
  for (const one of samples) all.take(one, 'web-1');
  return all;
};

describe('figures of a server', () => {
  test.each([
    ['serverOverloaded', { load1: 9.5 }, 'web-1 is overloaded: its load is 9.5 on 4 cores.'],
    ['memoryFull', { memoryAvailable: GB / 4 }, 'The memory of web-1 is almost full: 97 percent are in use.'],
    [
      'diskFull',
      { diskUsed: 93 * GB, diskAvailable: 7 * GB },
      'The disk of web-1 is almost full: 93 percent are in use.',
    ],
    ['nginxStopped', { nginx: 'stopped' }, 'nginx on web-1 has stopped.'],
    ['dockerStopped', { docker: 'silent' }, 'Docker on web-1 has stopped or does not answer.'],
  ] as const)('%s is found by the limit that the list of servers uses', (about, figures, says) => {
    expect(foundBy(sample(0), 'web-1')[about]).toBe(false);
    expect(foundBy(sample(0, figures), 'web-1')[about]).toBe(says);
  });

  test('a probe that failed, or lacks a figure, says nothing about it', () => {
    expect(foundBy(sample(0, { ok: false, load1: 99 }), 'web-1')).toEqual({});
    const { load1: _, ...without } = sample(0);
    expect(foundBy(without, 'web-1')).not.toHaveProperty('serverOverloaded');
  });

  const full = { diskUsed: 95 * GB, diskAvailable: 5 * GB };
  const says = 'The disk of web-1 is almost full: 95 percent are in use.';

  test('two probes in a row cross, and two good ones end it: once, with the times of the second', () => {
    const { crossings } = measured(
      sample(0),
      sample(1, full),
      sample(2),
      sample(3, full),
      sample(4, full),
      sample(5, full),
      sample(6),
      sample(7, full),
      sample(8),
      sample(9),
      sample(10, full),
      sample(11, full),
    );
    expect(crossings).toEqual([
      { about: 'diskFull', since: at(4), says, until: at(9) },
      { about: 'diskFull', since: at(11), says },
    ]);
  });

  test('what holds from the first probe on may have begun before', () => {
    expect(measured(sample(0, full), sample(1, full)).open()).toMatchObject([{ isFromStart: true }]);
    expect(measured(sample(0), sample(1, full), sample(2, full)).open()).toMatchObject([
      { isFromStart: false, since: at(2) },
    ]);
  });

  test('nginx and Docker have stopped only if they were seen to run', () => {
    const stopped = { nginx: 'stopped', docker: 'stopped' } as const;
    expect(measured(sample(0, stopped), sample(1, stopped)).crossings).toEqual([]);
    expect(measured(sample(0), sample(1, stopped), sample(2, stopped)).crossings).toMatchObject([
      { about: 'nginxStopped', since: at(2) },
    ]);
  });
});

describe('what is recorded', () => {
  const key = { ref: ID, fingerprint: 'SHA256:key', algorithm: 'ssh-ed25519' };
  const registered: AppEvent = {
    type: 'ServerRegistered',
    data: {
      alias: 'web-1',
      host: '10.0.0.3',
      port: 22,
      username: 'root',
      root: '/',
      path: '/',
      nginxPath: '/',
      key,
    },
  };
  const health = (to: 'reachable' | 'unreachable', code = 'timeout'): AppEvent => ({
    type: 'ServerHealthChanged',
    data: to === 'reachable' ? { to } : { to, code, reason: 'no answer within 10 s' },
  });
  const hostKey = { algorithm: 'ssh-ed25519', fingerprint: 'SHA256:new' };
  const refused: AppEvent = { type: 'ServerHostKeyRefused', data: { expected: hostKey, got: hostKey } };
  const accepted: AppEvent = { type: 'ServerHostKeyAccepted', data: hostKey };
  const ofServer = (...events: AppEvent[]) => {
    const stream = `server-${ID}`;
    const log = logOf(...[registered, ...events].map((event) => [stream, event] as [string, AppEvent]));
    const times = log.map(({ meta }) => meta.at);
    return {
      times,
      crossings: crossingsIn(ID, { events: log, evolve: servers.evolve, illsOf: illsOfServer }),
    };
  };

  test('an unreachable server crosses each time, and is over when it answers', () => {
    const { times, crossings } = ofServer(health('unreachable'), health('reachable'), health('unreachable'));
    const says = 'web-1 is unreachable: no answer within 10 s.';
    expect(crossings).toEqual([
      { about: 'serverUnreachable', since: times[1], says, until: times[2] },
      { about: 'serverUnreachable', since: times[3], says },
    ]);
  });

  test('a changed host key is its own cause, and explains that the server cannot be reached', () => {
    const { times, crossings } = ofServer(refused, health('unreachable', 'hostKeyChanged'), accepted);
    expect(crossings).toEqual([
      expect.objectContaining({ about: 'hostKeyChanged', since: times[1], until: times[3] }),
    ]);
  });

  test('a removed server has no cause any more', () => {
    const { times, crossings } = ofServer(health('unreachable'), {
      type: 'ServerRemoved',
      data: { alias: 'web-1' },
    });
    expect(crossings).toMatchObject([{ until: times[2] }]);
  });

  test('a configuration that was changed on the server, until it is the applied one again', () => {
    const stream = `domain-${ID}`;
    const added: AppEvent = {
      type: 'DomainAdded',
      data: { serverName: 'shop.example.org', server: ID, addresses: [] },
    };
    const text = { text: 'server {}', sha256: 'a' };
    const options = { docker: false, ssl: false, gzip: false };
    const log = logOf(
      [stream, added],
      [stream, { type: 'SiteConfigApplied', data: { ...text, options, file: '/etc/nginx/shop' } }],
      [stream, { type: 'SiteConfigDrifted', data: { found: { text: 'server { }', sha256: 'b' } } }],
      [stream, { type: 'SiteConfigReturned', data: { sha256: 'a' } }],
      [stream, { type: 'SiteConfigDrifted', data: {} }],
    );
    const { evolve } = domains;
    expect(crossingsIn(ID, { events: log, evolve, illsOf: illsOfDomain })).toEqual([
      {
        about: 'configDrifted',
        since: log[2]?.meta.at,
        until: log[3]?.meta.at,
        says: 'The configuration of shop.example.org was changed on the server.',
      },
      {
        about: 'configDrifted',
        since: log[4]?.meta.at,
        says: 'The configuration of shop.example.org was removed on the server.',
      },
    ]);
  });

  test('DNS that led to the server and does so no longer, until it does again', () => {
    const stream = `domain-${ID}`;
    const main = 'shop.example.org';
    const pointing = (...addresses: string[]) => ({
      outcome: 'found' as const,
      addresses: addresses.map((address) => ({ address, family: 4 as const })),
      pointsHere: addresses[0] === '192.0.2.1',
      ...(addresses[0] !== '192.0.2.1' && {
        elsewhere: addresses.map((address) => ({ address, family: 4 as const })),
      }),
    });
    const [here, there, elsewhere] = [pointing('192.0.2.1'), pointing('192.0.2.9'), pointing('192.0.2.10')];
    const failed = { outcome: 'failed' as const, addresses: [], pointsHere: false, code: 'ETIMEOUT' };
    const answer = (data: object, www?: object) =>
      [
        stream,
        { type: 'DnsAnswerChanged', data: { ...data, ...(www && { names: [{ name: 'www', ...www }] }) } },
      ] as [string, AppEvent];
    const added = { serverName: main, server: ID, addresses: here.addresses };
    const log = logOf(
      [stream, { type: 'DomainAdded', data: added }],
      answer(there),
      answer(elsewhere),
      answer(failed),
      answer(here),
      // Another name that has yet to be pointed here is none that has moved.
      answer(here, there),
      answer(failed, failed),
      answer(here, here),
      answer(here, { outcome: 'none', addresses: [], pointsHere: false }),
      [stream, { type: 'DomainMoved', data: { server: '0193f0a0-0000-7000-8000-0000000000a2' } }],
      answer(there, there),
    );
    const at = log.map(({ meta }) => meta.at);
    const says = `${main} does not lead to the server any more (DNS wrong: IPv4 192.0.2.9).`;
    expect(crossingsIn(ID, { events: log, evolve: domains.evolve, illsOf: illsOfDomain })).toEqual([
      { about: 'dnsMoved', since: at[1], until: at[4], says },
      { about: 'dnsMoved', since: at[8], until: at[9], says: expect.stringContaining('www does not lead') },
    ]);
  });
});

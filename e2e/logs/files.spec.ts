/** Log files of sites: followed across rotations and lost connections, read again, searched, and kept. */
// covers: OPS-03
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Answer, logs } from '@quarterdeck/contract';
import { openWorld, type World } from '../backend/world';
import { ended, good } from '../deploys/container-server';
import type { Operator } from '../../testing/backend';
import { startBind, type Bind } from '../../testing/bind';
import { until } from '../../testing/patience';
import { familyOf, processes } from '../../testing/processes';
import { fieldsOf } from '../../testing/server-fields';
import { startSshd, type Sshd } from '../../testing/sshd';
import { listenToLogs, type LogListener } from './log-listener';

type Past = Answer<typeof logs.past>;

let world: World;
let bind: Bind;
let sshd: Sshd;
let alice: Operator;
let server: string;
const open: LogListener[] = [];
let sites = 0;

const listen = async (who = alice): Promise<LogListener> => {
  const listener = await listenToLogs(who);
  open.push(listener);
  return listener;
};

/** A site with logs of its own. */
const newSite = async () => {
  const serverName = `site-${(sites += 1)}.${bind.zone}`;
  bind.change(`add ${serverName} 60 A ${sshd.host}`);
  const { id } = await good<{ id: string }>(alice, 'domain/insert', { serverName, server: { id: server } });
  const access = join(sshd.folder, '.quarterdeck/logs', serverName, 'site.access.log');
  mkdirSync(dirname(access), { recursive: true });
  writeFileSync(access, '');
  return { id, serverName, access, source: { kind: 'site', id, log: 'access' } as const };
};

const request = (path: string, at = '30/Nov/2026:20:45:20 +0000', status = 200): string =>
  `192.0.2.1 - - [${at}] "GET ${path} HTTP/1.1" ${status} 12 "-" "-"`;
const write = (file: string, ...lines: string[]): void => appendFileSync(file, `${lines.join('\n')}\n`);
/** Scripts on the server that follow something. */
const followers = (folder: string): number[] =>
  processes()
    .filter(({ commandLine, name }) => name === 'sh' && commandLine.includes('/bin/sh -s'))
    .filter(({ pid }) => familyOf(pid).length > 0 && isBelow(pid, folder))
    .map(({ pid }) => pid);
/** The scripts have no arguments that tell them apart, so they are found by the sshd that started them. */
const isBelow = (pid: number, folder: string): boolean => {
  const all = new Map(processes().map((one) => [one.pid, one]));
  for (let one = all.get(pid); one; one = all.get(one.parent))
    if (one.commandLine.includes(dirname(folder))) return true;
  return false;
};
const cutConnections = (): void => {
  for (const { pid, name, commandLine } of processes())
    if (name === 'sshd' && /^sshd: \S+ *$|@notty/.test(commandLine) && isBelow(pid, sshd.folder))
      process.kill(pid, 'SIGKILL');
};

beforeAll(async () => {
  [bind, sshd] = await Promise.all([startBind(), startSshd()]);
  world = await openWorld({ env: { DNS_SERVERS: bind.server } });
  alice = await world.backend.signIn({ email: 'alice@example.org' });
  const { privateKey } = await sshd.keyFor('ed25519');
  const fields = { ...fieldsOf('web-1', sshd), root: sshd.folder, privateKey };
  server = (await good<{ id: string }>(alice, 'server/insert', fields)).id;
});
afterEach(() => open.splice(0).forEach((listener) => listener.close()));
afterAll(async () => {
  await world?.end();
  await sshd?.stop();
  await bind?.stop();
});

test('what is in the file comes first, then each new line, with its time and level', async () => {
  const site = await newSite();
  write(site.access, request('/old'));
  const log = await (await listen()).follow(server, site.source);
  await log.has(request('/old'));
  write(site.access, request('/gone', '30/Nov/2026:21:00:00 +0100', 404), request('/bad', undefined, 502));
  await log.has(request('/bad', undefined, 502));
  expect(log.lines).toMatchObject([
    { text: request('/old'), level: 'info', at: '2026-11-30T20:45:20.000Z' },
    { level: 'warning', at: '2026-11-30T20:00:00.000Z' },
    { level: 'error' },
  ]);
  expect(log.states.at(-1)).toEqual({ is: 'live' });
});

test('a rotation loses nothing, not even what is written to the old file afterwards', async () => {
  const site = await newSite();
  write(site.access, 'the first');
  const log = await (await listen()).follow(server, site.source);
  await log.has('the first');
  const expected = ['the first'];
  const add = (file: string, text: string): void => {
    expected.push(text);
    write(file, text);
  };
  for (let round = 0; round < 3; round += 1) {
    add(site.access, `before ${round}`);
    const old = `${site.access}.${round}`;
    renameSync(site.access, old);
    // As nginx does until it is told to open its logs again.
    add(old, `to the old file ${round}`);
    writeFileSync(site.access, '');
    add(old, `still to the old file ${round}`);
    add(site.access, `after ${round}`);
    await log.has(`after ${round}`);
  }
  expect(log.texts()).toEqual(expected);
});

test('a file that is emptied is read from its beginning', async () => {
  const site = await newSite();
  const log = await (await listen()).follow(server, site.source);
  write(site.access, 'a line that is longer than the next one');
  await log.has('a line that is longer than the next one');
  truncateSync(site.access);
  write(site.access, 'short');
  await log.has('short');
  expect(log.texts()).toEqual(['a line that is longer than the next one', 'short']);
});

test('a lost connection leaves no gap, repeats nothing, and leaves nothing on the server', async () => {
  const site = await newSite();
  const log = await (await listen()).follow(server, site.source);
  await until(() => log.states.at(-1)?.is === 'live');
  const expected: string[] = [];
  for (let round = 0; round < 4; round += 1) {
    for (let number = 0; number < 500; number += 1) expected.push(`line ${round} ${number}`);
    write(site.access, ...expected.slice(-500));
    await log.has(`line ${round} 100`);
    cutConnections();
    if (round === 2) {
      // Rotated while nobody looks.
      renameSync(site.access, `${site.access}.1`);
      writeFileSync(site.access, '');
    }
    expected.push(`while away ${round}`);
    write(site.access, `while away ${round}`);
    await log.has(`while away ${round}`);
  }
  expect(log.texts()).toEqual(expected);
  expect(new Set(log.lines.map(({ id }) => id)).size).toBe(expected.length);
  expect(log.states.some(({ is }) => is === 'waiting')).toBe(true);
  await log.stop();
  await until(() => followers(sshd.folder).length === 0);
});

test('two browsers share one script on the server, which ends with the last of them', async () => {
  const site = await newSite();
  const [one, two] = [await listen(), await listen(await world.backend.signIn({ email: 'bob@example.org' }))];
  const [first, second] = [await one.follow(server, site.source), await two.follow(server, site.source)];
  write(site.access, 'for both');
  await Promise.all([first.has('for both'), second.has('for both')]);
  const scripts = followers(sshd.folder);
  // The shell, and the one in it that waits for the end of the connection.
  expect(
    scripts.filter(
      (pid) =>
        !scripts.some((other) =>
          familyOf(other)
            .slice(1)
            .some((below) => below.pid === pid),
        ),
    ),
  ).toHaveLength(1);
  await first.stop();
  write(site.access, 'for one');
  await second.has('for one');
  expect(first.texts()).toEqual(['for both']);
  // Closing the tab is enough.
  two.close();
  await until(() => followers(sshd.folder).length === 0);
});

test('a browser that takes nothing delays nobody, and is told what it missed', async () => {
  const site = await newSite();
  const [slow, quick] = [await listen(), await listen()];
  const [waiting, log] = [await slow.follow(server, site.source), await quick.follow(server, site.source)];
  write(site.access, 'both');
  await Promise.all([waiting.has('both'), log.has('both')]);
  // The socket of the client stops reading, so what is sent to it waits in the back end.
  const transport = (
    slow.socket.io.engine.transport as unknown as { ws: { _socket: { pause(): void; resume(): void } } }
  ).ws;
  transport._socket.pause();
  const text = 'x'.repeat(1000);
  for (let piece = 0; piece < 8; piece += 1) {
    write(site.access, ...Array.from({ length: 5000 }, (_, number) => `${piece * 5000 + number} ${text}`));
    await log.has(`${piece * 5000 + 4999} ${text}`);
  }
  transport._socket.resume();
  await waiting.has(`39999 ${text}`);
  expect(log.lines.length + log.missed).toBe(40_001);
  expect(waiting.missed).toBeGreaterThan(0);
  expect(waiting.lines.length + waiting.missed).toBe(40_001);
});

test('as many logs as leave room for runs are followed at once', async () => {
  const listener = await listen();
  for (let number = 0; number < 4; number += 1) await listener.follow(server, (await newSite()).source);
  const fifth = await newSite();
  const answer = await listener.ask({ server: { id: server }, source: fifth.source });
  expect(answer.error).toBe('4 logs of this server are being followed already. Close one of them first.');
  const { out } = await good<{ out: string }>(alice, 'server/execCmd', { id: server, cmdType: 1 });
  expect(out).toContain('memory');
});

test('what cannot be followed is refused with its field', async () => {
  const listener = await listen();
  const ask = (source: unknown, id = server) => listener.ask({ server: { id }, source });
  expect(await ask({ kind: 'unit', name: '-f; reboot' })).toEqual({
    error: 'this cannot be followed',
    fields: { 'source.name': 'the name of a systemd unit is expected, such as nginx.service' },
  });
  expect(await ask({ kind: 'container', name: '../x' })).toMatchObject({
    fields: { 'source.name': 'the name or the id of a container is expected' },
  });
  expect(await ask({ kind: 'disk' })).toMatchObject({ fields: { 'source.kind': expect.any(String) } });
  expect(await listener.ask({}, 'other')).toEqual({ error: 'there is no such stream' });
  const nobody = '0193f0a0-0000-7000-8000-000000000001';
  expect(await ask({ kind: 'site', id: nobody, log: 'error' })).toEqual({
    error: 'domain could not be found',
  });
  expect(await ask({ kind: 'unit', name: 'nginx.service' }, nobody)).toEqual({
    error: 'server could not be found',
  });
});

test('members and other workspaces follow nothing', async () => {
  const { source } = await newSite();
  const member = await listen(await world.backend.signIn({ email: 'mia@example.org', role: 'member' }));
  const input = { server: { id: server }, source };
  expect(await member.ask(input)).toEqual({ error: 'this requires the role admin' });
  const stranger = await listen(
    await world.backend.signIn({ email: 'eve@example.org', workspace: 'elsewhere' }),
  );
  expect(await stranger.ask(input)).toEqual({ error: 'server could not be found' });
});

test('the past is read between two times, also from rotated files, and searched', async () => {
  const site = await newSite();
  const at = (minute: number) => `30/Nov/2026:20:${String(minute).padStart(2, '0')}:00 +0000`;
  const iso = (minute: number) => `2026-11-30T20:${String(minute).padStart(2, '0')}:00Z`;
  writeFileSync(`${site.access}.1`, '');
  for (let minute = 0; minute < 5; minute += 1) write(`${site.access}.1`, request(`/${minute}`, at(minute)));
  for (let minute = 5; minute < 10; minute += 1)
    write(site.access, request(`/${minute}`, at(minute), minute === 7 ? 500 : 200));
  const read = (query: object) =>
    good<Past>(alice, 'log/past', { server: { id: server }, source: site.source, ...query });
  const paths = ({ lines }: Past) => lines.map(({ text }) => /GET (\S+)/.exec(text)?.[1]);
  expect(paths(await read({ since: iso(3), until: iso(6) }))).toEqual(['/3', '/4', '/5', '/6']);
  expect(paths(await read({}))).toEqual(['/5', '/6', '/7', '/8', '/9']);
  expect(paths(await read({ since: iso(0), search: 'get /4' }))).toEqual(['/4']);
  expect(paths(await read({ since: iso(0), search: 'get /4', matchCase: true }))).toEqual([]);
  expect(paths(await read({ since: iso(0), search: '^.*/[28] HTTP', regexp: true }))).toEqual(['/2', '/8']);
  expect(paths(await read({ since: iso(0), levels: ['error'] }))).toEqual(['/7']);
  const log = await (await listen()).follow(server, site.source);
  await until(() => log.lines.length === 5);
  // The same line has the same id, so a page that has read it does not show it twice.
  expect((await read({})).lines.map(({ id }) => id)).toEqual(log.lines.map(({ id }) => id));
});

test('of a long part, the newest lines are answered, with a sentence that says so', async () => {
  const site = await newSite();
  write(site.access, ...Array.from({ length: 25_000 }, (_, number) => `line ${number}`));
  const query = { server: { id: server }, source: site.source };
  const { lines, read, left } = await good<Past>(alice, 'log/past', query);
  expect([lines.length, lines[0]?.text, lines.at(-1)?.text, read]).toEqual([
    10_000,
    'line 15000',
    'line 24999',
    25_000,
  ]);
  expect(left).toBe('These are the newest 10,000 lines. Choose a shorter time to see all of it.');
});

test.each([
  ['since', { since: 'yesterday' }, 'expected type ISO date and time'],
  ['until', { since: '2026-11-30T20:00:00Z', until: '2026-11-30T19:00:00Z' }, 'this must be after since'],
  ['search', { search: '(', regexp: true }, 'this is not a regular expression'],
  ['levels.0', { levels: ['loud'] }, 'expected type error | warning | info | debug | none'],
])('a wrong %s is refused', async (field, query, message) => {
  const { source } = await newSite();
  const { status, body } = await alice.post<{ data: object }>('log/past', {
    server: { id: server },
    source,
    ...query,
  });
  expect([status, body.data]).toEqual([400, { [field]: message }]);
});

test('an expression that never ends is ended', async () => {
  const site = await newSite();
  write(site.access, 'a'.repeat(60));
  const query = { server: { id: server }, source: site.source, search: '^(a+)+$|b', regexp: true };
  write(site.access, `${'a'.repeat(60)}!`);
  const { status, body } = await alice.post<{ msg: string }>('log/past', query);
  expect([status, body.msg]).toEqual([422, expect.stringContaining('more than 3 s of work')]);
});

test('a log that does not exist is told with its field', async () => {
  const source = { kind: 'unit', name: 'no-such-thing.service' };
  const { status, body } = await alice.post<{ data: object }>('log/past', { server: { id: server }, source });
  expect([status, body.data]).toEqual([
    400,
    { 'source.name': 'There is no unit no-such-thing.service on this server.' },
  ]);
});

test('a piece of several logs is kept as the output of a run, with its hash and without secrets', async () => {
  const [one, two] = [await newSite(), await newSite()];
  const { privateKey } = await sshd.keyFor('ed25519');
  const secret = privateKey.split('\n')[1] ?? '';
  write(
    one.access,
    request('/first', '30/Nov/2026:20:45:01 +0000'),
    request('/third', '30/Nov/2026:20:45:03 +0000'),
  );
  write(two.access, request('/second', '30/Nov/2026:20:45:02 +0000'), `key ${secret}`);
  const { runId } = await good<{ runId: string }>(alice, 'log/save', {
    server: { id: server },
    sources: [one.source, two.source],
  });
  const { run, out } = await ended(alice, runId);
  expect(run).toMatchObject({ state: 'succeeded', label: 'Saved log' });
  expect(
    out.split('\n').map((line) => /GET (\S+)/.exec(line)?.[1] ?? line.split(' ').slice(-2).join(' ')),
  ).toEqual(['/first', '/second', 'key *******', '/third', '']);
  expect(out).toContain(`2026-11-30T20:45:02.000Z ${two.serverName} access info`);
  expect(run.steps[0]).toMatchObject({
    output: { bytes: Buffer.byteLength(out), sha256: createHash('sha256').update(out).digest('hex') },
  });
});

test('a removed server is followed no longer', async () => {
  const { privateKey } = await sshd.keyFor('ed25519');
  const fields = { ...fieldsOf('web-2', sshd), root: sshd.folder, privateKey };
  const { id } = await good<{ id: string }>(alice, 'server/insert', fields);
  const log = await (await listen()).follow(id, { kind: 'nginx', log: 'access' });
  await until(() => followers(sshd.folder).length > 0);
  await good(alice, 'server/delete', { id, alias: 'web-2' });
  await until(() => followers(sshd.folder).length === 0);
  expect(log.lines).toEqual(expect.any(Array));
});

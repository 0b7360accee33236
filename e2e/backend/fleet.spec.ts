// covers: SRV-15
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreUnavailable } from '@quarterdeck/log/store';
import type { FleetDetail, RunView } from '@quarterdeck/projections';
import type { Operator } from '../../testing/backend';
import { freePort } from '../../testing/free-port';
import { startSshd, type Sshd } from '../../testing/sshd';
import { endedFleet, fleetUntil, saveScript, startFleet } from './fleet-world';
import { textOf, type Chunk } from '../../testing/socket';
import { fieldsOf, idleKey, openWorld, registerAt, type World } from './world';

let world: World;
let sshd: Sshd;
let alice: Operator;

beforeAll(async () => {
  [world, sshd] = await Promise.all([openWorld(), startSshd()]);
  alice = await world.backend.signIn({ email: 'alice@example.org' });
});
afterAll(async () => {
  await world?.end();
  await sshd?.stop();
});

const saved = (body: string, more: object = {}) => saveScript(alice, body, more);
const start = (input: object) => startFleet(alice, input);
const ended = (id: string) => endedFleet(alice, id);
const until = (id: string, is: (now: FleetDetail) => boolean) => fleetUntil(alice, id, is);
const outputOf = async (id: string): Promise<string> =>
  textOf((await alice.post<{ chunks: Chunk[] }>('run/output', { id })).body.chunks);
const statesOf = ({ hosts }: FleetDetail) =>
  Object.fromEntries(hosts.map(({ server, run }) => [server.name, run?.state]));
const registerSome = async (names: readonly string[]): Promise<string[]> => {
  const ids: string[] = [];
  for (const name of names) ids.push(await registerAt(alice, sshd, name));
  return ids;
};
const registerDead = async (alias: string): Promise<string> => {
  const at = { host: '127.0.0.1', port: await freePort('127.0.0.1'), username: 'root' };
  const answer = await alice.post('server/insert', { ...fieldsOf(alias, at), privateKey: idleKey() });
  return String(answer.body.id);
};
/** How often each word was written to the file. */
const timesIn = (file: string): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const word of readFileSync(file, 'utf8').split('\n').filter(Boolean))
    counts[word] = (counts[word] ?? 0) + 1;
  return counts;
};

describe('one command over many servers', () => {
  test('runs on each, is reported line by line, and succeeds if all do', async () => {
    const servers = await registerSome(['all-1', 'all-2', 'all-3']);
    const id = await start({ servers, cmdType: 1 });
    const { run, hosts } = await ended(id);
    expect(run).toMatchObject({
      kind: 'fleet',
      label: 'Memory usage',
      state: 'succeeded',
      subject: { kind: 'fleet', id, name: '3 servers' },
      input: {
        cmdType: 1,
        concurrency: 10,
        servers: servers.map((each, at) => ({ id: each, name: `all-${at + 1}` })),
      },
      steps: [{ step: 'servers', attempt: 1, state: 'succeeded', report: { servers: '3', succeeded: '3' } }],
    });
    for (const { server, run: part, runId, lastLine } of hosts) {
      expect(part).toMatchObject({ id: runId, kind: 'command', parent: id, state: 'succeeded' });
      expect(part?.subject).toEqual({ kind: 'server', ...server });
      expect(part?.correlationId).toBe(run.correlationId);
      expect(lastLine?.length).toBeGreaterThan(0);
    }
    const lines = (await outputOf(id)).trim().split('\n');
    expect(lines.toSorted()).toEqual(
      ['all-1', 'all-2', 'all-3'].map((name) =>
        expect.stringMatching(new RegExp(`^${name} succeeded after \\d+\\.\\d\\d s, exit code 0$`)),
      ),
    );
  });

  test('a failed or unreachable server does not stop the others', async () => {
    const [bad, good, other] = await registerSome(['mixed-bad', 'mixed-good', 'mixed-other']);
    const dead = await registerDead('mixed-dead');
    const script = await saved(
      // The first one to arrive fails.
      `mkdir "${sshd.folder}/taken" 2>/dev/null && exit 3\necho fine\n`,
    );
    const id = await start({ servers: [bad, good, other, dead], script, concurrency: 1 });
    const now = await ended(id);
    expect(now.run).toMatchObject({ state: 'failed', reason: '2 of 4 servers failed', code: 'servers' });
    expect(now.run.steps[0]?.report).toEqual({ servers: '4', succeeded: '2', failed: '2' });
    expect(statesOf(now)).toEqual({
      'mixed-bad': 'failed',
      'mixed-good': 'succeeded',
      'mixed-other': 'succeeded',
      'mixed-dead': 'failed',
    });
    expect(now.hosts[0]?.run?.steps[0]?.exitCode).toBe(3);
    expect(now.hosts[3]?.run?.code).toBe('refused');
    expect(await outputOf(id)).toMatch(/^mixed-dead failed after \d\.\d\d s: Nothing listens at /m);
    // Repeats the run only on the servers that did not succeed.
    const { body } = await alice.post<{ runId: string }>('fleet/rerun', { id });
    const again = await ended(body.runId);
    expect(again.run.input).toMatchObject({ rerunOf: id, script, version: 1, concurrency: 1 });
    expect(statesOf(again)).toEqual({ 'mixed-bad': 'succeeded', 'mixed-dead': 'failed' });
  });

  test('no more than the allowed number run at once', async () => {
    const servers = await registerSome(Array.from({ length: 6 }, (_, at) => `row-${at}`));
    const log = join(sshd.folder, 'row.log');
    // The first waits for the second, and each for one too many.
    const two = `[ $(grep -c in ${log}) -ge 2 ]`;
    const script = await saved(
      `echo in >> ${log}\nuntil ${two}; do sleep 0.05; done\nsleep 0.3\necho out >> ${log}\n`,
    );
    await ended(await start({ servers, script, concurrency: 2 }));
    let [now, most] = [0, 0];
    for (const word of readFileSync(log, 'utf8').trim().split('\n')) {
      now += word === 'in' ? 1 : -1;
      most = Math.max(most, now);
    }
    expect([now, most]).toEqual([0, 2]);
  });

  test('the same id again is the same run, and nothing runs twice', async () => {
    const servers = await registerSome(['once-1', 'once-2']);
    const log = join(sshd.folder, 'once.log');
    const script = await saved(`echo ran >> ${log}\n`);
    const runId = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => alice.post('fleet/start', { servers, script, runId })),
    );
    expect(answers.map(({ status, body }) => [status, body.runId])).toEqual(
      Array.from({ length: 10 }, () => [200, runId]),
    );
    await ended(runId);
    expect(timesIn(log)).toEqual({ ran: 2 });
    expect((await alice.post('fleet/start', { servers, cmdType: 1, runId })).status).toBe(422);
  });

  test('the parts are listed under the run, and under their server', async () => {
    const [server] = await registerSome(['listed']);
    const id = await start({ servers: [server], cmdType: 1 });
    await ended(id);
    const list = async (query: object) =>
      (await alice.post<{ runs: RunView[] }>('run/list', query)).body.runs.map(({ kind }) => kind);
    expect(await list({ kind: 'command' })).toEqual([]);
    expect(await list({ parent: id })).toEqual(['command']);
    const [part] = (await alice.post<{ runs: RunView[] }>('run/list', { parent: id })).body.runs;
    expect((await list({ ids: [id, part?.id] })).toSorted()).toEqual(['command', 'fleet']);
    expect(await list({ subject: { kind: 'server', id: server } })).toEqual(['command']);
  });
});

describe('a saved script over many servers', () => {
  test('is run in the requested version, even if it was changed since', async () => {
    const servers = await registerSome(['version-1']);
    const script = await saved('echo first\nsleep 1\necho still first\n');
    const id = await start({ servers, script });
    const data = {
      name: `revised ${randomUUID()}`,
      body: 'echo second\n',
      changes: true,
      timeoutSeconds: 50,
    };
    await alice.post('script/update', { id: script, data });
    const first = await ended(id);
    expect(await outputOf(first.hosts[0]?.runId ?? '')).toBe('first\nstill first\n');
    expect(first.run.input).toMatchObject({ version: 1, changes: false, timeoutSeconds: 60 });
    const newest = await ended(await start({ servers, script }));
    expect([newest.run.label, newest.run.input.version, newest.hosts[0]?.lastLine]).toEqual([
      data.name,
      2,
      'second',
    ]);
    const old = await ended(await start({ servers, script, version: 1 }));
    expect(old.hosts[0]?.lastLine).toBe('still first');
    const list = (await alice.post<{ runs: RunView[] }>('run/list', { script })).body.runs;
    expect(list.map((run) => run.id)).toEqual([old.run.id, newest.run.id, id]);
    await alice.post('script/delete', { id: script });
    expect((await alice.post('fleet/start', { servers, script })).status).toBe(404);
    // A run can be repeated in its own version on the servers where it failed.
    expect((await alice.post('fleet/rerun', { id })).status).toBe(409);
  });

  test('that takes too long is ended on every server', async () => {
    const servers = await registerSome(['slow-1', 'slow-2']);
    const script = await saved('echo begun\nsleep 600\necho never\n', { timeoutSeconds: 8 });
    const now = await ended(await start({ servers, script }));
    expect(now.run.reason).toBe('2 of 2 servers failed');
    expect(now.hosts.map(({ run, lastLine }) => [run?.steps[0]?.state, lastLine])).toEqual([
      ['timedOut', 'begun'],
      ['timedOut', 'begun'],
    ]);
  });

  test('that changes something waits on a server with another active run, and runs elsewhere', async () => {
    const [busy, free] = await registerSome(['busy', 'free']);
    const go = join(sshd.folder, 'go');
    const slow = await saved(`until [ -e ${go} ]; do sleep 0.05; done\n`, { changes: true });
    const first = await start({ servers: [busy], script: slow });
    await until(first, ({ hosts }) => hosts[0]?.run?.state === 'running');
    const quick = await saved(`echo done\n`, { changes: true });
    const second = await start({ servers: [busy, free], script: quick, concurrency: 2 });
    const waiting = await until(
      second,
      ({ hosts }) => hosts[0]?.run?.waitsFor !== undefined && hosts[1]?.run?.endedAt !== undefined,
    );
    expect(statesOf(waiting)).toEqual({ busy: 'requested', free: 'succeeded' });
    expect(waiting.hosts[0]?.run?.waitsFor).toMatchObject({ of: 'busy', place: 1 });
    writeFileSync(go, '');
    await ended(first);
    expect(statesOf(await ended(second))).toEqual({ busy: 'succeeded', free: 'succeeded' });
  });
});

describe('a cancel', () => {
  test('ends what runs on the servers, and starts nothing more', async () => {
    const servers = await registerSome(['stop-1', 'stop-2', 'stop-3']);
    const log = join(sshd.folder, 'stop.log');
    const script = await saved(`echo begun\nsleep 600\necho over >> ${log}\n`);
    const id = await start({ servers, script, concurrency: 2 });
    await until(id, ({ hosts }) => hosts.filter(({ lastLine }) => lastLine === 'begun').length === 2);
    expect((await alice.post('run/cancel', { id })).status).toBe(200);
    const now = await ended(id);
    expect(now.run.state).toBe('cancelled');
    expect(statesOf(now)).toEqual({ 'stop-1': 'cancelled', 'stop-2': 'cancelled', 'stop-3': undefined });
    expect(now.hosts[2]?.notStarted).toBe('the run ended before its turn came');
    expect(existsSync(log)).toBe(false);
    // No server failed, so the run cannot be repeated.
    expect((await alice.post('fleet/rerun', { id })).status).toBe(409);
  });

  test('of the run on one server is no failure of the run over many', async () => {
    const servers = await registerSome(['ended-1', 'ended-2']);
    const go = join(sshd.folder, 'ended-go');
    const script = await saved(`echo begun\nuntil [ -e ${go} ]; do sleep 0.05; done\n`);
    const id = await start({ servers, script, concurrency: 2 });
    const { hosts } = await until(id, (now) => now.hosts.every(({ lastLine }) => lastLine === 'begun'));
    expect((await alice.post('run/cancel', { id: hosts[0]?.runId })).status).toBe(200);
    await until(id, (now) => now.hosts[0]?.run?.state === 'cancelled');
    writeFileSync(go, '');
    const now = await ended(id);
    expect(now.run).toMatchObject({ state: 'cancelled', reason: '1 of 2 servers was cancelled' });
    expect(statesOf(now)).toEqual({ 'ended-1': 'cancelled', 'ended-2': 'succeeded' });
    expect((await alice.post('fleet/rerun', { id })).status).toBe(409);
  });
});

describe('during a short outage of the log or the database', () => {
  test('a run starts on every server: it tries again after a lost connection', async () => {
    const servers = await registerSome(['cut-1', 'cut-2', 'cut-3']);
    const { db } = world.backend;
    const runId = randomUUID();
    const query = db.query.bind(db) as (asked: unknown, values?: unknown[]) => Promise<unknown>;
    let cuts = 0;
    const cutting = (asked: unknown, values?: unknown[]): Promise<unknown> => {
      const lease = asked as { name?: string; values?: [string[]] };
      const isOfPart = lease.name === 'lease-taken' && !lease.values?.[0].includes(`run-${runId}`);
      if (!isOfPart || cuts === 2) return query(asked, values);
      cuts += 1;
      return query('select pg_terminate_backend(pg_backend_pid())');
    };
    Object.assign(db, { query: cutting });
    try {
      await start({ servers, cmdType: 1, concurrency: 2, runId });
      const { run } = await ended(runId);
      expect([cuts, run.state, run.reason]).toEqual([2, 'succeeded', undefined]);
      expect(run.steps[0]?.report).toEqual({ servers: '3', succeeded: '3' });
    } finally {
      Reflect.deleteProperty(db, 'query');
    }
  });

  test('a cancel still reaches every server', async () => {
    const servers = await registerSome(['deaf-1', 'deaf-2']);
    const script = await saved(`echo begun\nsleep 600\n`);
    const id = await start({ servers, script });
    await until(id, ({ hosts }) => hosts.every(({ lastLine }) => lastLine === 'begun'));
    const { store } = world.backend.resources;
    const { append } = store;
    let refused = 0;
    store.append = async (stream, events, expected) => {
      const isPart = events[0]?.type === 'RunCancelRequested' && stream !== `run-${id}`;
      if (!isPart || refused === servers.length) return append.call(store, stream, events, expected);
      refused += 1;
      throw new StoreUnavailable(new Error('away for a moment'));
    };
    try {
      expect((await alice.post('run/cancel', { id })).status).toBe(200);
      const now = await ended(id);
      expect([refused, now.run.state]).toEqual([2, 'cancelled']);
      expect(statesOf(now)).toEqual({ 'deaf-1': 'cancelled', 'deaf-2': 'cancelled' });
    } finally {
      store.append = append;
    }
  });
});

describe('a saved script and the program that its first line names', () => {
  const bash =
    '#!/bin/bash\nset -euo pipefail\nnames=(web db)\nfor n in "${names[@]}"; do [[ $n == w* ]] && echo "$n"; done || :\n';
  const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith('quarterdeck-script-'));
  let server: string;
  beforeAll(async () => {
    server = await registerAt(alice, sshd, 'first-line');
  });

  /** Detached, and on the connection: they are run in different ways. */
  describe.each([true, false])('when it makes changes: %s', (changes) => {
    const told = async (body: string) => {
      const { hosts } = await ended(
        await start({ servers: [server], script: await saved(body, { changes }) }),
      );
      const { runId, run } = hosts[0]!;
      return { output: await outputOf(runId), exitCode: run?.steps[0]?.exitCode, reason: run?.reason };
    };

    test.each([
      ['bash runs it', bash, 'web\n'],
      [
        'a byte order mark and line ends of Windows are left out',
        `\ufeff${bash.replaceAll('\n', '\r\n')}`,
        'web\n',
      ],
      ['python3 runs it, without a line end', '#!/usr/bin/env python3\nprint("a b", {1: 2})', 'a b {1: 2}\n'],
      [
        'line ends of Windows are left out for sh',
        'echo one\r\nif true; then\r\n  echo two\r\nfi\r\n',
        'one\ntwo\n',
      ],
      [
        'quotes and dollars arrive as they are',
        "#!/bin/bash -u\nprintf '%s\\n' \"it's $((6 * 7))\" '$x `y` \\z'\n",
        "it's 42\n$x `y` \\z\n",
      ],
    ])('%s', async (_what, body, output) => {
      expect(await told(body)).toMatchObject({ output, exitCode: 0 });
      expect(left()).toEqual([]);
    });

    test('its options and its exit code count, also for sh', async () => {
      expect(await told('#!/bin/sh -e\nfalse\necho more\n')).toMatchObject({ output: '', exitCode: 1 });
      expect(await told('#!/bin/bash\nexit 7\n')).toMatchObject({ exitCode: 7 });
    });

    test('a server without the program is told', async () => {
      expect(await told('#!/opt/none/fish\nls\n')).toMatchObject({
        exitCode: 127,
        reason: 'This server has no /opt/none/fish, which the first line of the script names.',
      });
    });
  });

  test('a first line without a path is refused, with what is right', async () => {
    const body = { name: 'x', body: '#!bash\nls\n', changes: false, timeoutSeconds: 9 };
    const answer = await alice.post<{ body: string }>('script/insert', body);
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([
      400,
      expect.stringContaining('such as #!/bin/bash or #!/usr/bin/env python3'),
    ]);
  });
});

/**
 * If the process of a run over many servers dies, another continues it, and no server does the work twice. covers:
 * SRV-15
 */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signIn, spawnBackend, type BackendProcess, type Operator } from '../../testing/backend';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { startSshd, type Sshd } from '../../testing/sshd';
import { endedFleet } from './fleet-world';
import { textOf, type Chunk } from '../../testing/socket';
import { registerAt } from './world';

const SERVERS = 6;

let postgres: TestPostgres;
let sshd: Sshd;
let machines: Sshd[] = [];
let servers: string[];
interface Booted {
  backend: BackendProcess;
  who: Operator;
}
const open: BackendProcess[] = [];
/** The process that gets the request. */
let first: Booted;

const boot = async (): Promise<Booted> => {
  const backend = await spawnBackend({ databaseUrl: postgres.url });
  open.push(backend);
  return { backend, who: await signIn(backend.url, backend.signInLink) };
};
const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
const until = async <T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> => {
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    await pause(100);
  }
};
const wordsIn = (file: string): string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];

/** Starts a script that records its begin and end in a file, and waits in between for a signal. */
const begin = async (who: Operator, name: string, concurrency: number) => {
  const [log, go] = [join(sshd.folder, `${name}.log`), join(sshd.folder, `${name}.go`)];
  const body = `echo begun >> ${log}\nuntil [ -e ${go} ]; do sleep 0.1; done\necho over >> ${log}\necho ${name}\n`;
  const script = await who.post<{ id: string }>('script/insert', {
    name,
    body,
    changes: true,
    timeoutSeconds: 120,
  });
  const runId = randomUUID();
  const answer = await who.post('fleet/start', { servers, script: script.body.id, concurrency, runId });
  expect(answer.status).toBe(200);
  return { runId, log, letGo: () => writeFileSync(go, '') };
};

const expectEachOnce = async (who: Operator, runId: string, log: string, name: string): Promise<void> => {
  const { run, hosts } = await endedFleet(who, runId);
  expect([run.state, run.reason]).toEqual(['succeeded', undefined]);
  expect(hosts.map(({ run: part, lastLine }) => [part?.state, part?.steps.length, lastLine])).toEqual(
    Array.from({ length: SERVERS }, () => ['succeeded', 1, name]),
  );
  expect(wordsIn(log).toSorted()).toEqual([
    ...Array.from({ length: SERVERS }, () => 'begun'),
    ...Array.from({ length: SERVERS }, () => 'over'),
  ]);
  // The last attempt reports every server.
  const { body } = await who.post<{ chunks: (Chunk & { attempt: number })[] }>('run/output', { id: runId });
  const last = body.chunks.filter(({ attempt }) => attempt === run.steps.length);
  expect(textOf(last).trim().split('\n')).toHaveLength(SERVERS);
  expect(run.steps.at(-1)?.report).toEqual({ servers: String(SERVERS), succeeded: String(SERVERS) });
};

beforeAll(async () => {
  // Each server is a machine of its own: runs on one machine exclude each other.
  [postgres, machines] = await Promise.all([
    startTestPostgres(),
    Promise.all(Array.from({ length: SERVERS }, () => startSshd())),
  ]);
  [sshd] = machines as [Sshd];
  first = await boot();
  servers = [];
  for (const [at, machine] of machines.entries())
    servers.push(await registerAt(first.who, machine, `web-${at}`));
});
afterAll(async () => {
  for (const backend of open) await backend.stop();
  for (const machine of machines) await machine.stop();
  await postgres?.stop();
});

/** Removes processes that an earlier test, which may have failed, has left behind. */
beforeEach(async () => {
  for (const backend of open.filter((each) => each !== first.backend)) await backend.stop();
  const { exitCode, signalCode } = first.backend.child;
  if (exitCode !== null || signalCode !== null) first = await boot();
});

test('after a kill while some servers work and others wait, another process continues it', async () => {
  const second = await boot();
  const { runId, log, letGo } = await begin(first.who, 'killed', 2);
  await until(() => (wordsIn(log).length === 2 ? true : undefined));
  await first.backend.kill('SIGKILL');
  // While no process drives the run, its servers continue by themselves.
  letGo();
  await expectEachOnce(second.who, runId, log, 'killed');
  first = second;
});

test('after a kill between the ends of two servers, existing parts are joined and missing ones started', async () => {
  const { runId, log, letGo } = await begin(first.who, 'between', 1);
  letGo();
  await until(() => (wordsIn(log).length >= 3 ? true : undefined));
  await first.backend.kill('SIGKILL');
  // A process that did not exist at the time of the request takes it over.
  first = await boot();
  await expectEachOnce(first.who, runId, log, 'between');
});

test('after an orderly stop, another process takes it over and continues it', async () => {
  const { runId, log, letGo } = await begin(first.who, 'stopped', SERVERS);
  await until(() => (wordsIn(log).length === SERVERS ? true : undefined));
  await first.backend.stop();
  first = await boot();
  letGo();
  await expectEachOnce(first.who, runId, log, 'stopped');
});

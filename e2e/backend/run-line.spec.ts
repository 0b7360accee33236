/** Runs that change the same server wait in line, in whichever process. covers: SRV-14, SRV-15 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunView } from '@quarterdeck/projections';
import { signIn, spawnBackend, type BackendProcess, type Operator } from '../../testing/backend';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { startSshd, type Sshd } from '../../testing/sshd';
import { endedFleet, fleetUntil, saveScript, startFleet } from './fleet-world';
import { registerAt } from './world';

const MANY = 25;

let postgres: TestPostgres;
let sshd: Sshd;
interface Booted {
  backend: BackendProcess;
  who: Operator;
}
const open: BackendProcess[] = [];
let first: Booted;
let second: Booted;

const boot = async (env: Record<string, string> = {}): Promise<Booted> => {
  const backend = await spawnBackend({ databaseUrl: postgres.url, env });
  open.push(backend);
  return { backend, who: await signIn(backend.url, backend.signInLink) };
};
const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
const linesIn = (file: string): string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
const until = async (is: () => boolean): Promise<void> => {
  while (!is()) await pause(20);
};
const runsOn = async (server: string, who = first.who): Promise<RunView[]> => {
  const input = { subject: { kind: 'server', id: server }, limit: 100 };
  return (await who.post<{ runs: RunView[] }>('run/list', input)).body.runs;
};
const runOf = async (id: string, who = first.who): Promise<RunView> =>
  (await who.post<RunView>('run/detail', { id })).body;
const runUntil = async (id: string, is: (run: RunView) => boolean, who = first.who): Promise<RunView> => {
  for (;;) {
    const run = await runOf(id, who);
    if (is(run)) return run;
    await pause(20);
  }
};
const inLine = (number: number) => async (server: string) => {
  while ((await runsOn(server)).filter(({ waitsFor }) => waitsFor).length < number) await pause(50);
};

/** A script that records its begin and end, and waits in between while the file `hold` exists. */
const changing = async (name: string) => {
  const [log, hold] = [join(sshd.folder, `${name}.log`), join(sshd.folder, `${name}.hold`)];
  writeFileSync(hold, '');
  const body = `echo begun >> ${log}\nwhile [ -e ${hold} ]; do sleep 0.05; done\necho over >> ${log}\n`;
  const script = await saveScript(first.who, body, { changes: true });
  return { script, log, letGo: () => rmSync(hold) };
};

beforeAll(async () => {
  [postgres, sshd] = await Promise.all([startTestPostgres(), startSshd()]);
  [first, second] = await Promise.all([boot(), boot()]);
});
afterAll(async () => {
  for (const backend of open) await backend.stop();
  await sshd?.stop();
  await postgres?.stop();
});

test(`${MANY} runs started at once in two processes all succeed, one after the other, in the order of the requests`, async () => {
  const server = await registerAt(first.who, sshd, 'busy');
  const { script, log, letGo } = await changing('many');
  const start = (at: number) => startFleet((at % 2 ? first : second).who, { servers: [server], script });
  const fleets = await Promise.all(Array.from({ length: MANY }, (_, at) => start(at)));
  await inLine(MANY - 1)(server);
  const waiting = (await runsOn(server)).filter(({ waitsFor }) => waitsFor);
  // Newest first, so the places count down. All wait for the one that is under way.
  expect(waiting.map(({ waitsFor }) => waitsFor?.place)).toEqual(
    Array.from({ length: MANY - 1 }, (_, at) => MANY - 1 - at),
  );
  const underWay = (await runsOn(server)).find(({ state }) => state === 'running');
  expect(new Set(waiting.map(({ waitsFor }) => waitsFor?.id))).toEqual(new Set([underWay?.id]));
  letGo();
  for (const fleet of fleets)
    expect((await endedFleet(first.who, fleet)).run).toMatchObject({ state: 'succeeded' });
  expect(linesIn(log)).toEqual(Array.from({ length: MANY }, () => ['begun', 'over']).flat());
  const runs = (await runsOn(server)).filter(({ kind }) => kind === 'script').toReversed();
  expect(runs).toHaveLength(MANY);
  const starts = runs.map(({ startedAt }) => startedAt ?? '');
  expect(starts).toEqual(starts.toSorted());
  for (const run of runs) expect(run).not.toHaveProperty('linePosition');
});

test('a process that is killed while its run holds the server does not hold the line', async () => {
  const third = await boot();
  const server = await registerAt(first.who, sshd, 'killed');
  const { script, log, letGo } = await changing('killed');
  const holder = await startFleet(third.who, { servers: [server], script });
  await until(() => linesIn(log).length === 1);
  // Of those in line, some wait in the process that dies.
  const others: string[] = [];
  for (const { who } of [third, first, third, second])
    others.push(await startFleet(who, { servers: [server], script }));
  await inLine(4)(server);
  await third.backend.kill('SIGKILL');
  letGo();
  for (const fleet of [holder, ...others])
    expect((await endedFleet(first.who, fleet)).run).toMatchObject({ state: 'succeeded' });
  expect(linesIn(log)).toEqual(Array.from({ length: 5 }, () => ['begun', 'over']).flat());
});

test('runs of two records of one machine wait for each other', async () => {
  const { who } = first;
  const [one, twin] = [await registerAt(who, sshd, 'one'), await registerAt(who, sshd, 'twin')];
  for (const id of [one, twin]) expect((await who.post('server/contact', { id })).status).toBe(200);
  const { script, log, letGo } = await changing('twins');
  const holder = await startFleet(who, { servers: [one], script });
  await until(() => linesIn(log).length === 1);
  const waiting = await startFleet(who, { servers: [twin], script });
  while (!(await runsOn(twin)).some((run) => 'linePosition' in run)) await pause(20);
  letGo();
  for (const fleet of [holder, waiting])
    expect((await endedFleet(who, fleet)).run).toMatchObject({ state: 'succeeded' });
  expect(linesIn(log)).toEqual(['begun', 'over', 'begun', 'over']);
});

test('a person is told which run is in the way, and may wait; a waiting run can be cancelled at once', async () => {
  const { who } = first;
  const server = await registerAt(who, sshd, 'asked');
  const { script, log, letGo } = await changing('asked');
  const fleet = await startFleet(who, { servers: [server], script });
  await until(() => linesIn(log).length === 1);
  const holder = (await endedOrRunning(who, fleet)).hosts[0]?.runId;
  const installs = (headers = {}) =>
    who.post<{ runId: string; msg: string; current: object }>('server/init', { id: server }, headers);
  const refused = await installs();
  expect([refused.status, refused.body]).toEqual([
    409,
    {
      msg: expect.stringMatching(
        /^script .* is under way on asked, started by .*: wait for it to end, or cancel it$/,
      ),
      current: expect.objectContaining({ runId: holder, mayWait: true }),
    },
  ]);
  const waits = { 'x-wait-in-line': 'true' };
  const [one, two] = [await installs(waits), await installs(waits)];
  expect([one.status, two.status]).toEqual([200, 200]);
  expect(await runUntil(two.body.runId, ({ waitsFor }) => waitsFor?.place === 2)).toMatchObject({
    state: 'requested',
    waitsFor: { id: holder, of: 'asked', place: 2 },
  });
  // The one behind moves up.
  expect((await who.post('run/cancel', { id: one.body.runId })).status).toBe(200);
  expect(await runUntil(one.body.runId, ({ state }) => state === 'cancelled')).toMatchObject({ steps: [] });
  expect((await runOf(two.body.runId)).waitsFor).toMatchObject({ id: holder, place: 1 });
  expect(linesIn(log)).toEqual(['begun']);
  // Its turn must not come: it would set up this very machine.
  expect((await who.post('run/cancel', { id: two.body.runId })).status).toBe(200);
  expect(await runUntil(two.body.runId, ({ state }) => state === 'cancelled')).toMatchObject({ steps: [] });
  letGo();
  await endedFleet(who, fleet);
});

test('a run whose turn does not come in time ends without a step, and can be retried in line', async () => {
  const hasty = await boot({ RUN_WAIT_SECONDS: '1' });
  const server = await registerAt(first.who, sshd, 'hasty');
  const { script, log, letGo } = await changing('hasty');
  const holder = await startFleet(first.who, { servers: [server], script });
  await until(() => linesIn(log).length === 1);
  const late = await endedFleet(hasty.who, await startFleet(hasty.who, { servers: [server], script }));
  expect(late.hosts[0]?.run).toMatchObject({ state: 'failed', code: 'waitedTooLong', steps: [] });
  expect(late.hosts[0]?.run?.reason).toMatch(
    /^Its turn on hasty did not come within 1 second, so nothing was done\. Now script .* is under way on hasty, started by .*\.$/,
  );
  await hasty.backend.stop();
  const part = late.hosts[0]?.runId ?? '';
  const retry = () => first.who.post('run/retry', { id: part }, { 'x-wait-in-line': 'true' });
  expect((await retry()).status).toBe(200);
  await runUntil(part, ({ state, waitsFor }) => state === 'requested' && waitsFor?.place === 1);
  letGo();
  await endedFleet(first.who, holder);
  expect((await runUntil(part, ({ endedAt }) => endedAt !== undefined)).state).toBe('succeeded');
  expect(linesIn(log)).toEqual(['begun', 'over', 'begun', 'over']);
});

const endedOrRunning = (who: Operator, fleet: string) =>
  fleetUntil(who, fleet, ({ hosts }) => hosts[0]?.run?.state === 'running');

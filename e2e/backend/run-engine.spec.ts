// covers: SRV-14
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunView } from '@quarterdeck/projections';
import type { Operator } from '../../testing/backend';
import { startSshd, type Sshd } from '../../testing/sshd';
import { Decisions } from '../../apps/backend/src/platform/decisions';
import { EVENT_STORE, type EventStore } from '../../apps/backend/src/platform/tokens';
import { CancelRun, runsDecider } from '../../apps/backend/src/runs/runs.decider';
import { RunSteps } from '../../apps/backend/src/runs/run-steps';
import { openWorld, registerAt, type World } from './world';

let world: World;
let alice: Operator;
let folder: string;
let sshd: Sshd;
let id: string;

const DOCKER = (at: string): string => `#!/bin/sh
case "$*" in
  version*) echo 28; exit 0 ;;
  *--quiet*) echo one; exit 0 ;;
esac
echo $$ >>${at}/started
while [ -e ${at}/hold ]; do sleep 0.05; done
[ ! -e ${at}/broken ] || { echo 'the daemon is ill' >&2; exit 5; }
echo "did $*"
`;

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
const at = (name: string): string => join(folder, name);
const exec = (cmdType: number, runId = randomUUID(), who = alice) =>
  who.post<Record<string, unknown>>('server/execCmd', { id, cmdType, runId });
const runOf = async (run: string): Promise<RunView> =>
  (await alice.post<RunView>('run/detail', { id: run })).body;
const until = async (run: string, state: RunView['state']): Promise<RunView> => {
  for (;;) {
    const view = await runOf(run);
    if (view.state === state) return view;
    await pause(20);
  }
};
const started = (): number =>
  existsSync(at('started')) ? readFileSync(at('started'), 'utf8').trim().split('\n').length : 0;
const atWork = async (times = 1): Promise<void> => {
  while (started() < times) await pause(10);
};

beforeAll(async () => {
  world = await openWorld();
  alice = await world.backend.signIn({ email: 'alice@example.org' });
});
afterAll(() => world?.end());
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quarterdeck-engine-'));
  chmodSync(folder, 0o777);
  writeFileSync(at('docker'), DOCKER(folder), { mode: 0o755 });
  sshd = await startSshd({ path: `${folder}:/usr/bin:/bin` });
  id = await registerAt(alice, sshd);
});
afterEach(async () => {
  rmSync(at('hold'), { force: true });
  await sshd.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('a run that changes a server', () => {
  test('refuses a second one, and says which run is active and who started it', async () => {
    writeFileSync(at('hold'), '');
    const first = randomUUID();
    const pruning = exec(7, first);
    await atWork();
    const bob = await world.backend.signIn({ email: 'bob@example.org' });
    const refused = await exec(7, randomUUID(), bob);
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      msg: expect.stringMatching(/Docker prune is under way on web-.*started by .*alice/i) as string,
      current: { runId: first, kind: 'command', label: 'Docker prune' },
    });
    // A run that changes nothing is not refused.
    rmSync(at('hold'));
    expect((await exec(2)).status).toBe(200);
    expect((await pruning).status).toBe(200);
    expect((await exec(7)).status).toBe(200);
  });

  test('is joined by the same id, and blocks nobody after its end', async () => {
    const run = randomUUID();
    const answers = await Promise.all([exec(7, run), exec(7, run), exec(7, run)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(started()).toBe(1);
    expect((await exec(7, run)).body).toEqual(answers[0]?.body);
    expect((await exec(7)).status).toBe(200);
    expect(started()).toBe(2);
  });
});

describe('a run that failed', () => {
  test('continues from the failed step after a retry, in the same run', async () => {
    writeFileSync(at('broken'), '');
    const run = randomUUID();
    expect((await exec(2, run)).body).toMatchObject({
      state: 'failed',
      exitCode: 5,
      reason: expect.stringContaining('"the daemon is ill"'),
    });
    rmSync(at('broken'));
    expect((await alice.post('run/retry', { id: run })).status).toBe(200);
    const view = await until(run, 'succeeded');
    expect(view.steps.map(({ attempt, state }) => [attempt, state])).toEqual([
      [1, 'failed'],
      [2, 'succeeded'],
    ]);
    const { body } = await alice.post<{ chunks: { attempt: number; text: string }[] }>('run/output', {
      id: run,
    });
    expect(body.chunks.map(({ attempt, text }) => [attempt, text.trim()])).toEqual([
      [1, 'the daemon is ill'],
      [2, expect.stringContaining('did ps')],
    ]);
    // A successful run has nothing to retry.
    expect((await alice.post('run/retry', { id: run })).status).toBe(422);
  });

  test('is retried once, however many ask at once', async () => {
    writeFileSync(at('broken'), '');
    const run = randomUUID();
    await exec(2, run);
    rmSync(at('broken'));
    const answers = await Promise.all(Array.from({ length: 5 }, () => alice.post('run/retry', { id: run })));
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 422)).toEqual(
      [],
    );
    await until(run, 'succeeded');
    expect(started()).toBe(2);
  });
});

describe('a cancelled run', () => {
  test('starts no step if another process cancels it while this one begins', async () => {
    const { app } = world.backend;
    const decisions = app.get(Decisions, { strict: false });
    const elsewhere = new Decisions(app.get<EventStore>(EVENT_STORE, { strict: false }));
    const run = randomUUID();
    const execute = decisions.execute.bind(decisions);
    const spy = jest.spyOn(decisions, 'execute').mockImplementation(async (decider, command) => {
      if (command.type === 'StartRunStep' && command.id === run)
        await elsewhere.execute(
          runsDecider,
          new CancelRun(run, {}, { ...command.meta, commandId: randomUUID(), keyed: undefined }),
        );
      return execute(decider, command);
    });
    try {
      expect((await exec(2, run)).body).toMatchObject({ state: 'cancelled' });
    } finally {
      spy.mockRestore();
    }
    expect(await runOf(run)).toMatchObject({ state: 'cancelled', steps: [] });
    expect(started()).toBe(0);
  });

  test('shows the request at once, and is cancelled when its processes are gone', async () => {
    writeFileSync(at('hold'), '');
    const run = randomUUID();
    const running = exec(2, run);
    await atWork();
    expect((await alice.post('run/cancel', { id: run })).status).toBe(200);
    expect((await runOf(run)).cancelRequested).toMatchObject({ by: expect.any(String) as string });
    const view = await until(run, 'cancelled');
    expect(view.steps).toMatchObject([{ state: 'cancelled' }]);
    expect((await running).body).toMatchObject({ state: 'cancelled' });
    // A repeated cancel, and one after the end, have no effect.
    expect((await alice.post('run/cancel', { id: run })).status).toBe(200);
    expect((await runOf(run)).revision).toBe(view.revision);
  });
});

const left = (run: string): string[] => {
  const place = join(sshd.home ?? 'no home', '.quarterdeck');
  return existsSync(place) ? readdirSync(place).filter((name) => name.startsWith(run)) : [];
};

test('files of a run on the server are removed after its end', async () => {
  writeFileSync(at('hold'), '');
  const run = randomUUID();
  const running = exec(7, run);
  await atWork();
  expect(left(run)).toEqual([`${run}-dockerPrune-1`]);
  rmSync(at('hold'));
  await running;
  while (left(run).length > 0) await pause(20);
});

test('files that a slow server does not remove at first are removed later, and the run has succeeded', async () => {
  const { cleaning } = world.backend.app.get(RunSteps, { strict: false });
  const before = { ...cleaning };
  Object.assign(cleaning, { attempts: 1_000, firstMs: 1, longestMs: 100 });
  writeFileSync(
    at('rm'),
    `#!/bin/sh\n[ -e ${at('slow')} ] || exec /bin/rm "$@"\necho >>${at('tried')}\nexit 1\n`,
    { mode: 0o755 },
  );
  writeFileSync(at('hold'), '');
  const run = randomUUID();
  const running = exec(7, run);
  await atWork();
  writeFileSync(at('slow'), '');
  rmSync(at('hold'));
  expect((await running).body).toMatchObject({ state: 'succeeded' });
  while (!existsSync(at('tried'))) await pause(20);
  expect(left(run)).toEqual([`${run}-dockerPrune-1`]);
  rmSync(at('slow'));
  while (left(run).length > 0) await pause(20);
  Object.assign(cleaning, before);
});

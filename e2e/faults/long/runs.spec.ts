// covers: SRV-14
import { randomUUID } from 'node:crypto';
import type { RunView } from '@quarterdeck/projections';
import { Client, type QueryResult } from 'pg';
import { registerAt, fieldsOf } from '../../backend/world';
import { signIn, spawnBackend, type BackendProcess, type Operator } from '../../../testing/backend';
import { operator } from '../../../testing/operator';
import { startTestPostgres, type TestPostgres } from '../../../testing/postgres';
import { startTcpProxy } from '../../../testing/tcp-proxy';
import { pause } from '../../../testing/patience';
import { fault, moment, within } from '../fault';
import { reading, startTalkingServer, talk, TALK_MS, type TalkingServer } from '../talking-server';

let postgres: TestPostgres;
let server: TalkingServer;
/** The back end of all trials: each trial leaves one running, and begins with a new server. */
let backend: BackendProcess;
let who: Operator;

const open: BackendProcess[] = [];
const start = async (port = 0): Promise<BackendProcess> => {
  const one = await spawnBackend({ databaseUrl: postgres.url, port });
  open.push(one);
  return one;
};
/** Another process on the same database, at the same address. */
const again = async (): Promise<void> => {
  backend = await start(Number(new URL(backend.url).port));
};

beforeAll(async () => {
  postgres = await startTestPostgres({ own: true });
  backend = await start();
  who = await signIn(backend.url, backend.signInLink);
});
afterAll(async () => {
  for (const one of open) await one.stop();
  await postgres?.stop();
});

const asked = async <T>(path: string, body: unknown) =>
  who.post<T>(path, body).catch(() => ({ status: 0, body: {} as T }));

const stateOf = async (id: string): Promise<Partial<RunView>> =>
  (await asked<Partial<RunView>>('run/detail', { id })).body;

const textOf = async (id: string, attempt = 1): Promise<string> => {
  let text = '';
  for (let after = 0; ;) {
    const { body } = await who.post<{
      chunks: { seq: number; text: string; attempt: number }[];
      more: boolean;
    }>('run/output', { id, after });
    text += body.chunks
      .filter((chunk) => chunk.attempt === attempt)
      .map((chunk) => chunk.text)
      .join('');
    after = body.chunks.at(-1)?.seq ?? after;
    if (!body.more) return text;
  }
};

const ended = (run: string): Promise<number> =>
  within(60_000, 'the end of the run', async () =>
    ['succeeded', 'failed', 'interrupted', 'cancelled'].includes((await stateOf(run)).state ?? ''),
  );

/** Expects the run to have ended by itself: every attempt but the last was lost, and the last has the whole output. */
const expectRead = async (run: string): Promise<string> => {
  const took = await ended(run);
  const { state, steps = [] } = await stateOf(run);
  const last = steps.at(-1)?.attempt ?? 0;
  expect([state, steps.slice(0, -1).filter((step) => step.state !== 'lost')]).toEqual(['succeeded', []]);
  expect(await textOf(run, last)).toBe(reading);
  const { body } = await who.post<{ steps: { matches: boolean }[] }>('run/check', { id: run });
  expect(body.steps.every(({ matches }) => matches)).toBe(true);
  await within(10_000, 'the end of every process there', () => server.processes().length === 0);
  return `${last} attempts, ended ${String(took).padStart(5)} ms later`;
};

/** Expects the run to have ended by itself, with exactly the bytes of an undisturbed run, and without repetition. */
const expectWhole = async (run: string): Promise<string> => {
  const took = await ended(run);
  expect(await stateOf(run)).toMatchObject({ state: 'succeeded', steps: [{ attempt: 1, exitCode: 0 }] });
  expect(await textOf(run)).toBe(talk);
  expect([server.started().length, server.finished().length]).toEqual([1, 1]);
  const { body } = await who.post<{ steps: { matches: boolean }[] }>('run/check', { id: run });
  expect(body.steps.map(({ matches }) => matches)).toEqual([true]);
  return `ended ${String(took).padStart(5)} ms later`;
};

/** Runs `work` with the talking server registered. */
const withServer = async <T>(work: (id: string) => Promise<T>): Promise<T> => {
  server = await startTalkingServer();
  try {
    // An earlier trial may have failed before it started the next process.
    if (backend.child.exitCode !== null || backend.child.signalCode !== null) await again();
    return await work(await registerAt(who, server.sshd));
  } finally {
    await server.stop();
  }
};

const queried = async (text: string, values: unknown[]): Promise<QueryResult<{ holder: string }>> => {
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  const answer = await client.query<{ holder: string }>(text, values);
  await client.end();
  return answer;
};

/** The process that drives the run; undefined after the run has ended. */
const holderOf = async (run: string): Promise<string | undefined> =>
  (await queried('select holder from app.leases where name = $1', [`run-${run}`])).rows[0]?.holder;

const CHANGES = 7;
const READS = 2;

const begin = (id: string, cmdType = CHANGES): string => {
  const runId = randomUUID();
  void asked('server/execCmd', { id, cmdType, runId });
  return runId;
};

fault({
  fault: 'kill -9 of the back end in mid-run',
  must: 'the work goes on, the next process carries the run to its end, every byte once',
  trial: (turn) =>
    withServer(async (id) => {
      await who.post('server/contact', { id });
      const run = begin(id);
      // Instants from before the start of the work to after its end.
      await within(5_000, 'the request', async () => (await stateOf(run)).id === run);
      await pause(moment(turn, TALK_MS));
      await backend.kill('SIGKILL');
      await again();
      return await expectWhole(run);
    }),
});

fault({
  fault: 'a stop of the back end in mid-run',
  must: 'the stop does not wait for the work, and the next process carries the run to its end',
  trial: (turn) =>
    withServer(async (id) => {
      const run = begin(id);
      await server.atWork();
      await pause(moment(turn, TALK_MS / 2));
      expect(await backend.stop()).toBe(0);
      await again();
      return await expectWhole(run);
    }),
});

fault({
  fault: 'two back ends, the one that drives the run killed',
  must: 'the other takes it up within 3 s and carries it on, every byte once',
  trial: (turn) =>
    withServer(async (id) => {
      const first = backend;
      const second = await start();
      const run = begin(id);
      await server.atWork();
      await pause(moment(turn, TALK_MS / 2));
      const holder = await holderOf(run);
      await first.kill('SIGKILL');
      [backend, who] = [second, operator(second.url, who.cookie)];
      const took = await within(3_000, 'the take-over', async () => (await holderOf(run)) !== holder);
      return `taken up after ${String(took).padStart(4)} ms, ${await expectWhole(run)}`;
    }),
});

/** Freezes the process that drives a run, and wakes it as soon as another one has taken the run over. */
const freeze = (turn: number, meanwhile: (run: string) => Promise<unknown>): Promise<string> =>
  withServer(async (id) => {
    const first = backend;
    const second = await start();
    const run = begin(id);
    await server.atWork();
    await pause(moment(turn, TALK_MS / 2));
    const holder = await holderOf(run);
    first.child.kill('SIGSTOP');
    try {
      [backend, who] = [second, operator(second.url, who.cookie)];
      await meanwhile(run);
      const took = await within(5_000, 'the take-over', async () => (await holderOf(run)) !== holder);
      first.child.kill('SIGCONT');
      // It answers again, so it is awake, and had its chance to write.
      await within(5_000, 'its awakening', async () => (await fetch(`${first.url}/api/health/live`)).ok);
      return `taken up after ${String(took).padStart(4)} ms, ${await expectWhole(run)}`;
    } finally {
      first.child.kill('SIGCONT');
      await first.stop();
    }
  });

fault({
  fault: 'two back ends, the one that drives the run frozen, and woken after the take-over',
  must: 'the other takes it up within 5 s and carries it on, the woken one adds nothing, every byte once',
  trial: (turn) => freeze(turn, async () => undefined),
});

fault({
  fault: 'the same, and the clock of the database set back by an hour meanwhile',
  must: 'the other takes it up within 5 s all the same',
  share: 0.5,
  trial: (turn) =>
    freeze(turn, (run) =>
      // To all who read it, the lease now ends an hour later.
      queried(`update app.leases set until = until + interval '1 hour' where name = $1`, [`run-${run}`]),
    ),
});

fault({
  fault: 'the SSH connection cut in mid-run',
  must: 'the run follows the work again, every byte once',
  trial: (turn) =>
    withServer(async () => {
      const proxy = await startTcpProxy(server.sshd);
      try {
        const { privateKey } = await server.sshd.keyFor('ed25519');
        const at = { host: proxy.host, port: proxy.port, username: server.sshd.username };
        const { body } = await who.post<{ id: string }>('server/insert', {
          ...fieldsOf('behind', at),
          privateKey,
        });
        await who.post('server/contact', { id: body.id });
        const run = begin(body.id);
        await pause(moment(turn, TALK_MS));
        proxy.cut();
        await pause(moment(turn + 5, 500));
        proxy.pass();
        return await expectWhole(run);
      } finally {
        await proxy.stop();
      }
    }),
});

fault({
  fault: 'sshd killed, or kill -9 of the back end, in mid-run of a command that only reads',
  must: 'the command is run again, its last output is whole, and nothing of it is left on the server',
  trial: (turn) =>
    withServer(async (id) => {
      const run = begin(id, READS);
      await server.atWork();
      await pause(moment(turn, TALK_MS));
      server.sshd.kill('SIGKILL');
      await pause(moment(turn + 3, 1000));
      await server.sshd.startAgain();
      await pause(moment(turn + 5, TALK_MS));
      await backend.kill('SIGKILL');
      await again();
      return expectRead(run);
    }),
});

fault({
  fault: 'sshd killed in mid-run and started again',
  must: 'the work goes on and the run follows it again, every byte once',
  trial: (turn) =>
    withServer(async (id) => {
      await who.post('server/contact', { id });
      const run = begin(id);
      await server.atWork();
      await pause(moment(turn, TALK_MS));
      server.sshd.kill('SIGKILL');
      await pause(moment(turn + 3, 1000));
      await server.sshd.startAgain();
      return expectWhole(run);
    }),
});

fault({
  fault: 'Postgres restarted in mid-run',
  must: 'the run comes to its end by itself, every byte once',
  trial: (turn) =>
    withServer(async (id) => {
      const run = begin(id);
      await server.atWork();
      await pause(moment(turn, TALK_MS));
      await postgres.restart('immediate');
      return await expectWhole(run);
    }),
});

fault({
  fault: 'a run cancelled in mid-run',
  must: 'its processes on the server are gone, and it is cancelled, not before',
  trial: (turn) =>
    withServer(async (id) => {
      const run = begin(id);
      await server.atWork();
      expect(server.processes()).not.toEqual([]);
      await pause(moment(turn, TALK_MS / 2));
      expect((await who.post('run/cancel', { id: run })).status).toBe(200);
      const took = await within(10_000, 'the end of the run', async () => {
        const { state } = await stateOf(run);
        if (state === 'cancelled') expect(server.processes()).toEqual([]);
        return state === 'cancelled';
      });
      expect(server.finished()).toEqual([]);
      expect(talk.startsWith(await textOf(run))).toBe(true);
      return `cancelled after ${String(took).padStart(5)} ms`;
    }),
});

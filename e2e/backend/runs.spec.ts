// covers: AUD-02, SRV-14
import { randomUUID } from 'node:crypto';
import type { NewEvent } from '@quarterdeck/events';
import type { RunView } from '@quarterdeck/projections';
import { startBackend, type Operator, type RunningBackend } from '../../testing/backend';
import { startTestPostgres } from '../../testing/postgres';
import { startSshd, type Sshd } from '../../testing/sshd';
import { startTcpProxy } from '../../testing/tcp-proxy';
import { connectSocket, textOf } from '../../testing/socket';
import { fieldsOf, openWorld, registerAt, startSlowServer, type World } from './world';
import { pause, until } from '../../testing/patience';

let world: World;
let sshd: Sshd;
let second: RunningBackend;
let alice: Operator;
/** The same operator in the other process. */
let elsewhere: Operator;
let id: string;

const runOf = async (run: string) => (await alice.post<RunView>('run/detail', { id: run })).body;

beforeAll(async () => {
  [world, sshd] = await Promise.all([openWorld(), startSshd()]);
  second = await world.another();
  alice = await world.backend.signIn({ email: 'alice@example.org' });
  elsewhere = await second.signIn({ email: 'alice@example.org' });
  id = await registerAt(alice, sshd, 'web-1');
});
afterAll(async () => {
  await world?.end();
  await sshd?.stop();
});

describe('two back ends on one database', () => {
  test('push what the other recorded, in order', async () => {
    const sockets = await Promise.all([alice, elsewhere].map((who) => connectSocket(who)));
    const from = (await alice.post('server/list')).headers.get('x-position') ?? '0';
    for (const socket of sockets) await socket.resume(from);
    const key = (await sshd.keyFor('ed25519')).privateKey;
    for (let i = 0; i < 20; i++)
      await (i % 2 ? alice : elsewhere).post('server/insert', {
        ...fieldsOf(`pair-${i}`, sshd),
        privateKey: key,
      });
    for (const socket of sockets) {
      await socket.until(() => socket.changes.length >= 20);
      expect(socket.changes).toEqual(sockets[0]?.changes);
      expect(socket.changes).toHaveLength(20);
      socket.close();
    }
  });

  test('read what the other wrote: each answer waits for its own change', async () => {
    const key = (await sshd.keyFor('ed25519')).privateKey;
    for (let i = 0; i < 10; i++) {
      const who = i % 2 ? alice : elsewhere;
      const { body } = await who.post('server/insert', { ...fieldsOf(`own-${i}`, sshd), privateKey: key });
      expect((await who.post('server/detail', { id: body.id })).status).toBe(200);
    }
  });

  test('show the output of a run that the other follows', async () => {
    const runId = randomUUID();
    const socket = await connectSocket(elsewhere);
    const watching = socket.watch(runId);
    const { body } = await alice.post('server/execCmd', { id, cmdType: 5, runId });
    expect(await watching).toEqual({ ok: true });
    await socket.until(() => textOf(socket.output.get(runId)) === body.out);
    expect(socket.output.get(runId)?.every(({ seq }, index) => seq === index + 1)).toBe(true);
    socket.close();
  });

  test('run the same run id once, and give equal answers', async () => {
    const runId = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 ? alice : elsewhere).post('server/execCmd', { id, cmdType: 1, runId }),
      ),
    );
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(await runOf(runId)).toMatchObject({ revision: 3, steps: [{ attempt: 1 }] });
    const leases = `select from app.leases where name = $1`;
    await until(async () => (await world.backend.db.query(leases, [`run-${runId}`])).rowCount === 0);
  });
});

describe('a run that no process follows any more', () => {
  /** As left by a process that was killed during the run. */
  const orphan = async (lease: 'expired' | 'none'): Promise<string> => {
    const run = randomUUID();
    const { rows } = await world.backend.db.query('select workspace from read.servers limit 1');
    const requested = new Date(Date.now() - 20 * 60_000).toISOString();
    const meta = () => ({
      id: randomUUID(),
      at: requested,
      actor: 'system',
      workspace: String(rows[0].workspace),
      correlationId: run,
      causationId: run,
      v: '1',
    });
    const subject = { kind: 'server', id, name: 'web-1' };
    const events: NewEvent[] = [
      { type: 'RunRequested', data: { kind: 'command', subject, input: { cmdType: 7 } }, meta: meta() },
      { type: 'RunStepStarted', data: { step: 'dockerPrune', attempt: 1 }, meta: meta() },
    ];
    if (lease === 'expired')
      await world.backend.db.query(`insert into app.leases values ($1, $2, 1, '-infinity')`, [
        `run-${run}`,
        randomUUID(),
      ]);
    await world.backend.resources.store.append(`run-${run}`, events, 'no_stream');
    return run;
  };

  test('is interrupted once, with the reason, if its step was not begun in time', async () => {
    const run = await orphan('expired');
    await until(async () => (await runOf(run)).state === 'interrupted');
    expect(await runOf(run)).toMatchObject({
      revision: 3,
      reason: expect.stringMatching(/The script was not run|no longer exist/) as string,
      steps: [{ state: 'lost', attempt: 1 }],
    });
    // Repeating the call does not run anything a second time.
    const again = await alice.post('server/execCmd', { id, cmdType: 7, runId: run });
    expect(again.body).toMatchObject({ state: 'interrupted', runId: run });
    expect((await runOf(run)).revision).toBe(3);
  });

  test('is found even if its lease is lost', async () => {
    const run = await orphan('none');
    await until(async () => (await runOf(run)).state === 'interrupted');
  });
});

test('a back end that is stopped hands its runs over: the work continues, and another finishes them', async () => {
  const [third, slow] = await Promise.all([world.another(), startSlowServer()]);
  try {
    const who = await third.signIn();
    const slowly = await registerAt(who, slow.sshd);
    const runId = randomUUID();
    const running = who.post('server/execCmd', { id: slowly, cmdType: 7, runId }).catch(() => undefined);
    await slow.atWork();
    await third.close();
    await running;
    await world.backend.caughtUp();
    expect((await runOf(runId)).state).toBe('running');
    // The cancel reaches the process that drives the run now.
    await alice.post('run/cancel', { id: runId });
    while ((await runOf(runId)).state === 'running') await pause(50);
    expect(await runOf(runId)).toMatchObject({
      state: 'cancelled',
      steps: [{ state: 'cancelled', attempt: 1 }],
    });
  } finally {
    await slow.stop();
  }
});

test('nothing runs while the log cannot be written, and later every run ends', async () => {
  const postgres = await startTestPostgres({ own: true });
  const proxy = await startTcpProxy(sshd);
  const backend = await startBackend({ databaseUrl: postgres.url });
  try {
    const who = await backend.signIn();
    const { privateKey } = await sshd.keyFor('ed25519');
    const at = { host: proxy.host, port: proxy.port, username: sshd.username };
    const { body } = await who.post('server/insert', { ...fieldsOf('behind', at), privateKey });
    await who.post('server/contact', { id: body.id });
    const answers: { status: number; retryAfter: string | null }[] = [];
    let going = true;
    const callers = Array.from({ length: 6 }, async () => {
      while (going) {
        const { status, headers } = await who.post('server/execCmd', { id: body.id, cmdType: 1 });
        answers.push({ status, retryAfter: headers.get('retry-after') });
        if (status !== 200) await pause(50);
      }
    });
    const done = () => answers.filter(({ status }) => status === 200).length;
    await until(() => done() > 5);
    await postgres.restart('immediate');
    await pause(1500);
    going = false;
    await Promise.all(callers);
    for (const { status, retryAfter } of answers.filter((answer) => answer.status !== 200)) {
      expect(status).toBe(503);
      expect(retryAfter).not.toBeNull();
    }
    const open = async () =>
      (await who.post<{ runs: RunView[] }>('run/list', { limit: 200 })).body.runs.filter(({ state }) =>
        /requested|running/.test(state),
      );
    await until(async () => (await open()).length === 0, 100);
    expect((await who.post('server/execCmd', { id: body.id, cmdType: 1 })).status).toBe(200);
  } finally {
    await backend.close();
    await proxy.stop();
    await postgres.stop();
  }
});

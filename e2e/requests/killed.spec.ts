/** The process that sends a request is killed in the middle of it. covers: REQ-02 */
import type { RunView } from '@quarterdeck/projections';
import { signIn, spawnBackend, type BackendProcess, type Operator } from '../../testing/backend';
import { until } from '../../testing/patience';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { startToldServer, withNothing, withStatus, type ToldServer } from '../../testing/told-server';

let postgres: TestPostgres;
let peer: ToldServer;
let backend: BackendProcess | undefined;
let alice: Operator;

const start = async (): Promise<void> => {
  backend = await spawnBackend({ databaseUrl: postgres.url, env: { OUTBOUND_ALLOW: '127.0.0.1' } });
  alice = await signIn(backend.url, backend.signInLink);
};
const ask = async <T>(path: string, body: object): Promise<T> => {
  const answer = await alice.post<T>(path, body);
  expect({ path, status: answer.status, body: answer.body }).toMatchObject({ status: 200 });
  return answer.body;
};

beforeAll(async () => {
  [postgres, peer] = await Promise.all([startTestPostgres(), startToldServer()]);
  await start();
});
afterAll(async () => {
  await backend?.stop();
  await Promise.all([peer?.stop(), postgres?.stop()]);
});

/** Sends a request whose answer does not come, and kills the process then. */
const killedDuring = async (method: number): Promise<{ run: string; before: number }> => {
  peer.answer(withNothing);
  const before = peer.asked.length;
  const data = { name: 'Killed', method: { id: method }, host: peer.url, url: '/killed' };
  const { id } = await ask<{ id: string }>('request/insert', { data });
  const { runId } = await ask<{ runId: string }>('request/execute', { id });
  await peer.came(before + 1);
  await backend?.kill('SIGKILL');
  peer.answer(withStatus(200, 'again'));
  await start();
  return { run: runId, before };
};
const ended = async (id: string): Promise<RunView> => {
  let run: RunView | undefined;
  await until(async () => {
    run = await ask<RunView>('run/detail', { id });
    return !['requested', 'running'].includes(run.state);
  });
  return run as RunView;
};

it('a POST is never sent twice: its outcome stays unknown', async () => {
  const { run, before } = await killedDuring(2);
  expect(await ended(run)).toMatchObject({
    state: 'interrupted',
    reason: expect.stringMatching(/process .* ended/),
  });
  expect(peer.asked.length).toBe(before + 1);
});

it('a POST that is cancelled right after is not called cancelled', async () => {
  peer.answer(withNothing);
  const { run, before } = await killedDuring(2);
  await alice.post('run/cancel', { id: run });
  expect(await ended(run)).toMatchObject({ state: 'interrupted' });
  expect(peer.asked.length).toBe(before + 1);
});

it('a GET is sent again', async () => {
  const { run, before } = await killedDuring(1);
  expect(await ended(run)).toMatchObject({ state: 'succeeded' });
  expect(peer.asked.length).toBe(before + 2);
});

it('a collection that is killed again and again sends no POST twice, and what was not sent later', async () => {
  const { id: collection } = await ask<{ id: string }>('request/collection/insert', {
    data: { name: 'Killed', stopOnError: false },
  });
  const paths = ['/a', '/b', '/c', '/d'];
  for (const [at, url] of paths.entries()) {
    const data = { name: url, host: peer.url, url, method: { id: 2 }, collection: { id: collection } };
    await ask('request/insert', { data: { ...data, sequence: at + 1 } });
  }
  const before = peer.asked.length;
  // The second and the third are never answered: the process is killed while it waits.
  peer.answer((response, { path }) => {
    if (path === '/a' || path === '/d') response.end();
  });
  const { runId } = await ask<{ runId: string }>('request/collection/run', { id: collection });
  for (const sent of [2, 3]) {
    await peer.came(before + sent);
    await backend?.kill('SIGKILL');
    await start();
  }
  const run = await ended(runId);
  expect(run).toMatchObject({ state: 'failed', reason: expect.stringMatching(/^2 requests failed/) });
  expect(peer.asked.slice(before).map(({ path }) => path)).toEqual(paths);
  const { results } = await ask<{ results: object[] }>('request/collection/results', { id: runId });
  expect(results).toMatchObject([
    { state: 'succeeded', status: 200 },
    { state: 'interrupted' },
    { state: 'interrupted' },
    { state: 'succeeded', status: 200 },
  ]);
});

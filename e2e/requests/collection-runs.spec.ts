/** Runs of collections that are gone on with, are long, or lose what they consist of. covers: REQ-02 */
import type { Answer, requestCollections } from '@quarterdeck/contract';
import { v7 as uuidv7 } from 'uuid';
import { startToldServer, withNothing, withStatus, type Answering } from '../../testing/told-server';
import { openRequestGround, type RequestGround } from './requests-ground';

let ground: RequestGround;
let { alice, peer, ask, save, ended } = {} as RequestGround;

beforeAll(async () => {
  ground = await openRequestGround();
  ({ alice, peer, ask, save, ended } = ground);
});
afterAll(() => ground?.end());

const collectionOf = async (data: object, all: object[]): Promise<{ id: string; ids: string[] }> => {
  const { id } = await ask<{ id: string }>('request/collection/insert', {
    data: { name: `C ${uuidv7()}`, ...data },
  });
  const ids: string[] = [];
  for (const [at, one] of all.entries())
    ids.push(await save({ collection: { id }, sequence: at + 1, ...one }));
  return { id, ids };
};
const start = async (id: string): Promise<string> =>
  (await ask<{ runId: string }>('request/collection/run', { id })).runId;
const resultsOf = (id: string) =>
  ask<Answer<typeof requestCollections.results>>('request/collection/results', { id });
const retried = async (run: string) => {
  await ask('run/retry', { id: run });
  return ended(run);
};
const POST = { method: { id: 2 } };
/** How often each path was asked for. */
const askedFor = (from: number): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { path } of peer.asked.slice(from)) counts[path] = (counts[path] ?? 0) + 1;
  return counts;
};

it('a stopped run is gone on with: a read that failed is sent again, and then what was not sent', async () => {
  const { id } = await collectionOf({}, [
    { name: 'First', url: '/first', ...POST },
    { name: 'Read', url: '/read' },
    { name: 'Last', url: '/last', ...POST },
  ]);
  const from = peer.asked.length;
  const broken: Answering = (response, { path }) => response.writeHead(path === '/read' ? 503 : 200).end();
  peer.answer(broken);
  const run = await start(id);
  expect(await ended(run)).toMatchObject({ state: 'failed', reason: 'Read: it was answered 503' });
  peer.answer(withStatus(200));
  expect(await retried(run)).toMatchObject({ state: 'succeeded' });
  expect(askedFor(from)).toEqual({ '/first': 1, '/read': 2, '/last': 1 });
  const { results } = await resultsOf(run);
  expect(results).toMatchObject([{ status: 200 }, { name: 'Read', status: 200 }, { status: 200 }]);
  expect(results.some(({ reason }) => reason !== undefined)).toBe(false);
});

it('what may have changed something is not sent again, and what never left is', async () => {
  const closed = await startToldServer();
  await closed.stop();
  const { id, ids } = await collectionOf({}, [
    { name: 'Refused', url: '/refused', ...POST },
    { name: 'Elsewhere', url: '/elsewhere', host: closed.url, ...POST },
    { name: 'Lost', url: '/lost', ...POST },
    { name: 'Last', url: '/last', ...POST },
  ]);
  const from = peer.asked.length;
  const mixed: Answering = (response, { path }) => {
    if (path === '/lost') response.destroy();
    else response.writeHead(path === '/refused' ? 409 : 200).end();
  };
  peer.answer(mixed);
  const run = await start(id);
  expect(await ended(run)).toMatchObject({ state: 'failed', reason: 'Refused: it was answered 409' });
  expect(await retried(run)).toMatchObject({ reason: expect.stringMatching(/^2 requests failed/) });
  await ask('request/update', { id: ids[1], data: { name: 'Elsewhere', host: peer.url } });
  expect(await retried(run)).toMatchObject({ reason: expect.stringMatching(/^2 requests failed/) });
  peer.answer(withStatus(200));
  expect(await retried(run)).toMatchObject({ state: 'failed' });
  expect(askedFor(from)).toEqual({ '/refused': 1, '/elsewhere': 1, '/lost': 1, '/last': 1 });
  expect((await resultsOf(run)).results).toMatchObject([
    { reason: 'it was answered 409' },
    { state: 'succeeded', status: 200 },
    { state: 'interrupted', reason: expect.stringMatching(/POST is not known/) },
    { state: 'succeeded', status: 200 },
  ]);
});

it('is shown as it was at an instant, with the answers of that time', async () => {
  const { id, ids } = await collectionOf({}, [
    { name: 'One', url: '/one', ...POST },
    { name: 'Two', url: '/two' },
  ]);
  let answer = (): void => undefined;
  const held: Answering = (response, { path }) => {
    if (path === '/two') answer = () => void response.end('second');
    else response.end('first');
  };
  const from = peer.asked.length;
  peer.answer(held);
  const run = await start(id);
  await peer.came(from + 2);
  const then = await ground.world.backend.resources.store.head();
  const at = async <T>(path: string, body: object) =>
    (await alice.post<T>(path, body, { 'x-at': then })).body;
  const resultsThen = () =>
    at<Answer<typeof requestCollections.results>>('request/collection/results', { id: run });
  const before = await resultsThen();
  answer();
  expect(await ended(run)).toMatchObject({ state: 'succeeded' });
  expect(before.results).toMatchObject([{ status: 200 }, { state: 'running' }]);
  expect(await resultsThen()).toEqual(before);
  expect((await resultsOf(run)).results).toMatchObject([{ status: 200 }, { status: 200 }]);
  const logsOf = (request?: string) => ['request/logs/list', { id: request }] as const;
  expect(await at(...logsOf(ids[0]))).toMatchObject([{ responseBody: 'first' }]);
  expect(await at(...logsOf(ids[1]))).toEqual([]);
  expect(await at('request/past', { id: ids[1], checks: 'status == 200' })).toMatchObject({ answers: [] });
  expect(await ask(...logsOf(ids[1]))).toMatchObject([{ responseBody: 'second' }]);
});

it('a run goes on when its collection and its requests are deleted, and says what it did not find', async () => {
  const { id, ids } = await collectionOf({ stopOnError: false }, [
    { name: 'Slow', url: '/slow' },
    { name: 'Gone', url: '/gone' },
    { name: 'There', url: '/there' },
  ]);
  const from = peer.asked.length;
  let answer = (): void => undefined;
  const held: Answering = (response, { path }) => {
    if (path === '/slow') answer = () => void response.end();
    else response.end();
  };
  peer.answer(held);
  const run = await start(id);
  await peer.came(from + 1);
  await ask('request/delete', { id: ids[1] });
  await ask('request/collection/delete', { id });
  answer();
  expect(await ended(run)).toMatchObject({ state: 'failed' });
  expect(askedFor(from)).toEqual({ '/slow': 1, '/there': 1 });
  const { results } = await resultsOf(run);
  expect(results[1]).toMatchObject({ name: 'Gone', reason: expect.stringMatching(/could not be found/) });
  expect((await alice.post('run/retry', { id: run })).status).toBe(404);
});

it('a cancelled run ends the request that is under way, and sends no other', async () => {
  const { id } = await collectionOf({}, [
    { name: 'Held', url: '/held', ...POST },
    { name: 'Next', url: '/next', ...POST },
  ]);
  const from = peer.asked.length;
  peer.answer(withNothing);
  const run = await start(id);
  await peer.came(from + 1);
  await ask('run/cancel', { id: run });
  expect(await ended(run)).toMatchObject({ state: 'cancelled' });
  expect((await resultsOf(run)).results).toMatchObject([{ state: 'interrupted' }, { name: 'Next' }]);
  expect(askedFor(from)).toEqual({ '/held': 1 });
});

it('at most 200 requests are sent in one run, and 200 are', async () => {
  const { id } = await collectionOf({}, []);
  const requests = Array.from({ length: 200 }, (_, at) => ({
    name: `R ${at}`,
    method: 'GET',
    host: peer.url,
    url: `/many/${at}`,
    params: [],
  }));
  await ask('request/import', { requests, collection: { id } });
  const more = await save({ collection: { id }, sequence: 201 });
  expect(await alice.post('request/collection/run', { id })).toMatchObject({
    status: 422,
    body: { msg: expect.stringMatching(/has 201 requests, and at most 200/) },
  });
  await ask('request/delete', { id: more });
  peer.answer(withStatus(204));
  const from = peer.asked.length;
  expect(await ended(await start(id))).toMatchObject({ state: 'succeeded' });
  expect(peer.asked.slice(from).map(({ path }) => path)).toEqual(requests.map(({ url }) => url));
});

/** covers: SHELL-09 */
import { nounFacts, placement, type ReadModel } from '@quarterdeck/events';
import { answerWith } from '../testing/network';
import { api, tagOf, tagsOf } from './api';
import { tagsOfEvent } from './live-cache';
import { createStore, type AppStore } from '../app/store';

const { readModels } = nounFacts;

const ID = '01930000-0000-7000-8000-000000000001';
const OTHER = '01930000-0000-7000-8000-000000000002';

const testApi = api.injectEndpoints({
  endpoints: (build) => ({
    list: build.query<{ id: string }[], ReadModel>({
      query: (model) => ({ url: `/${model}/list`, body: {} }),
      providesTags: (rows, _error, model) =>
        tagsOf(
          model,
          rows?.map(({ id }) => id),
        ),
    }),
    detail: build.query<unknown, { model: ReadModel; id: string }>({
      query: ({ model, id }) => ({ url: `/${model}/detail`, body: { id } }),
      providesTags: (_row, _error, { model, id }) => tagOf(model, id),
    }),
    pages: build.infiniteQuery<number, void, number>({
      infiniteQueryOptions: { initialPageParam: 0, getNextPageParam: (last) => last + 1 },
      query: ({ pageParam }) => ({ url: '/history/list', body: { page: pageParam } }),
      providesTags: tagsOf('history'),
    }),
  }),
});

const settle = () => jest.advanceTimersByTimeAsync(150);
/** Waits for the longest rest of a slow answer. */
const rest = () => jest.advanceTimersByTimeAsync(5150);

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['performance'] }));
afterEach(() => void jest.useRealTimers());

/** Shows every list, as if each were open somewhere. */
const openLists = async (
  position = () => '10',
): Promise<{
  store: AppStore;
  calls: { path: string }[];
  asked: () => string[];
}> => {
  const network = answerWith(
    Object.fromEntries(
      readModels.map((model) => [
        `POST /api/${model}/list`,
        () => ({ body: [{ id: ID }], position: position() }),
      ]),
    ),
  );
  const store = createStore();
  await Promise.all(readModels.map((model) => store.dispatch(testApi.endpoints.list.initiate(model))));
  network.calls.length = 0;
  return {
    store,
    calls: network.calls,
    asked: () => network.calls.map(({ path }) => path.split('/')[2] ?? '').sort(),
  };
};

const types = Object.keys(placement) as (keyof typeof placement)[];
const categories: Record<string, string> = {
  Server: 'server',
  Run: 'run',
  Person: 'person',
  SignIn: 'person',
  Workspace: 'workspace',
};
const streamOf = (type: string): string =>
  `${categories[Object.keys(categories).find((start) => type.startsWith(start)) ?? ''] ?? 'thing'}-${ID}`;

describe('an event', () => {
  test('of each type refetches exactly the read models that it makes stale', async () => {
    let newest = 10;
    const { store, calls, asked } = await openLists(() => String(newest));
    for (const type of types) {
      calls.length = 0;
      newest += 1;
      store.liveCache.push([{ type, stream: streamOf(type), position: String(newest) }]);
      await settle();
      expect([type, ...asked()]).toEqual([
        type,
        ...[...new Set([...placement[type].stale, 'history'])].sort(),
      ]);
    }
  });

  test('of an unknown type makes everything stale', async () => {
    const { store, asked } = await openLists();
    store.liveCache.push([{ type: 'ShipLaunched', stream: `ship-${ID}`, position: '11' }]);
    await settle();
    expect(asked()).toEqual([...readModels].sort());
  });

  test('named like a built-in property of objects counts as unknown', () => {
    expect(tagsOfEvent({ type: 'constructor', stream: 'x-1' })).toHaveLength(readModels.length);
  });

  test('of one server does not refetch the detail of another', async () => {
    const { calls } = answerWith({ 'POST /api/servers/detail': { body: {}, position: '10' } });
    const store = createStore();
    for (const id of [ID, OTHER])
      await store.dispatch(testApi.endpoints.detail.initiate({ model: 'servers', id }));
    calls.length = 0;
    store.liveCache.push([{ type: 'ServerRenamed', stream: `server-${ID}`, position: '11' }]);
    await settle();
    expect(calls.map(({ body }) => body)).toEqual([{ id: ID }]);
  });

  test('that the answer already includes refetches nothing', async () => {
    const { store, calls } = await openLists();
    store.liveCache.push([{ type: 'ServerRemoved', stream: `server-${ID}`, position: '10' }]);
    await settle();
    expect(calls).toEqual([]);
  });
});

test('a thousand events at once cause one refetch of each list', async () => {
  const { store, asked } = await openLists();
  for (let at = 11; at <= 1010; at++) {
    store.liveCache.push([{ type: 'ServerRenamed', stream: `server-${ID}`, position: String(at) }]);
  }
  await settle();
  expect(asked()).toEqual(['history', 'servers']);
});

test('an event that arrives while its list is being fetched is not lost', async () => {
  let answer: (() => void) | undefined;
  let position = '10';
  const { calls } = answerWith({
    'POST /api/servers/list': () =>
      new Promise((resolve) => {
        const at = position;
        answer = () => resolve({ body: [{ id: ID }], position: at });
      }),
  });
  const store = createStore();
  void store.dispatch(testApi.endpoints.list.initiate('servers'));
  await jest.advanceTimersByTimeAsync(0);
  store.liveCache.push([{ type: 'ServerRenamed', stream: `server-${ID}`, position: '11' }]);
  await settle();
  expect(calls).toHaveLength(1);
  position = '11';
  answer?.();
  await rest();
  expect(calls).toHaveLength(2);
  answer?.();
  await rest();
  expect(calls).toHaveLength(2);
});

describe('a storm of events', () => {
  const tookMs = 200;
  /** Pushes one event every ten milliseconds for `forMs`. */
  const storm = async (store: AppStore, forMs: number, log: { newest: number }): Promise<void> => {
    for (let ms = 0; ms < forMs; ms += 10) {
      log.newest += 1;
      store.liveCache.push([{ type: 'ServerRenamed', stream: `server-${ID}`, position: String(log.newest) }]);
      await jest.advanceTimersByTimeAsync(10);
    }
  };
  const openSlow = async (ms: number) => {
    const log = { newest: 10 };
    const { calls } = answerWith({
      'POST /api/servers/list': async () => {
        const position = String(log.newest);
        await new Promise((resolve) => setTimeout(resolve, ms));
        return { body: [{ id: position }], position };
      },
    });
    const store = createStore();
    void store.dispatch(testApi.endpoints.list.initiate('servers'));
    await jest.advanceTimersByTimeAsync(ms + 5000);
    calls.length = 0;
    return { log, calls, store };
  };

  test('refetches a slow list rarely, starts at once, and ends with the last state', async () => {
    const { log, calls, store } = await openSlow(tookMs);
    await storm(store, 300, log);
    expect(calls).toHaveLength(1);
    await storm(store, 20_000, log);
    // Each fetch takes 200 ms and then rests for 1.8 s.
    expect(calls.length).toBeGreaterThanOrEqual(9);
    expect(calls.length).toBeLessThanOrEqual(12);
    await rest();
    const { data } = testApi.endpoints.list.select('servers')(store.getState());
    expect(data).toEqual([{ id: String(log.newest) }]);
    const after = calls.length;
    await rest();
    expect(calls).toHaveLength(after);
  });

  test('never delays a very slow list for longer than five seconds', async () => {
    const { log, calls, store } = await openSlow(3000);
    await storm(store, 24_000, log);
    expect(calls).toHaveLength(3);
  });

  test('delays no other list, and none once the person returns to the tab', async () => {
    const { log, calls, store } = await openSlow(tookMs);
    await storm(store, 500, log);
    expect(calls).toHaveLength(1);
    const network = answerWith({ 'POST /api/runs/list': { body: [], position: '10' } });
    await store.dispatch(testApi.endpoints.list.initiate('runs'));
    store.liveCache.push([{ type: 'RunRequested', stream: `run-${ID}`, position: '2000' }]);
    await settle();
    expect(network.calls.map(({ path }) => path)).toEqual(['/api/runs/list', '/api/runs/list']);
    store.liveCache.flush();
    await jest.advanceTimersByTimeAsync(0);
    expect(network.calls.map(({ path }) => path)).toContain('/api/servers/list');
  });
});

test('an event makes all pages of an infinite list stale, even right after a page was added', async () => {
  let position = 10;
  const { calls } = answerWith({
    'POST /api/history/list': ({ body }) => ({
      body: (body as { page: number }).page,
      position: String(position),
    }),
  });
  const store = createStore();
  await store.dispatch(testApi.endpoints.pages.initiate());
  position = 12;
  store.liveCache.push([{ type: 'ServerRenamed', stream: `server-${ID}`, position: '11' }]);
  await store.dispatch(testApi.endpoints.pages.initiate(undefined, { direction: 'forward' }));
  calls.length = 0;
  await settle();
  expect(calls.map(({ body }) => body)).toEqual([{ page: 0 }, { page: 1 }]);
});

test('after a gap that is too long, everything on the screen is fetched again', async () => {
  const { store, asked } = await openLists();
  store.liveCache.resync('10');
  await settle();
  expect(asked()).toEqual([...readModels].sort());
});

test('a query pending during such a gap is fetched again if its answer predates the end of the gap', async () => {
  const answers: ((position: string) => void)[] = [];
  const { calls } = answerWith({
    'POST /api/servers/list': () =>
      new Promise((resolve) => answers.push((position) => resolve({ body: [{ id: position }], position }))),
  });
  const store = createStore();
  void store.dispatch(testApi.endpoints.list.initiate('servers'));
  await jest.advanceTimersByTimeAsync(0);
  store.liveCache.resync('20');
  await settle();
  expect(calls).toHaveLength(1);
  answers[0]?.('15');
  await rest();
  expect(calls).toHaveLength(2);
  answers[1]?.('20');
  await rest();
  expect(calls).toHaveLength(2);
});

test('a query that failed while the server was down is fetched again when it is back', async () => {
  const network = answerWith({ 'POST /api/servers/list': { status: 503, body: { msg: 'down' } } });
  const store = createStore();
  await store.dispatch(testApi.endpoints.list.initiate('servers'));
  network.on('POST /api/servers/list', { body: [], position: '10' });
  store.liveCache.retryFailed();
  await settle();
  expect(network.calls).toHaveLength(2);
  expect(testApi.endpoints.list.select('servers')(store.getState()).data).toEqual([]);
});

test('the console knows every read model that an event can make stale', () => {
  const stale = new Set(types.flatMap((type) => placement[type].stale as readonly ReadModel[]));
  expect(readModels).toEqual(expect.arrayContaining([...stale]));
});

test('a row created while a query for it is answered "not found" is fetched again', async () => {
  let refuse: (() => void) | undefined;
  const { calls } = answerWith({
    'POST /api/runs/detail': () =>
      new Promise((resolve) => {
        refuse = () => resolve({ status: 404, body: { msg: 'run could not be found' }, position: '10' });
      }),
  });
  const store = createStore();
  void store.dispatch(testApi.endpoints.detail.initiate({ model: 'runs', id: ID }));
  await jest.advanceTimersByTimeAsync(0);
  store.liveCache.push([{ type: 'RunRequested', stream: `run-${ID}`, position: '11' }]);
  await settle();
  expect(calls).toHaveLength(1);
  refuse?.();
  await rest();
  expect(calls).toHaveLength(2);
});

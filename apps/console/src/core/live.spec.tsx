/** covers: SHELL-09 */
import { waitFor } from '@testing-library/react';
import { LoopbackSocket } from '../testing/loopback-socket';
import { answerWith } from '../testing/network';
import { sessionOf } from '../testing/render';
import { api, tagsOf } from './api';
import type { OutputChunk } from '@quarterdeck/projections';
import { startLive, watchRun } from './live';
import { sessionStarted } from './session-state';
import { createStore } from '../app/store';

const testApi = api.injectEndpoints({
  endpoints: (build) => ({
    rows: build.query<unknown[], void>({
      query: () => ({ url: '/rows', body: {} }),
      providesTags: tagsOf('servers'),
    }),
  }),
});

const stops: (() => void)[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop()));

const connected = async () => {
  const network = answerWith({
    'POST /api/rows': { body: [], position: '10' },
    'GET /api/session': { body: sessionOf('admin') },
  });
  const store = createStore();
  store.dispatch(sessionStarted(sessionOf('admin')));
  const socket = new LoopbackSocket();
  socket.answer('resume', (payload) => ({ events: [], position: (payload as { after: string }).after }));
  stops.push(startLive(store, async () => socket.client));
  await waitFor(() => expect(socket.connected).toBe(true));
  await store.dispatch(testApi.endpoints.rows.initiate());
  await waitFor(() => expect(store.getState().connection).toMatchObject({ state: 'live', position: '10' }));
  const asked = () => network.calls.filter(({ path }) => path === '/api/rows');
  return { store, socket, network, asked };
};

const renamed = (position: string) => ({ type: 'ServerRenamed', stream: 'server-1', position });
const chunk = (seq: number): OutputChunk => ({
  seq,
  at: '2026-01-01T00:00:00.000Z',
  stream: 'out',
  text: `line ${seq}\n`,
});

test('first asks for the events after the first answer', async () => {
  const { socket } = await connected();
  expect(socket.sent).toContainEqual({ event: 'resume', payload: { after: '10' } });
});

test('a pushed change causes a refetch, and the same push again does not', async () => {
  const { socket, network, store, asked } = await connected();
  network.on('POST /api/rows', { body: [{ id: '1' }], position: '11' });
  socket.push('changes', { events: [renamed('11')], position: '11' });
  await waitFor(() => expect(asked()).toHaveLength(2));
  socket.push('changes', { events: [renamed('11')], position: '11' });
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(asked()).toHaveLength(2);
  expect(store.getState().connection.position).toBe('11');
});

test('after a lost connection, asks for the events after the last known position', async () => {
  const { socket, network, store, asked } = await connected();
  socket.lose();
  expect(store.getState().connection).toMatchObject({ state: 'reconnecting', since: expect.any(String) });
  socket.answer('resume', () => ({ events: [renamed('12')], position: '12' }));
  network.on('POST /api/rows', { body: [{ id: '1' }], position: '12' });
  socket.connect();
  await waitFor(() => expect(asked()).toHaveLength(2));
  expect(socket.sent.at(-1)).toEqual({ event: 'resume', payload: { after: '10' } });
  expect(store.getState().connection).toMatchObject({ state: 'live', position: '12' });
});

test('a push right after the answer does not hide the missed events in that answer', async () => {
  const { socket, network, store, asked } = await connected();
  socket.lose();
  socket.answer('resume', () => ({ events: [renamed('12')], position: '12' }));
  network.on('POST /api/rows', { body: [{ id: '1' }], position: '13' });
  socket.connect();
  socket.push('changes', {
    events: [{ type: 'RunRequested', stream: 'run-1', position: '13' }],
    position: '13',
  });
  await waitFor(() => expect(asked()).toHaveLength(2));
  expect(store.getState().connection.position).toBe('13');
});

test('fetches everything again when too many events were missed', async () => {
  const { socket, network, store, asked } = await connected();
  socket.answer('resume', () => ({ resync: true, position: '5000' }));
  network.on('POST /api/rows', { body: [], position: '5000' });
  socket.lose();
  socket.connect();
  await waitFor(() => expect(asked()).toHaveLength(2));
  expect(store.getState().connection.position).toBe('5000');
});

describe('a connection that socket.io does not reopen', () => {
  const AGES_MS = 60_000;
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['performance'] }));
  afterEach(() => jest.useRealTimers());

  test('is opened again when the server refused it temporarily', async () => {
    const { socket, store } = await connected();
    socket.lose();
    socket.refusal = 'unavailable';
    socket.connect();
    expect(store.getState().connection.state).toBe('reconnecting');
    await jest.advanceTimersByTimeAsync(AGES_MS);
    expect(store.getState().connection.state).toBe('offline');
    socket.refusal = undefined;
    await jest.advanceTimersByTimeAsync(AGES_MS);
    expect(socket.sent.at(-1)).toEqual({ event: 'resume', payload: { after: '10' } });
    expect(store.getState().connection.state).toBe('live');
  });

  test('is opened again when the server closed it', async () => {
    const { socket, store } = await connected();
    socket.dismiss();
    expect(store.getState().connection.state).toBe('reconnecting');
    await jest.advanceTimersByTimeAsync(AGES_MS);
    expect(store.getState().connection.state).toBe('live');
  });

  test('stays closed when nobody is signed in any more', async () => {
    const { socket, store } = await connected();
    socket.refusal = 'unauthorized';
    socket.dismiss();
    await jest.advanceTimersByTimeAsync(AGES_MS);
    expect(store.getState().session).toEqual({ endedBecause: 'Your session has ended. Sign in again.' });
    socket.refusal = undefined;
    await jest.advanceTimersByTimeAsync(AGES_MS);
    expect(socket.connected).toBe(false);
  });
});

test('after a role change, a reconnect brings the new role and clears data of the old one', async () => {
  const { socket, network, store } = await connected();
  network.on('GET /api/session', { body: sessionOf('member') });
  network.on('POST /api/rows', { status: 403, body: { msg: 'no' } });
  socket.lose();
  socket.connect();
  await waitFor(() => expect(store.getState().session.value?.permissions).toEqual(['member']));
  expect(testApi.endpoints.rows.select()(store.getState()).data).toBeUndefined();
});

describe('a server that is about to end', () => {
  const LEAVING_MS = 500;
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['performance'] }));
  afterEach(() => jest.useRealTimers());

  test('is left for another one without a word, and nothing is missed', async () => {
    const { socket, store } = await connected();
    const states: string[] = [];
    store.subscribe(() => states.push(store.getState().connection.state));
    socket.answer('resume', () => ({ events: [renamed('12')], position: '12' }));
    socket.push('leaving');
    await jest.advanceTimersByTimeAsync(LEAVING_MS);
    expect(socket.sent.at(-1)).toEqual({ event: 'resume', payload: { after: '10' } });
    expect(store.getState().connection).toMatchObject({ position: '12', times: 2 });
    expect(new Set(states)).toEqual(new Set(['live']));
  });

  test('is asked for again by a tab that reached it once more, which tells only if that takes long', async () => {
    const { socket, store } = await connected();
    socket.refusal = 'leaving';
    socket.push('leaving');
    await jest.advanceTimersByTimeAsync(LEAVING_MS);
    expect([socket.connected, store.getState().connection.state]).toEqual([false, 'live']);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(store.getState().connection.state).toBe('reconnecting');
    socket.refusal = undefined;
    await jest.advanceTimersByTimeAsync(10_000);
    expect(store.getState().connection.state).toBe('live');
  });
});

test('a session ended on the server also ends in the console, with the reason', async () => {
  const { socket, store } = await connected();
  socket.push('session-ended');
  expect(store.getState().session).toEqual({ endedBecause: 'Your session was ended.' });
});

describe('the output of a run', () => {
  test('arrives once and in order, even across a lost connection', async () => {
    const { socket } = await connected();
    const seen: number[] = [];
    stops.push(watchRun('run-a', (chunks) => seen.push(...chunks.map(({ seq }) => seq))));
    expect(socket.sent.at(-1)).toEqual({ event: 'watch', payload: { run: 'run-a' } });
    socket.push('output', { run: 'run-a', chunks: [chunk(0), chunk(1)] });
    socket.push('output', { run: 'run-b', chunks: [chunk(0)] });
    socket.lose();
    socket.connect();
    expect(socket.sent).toContainEqual({ event: 'watch', payload: { run: 'run-a', after: 1 } });
    socket.push('output', { run: 'run-a', chunks: [chunk(1), chunk(2)] });
    expect(seen).toEqual([0, 1, 2]);
  });

  test('reaches two listeners with different start positions', async () => {
    const { socket } = await connected();
    const [early, late]: [number[], number[]] = [[], []];
    const stopLate = watchRun('run-c', (chunks) => late.push(...chunks.map(({ seq }) => seq)), { after: 5 });
    stops.push(watchRun('run-c', (chunks) => early.push(...chunks.map(({ seq }) => seq))));
    expect(socket.sent.at(-1)).toEqual({ event: 'watch', payload: { run: 'run-c' } });
    socket.push('output', { run: 'run-c', chunks: [chunk(5), chunk(6)] });
    expect([early, late]).toEqual([[5, 6], [6]]);
    stopLate();
    expect(socket.sent.at(-1)?.event).toBe('watch');
  });

  test('reports why it cannot be watched', async () => {
    const { socket } = await connected();
    socket.answer('watch', () => ({ error: 'run could not be found' }));
    const errors: string[] = [];
    stops.push(watchRun('run-x', () => undefined, { onError: (message) => errors.push(message) }));
    expect(errors).toEqual(['run could not be found']);
  });
});

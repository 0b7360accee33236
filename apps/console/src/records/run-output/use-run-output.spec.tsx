/** covers: SRV-05, SHELL-09 */
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { startLive } from '../../core/live';
import { createStore } from '../../app/store';
import { LoopbackSocket } from '../../testing/loopback-socket';
import { answerWith } from '../../testing/network';
import { useRunOutput } from './use-run-output';

const stops: (() => void)[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop()));

const chunk = (seq: number) => ({ seq, at: '', stream: 'out' as const, text: `line ${seq}\n` });
const output = 'POST /api/run/output';

const watching = async (live: boolean) => {
  const store = createStore();
  const socket = new LoopbackSocket();
  stops.push(startLive(store, async () => socket.client));
  await waitFor(() => expect(socket.connected).toBe(true));
  const wrapper = ({ children }: { children: ReactNode }) => <Provider store={store}>{children}</Provider>;
  const hook = renderHook(
    (props: { live: boolean; revision?: number }) => useRunOutput('r', props.live, props.revision),
    {
      wrapper,
      initialProps: { live } as { live: boolean; revision?: number },
    },
  );
  const text = () => hook.result.current.log.text();
  return { ...hook, socket, text };
};

test('fetches the output of a past run page by page', async () => {
  const network = answerWith({
    [output]: ({ body }) =>
      (body as { after?: number }).after === undefined
        ? { body: { chunks: [chunk(1), chunk(2)], more: true } }
        : { body: { chunks: [chunk(3)], more: false } },
  });
  const { result, text } = await watching(false);
  await waitFor(() => expect(result.current.loading).toBe(false));
  expect(text()).toBe('line 1\nline 2\nline 3\n');
  expect(network.calls.map(({ body }) => body)).toEqual([{ id: 'r' }, { id: 'r', after: 2 }]);
});

test('a failure midway keeps the output so far, and a retry continues from there', async () => {
  let broken = true;
  answerWith({
    [output]: ({ body }) => {
      if ((body as { after?: number }).after === undefined)
        return { body: { chunks: [chunk(1)], more: true } };
      return broken
        ? { status: 500, body: { msg: 'broken' } }
        : { body: { chunks: [chunk(2)], more: false } };
    },
  });
  const { result, text } = await watching(false);
  await waitFor(() => expect(result.current.error?.msg).toBe('broken'));
  expect(text()).toBe('line 1\n');
  broken = false;
  act(() => result.current.retry());
  await waitFor(() => expect(text()).toBe('line 1\nline 2\n'));
  expect(result.current.error).toBeUndefined();
});

test('a live run is followed, and after its end the rest is fetched, so no line depends on a push', async () => {
  const network = answerWith({ [output]: { body: { chunks: [chunk(3)], more: false } } });
  const { socket, text, rerender } = await watching(true);
  expect(socket.sent).toContainEqual({ event: 'watch', payload: { run: 'r' } });
  act(() => socket.push('output', { run: 'r', chunks: [chunk(1), chunk(2)] }));
  expect(text()).toBe('line 1\nline 2\n');
  rerender({ live: false });
  await waitFor(() => expect(text()).toBe('line 1\nline 2\nline 3\n'));
  expect(network.calls.map(({ body }) => body)).toEqual([{ id: 'r', after: 2 }]);
  expect(socket.sent.at(-1)).toEqual({ event: 'unwatch', payload: { run: 'r' } });
});

test('watches again if the server does not know the run yet', async () => {
  answerWith({});
  let known = false;
  const store = createStore();
  const socket = new LoopbackSocket();
  socket.answer('watch', () => (known ? { ok: true } : { error: 'run could not be found' }));
  stops.push(startLive(store, async () => socket.client));
  await waitFor(() => expect(socket.connected).toBe(true));
  const wrapper = ({ children }: { children: ReactNode }) => <Provider store={store}>{children}</Provider>;
  const { result } = renderHook(() => useRunOutput('r', true), { wrapper });
  known = true;
  await waitFor(() => expect(socket.sent.filter(({ event }) => event === 'watch').length).toBeGreaterThan(1));
  act(() => socket.push('output', { run: 'r', chunks: [chunk(1)] }));
  expect(result.current.log.text()).toBe('line 1\n');
});

test('fetches the rest of a run that was retried and ended before it was seen live', async () => {
  const network = answerWith({
    [output]: ({ body }) =>
      (body as { after?: number }).after === undefined
        ? { body: { chunks: [chunk(1)], more: false } }
        : { body: { chunks: [chunk(2)], more: false } },
  });
  const { text, rerender } = await watching(false);
  await waitFor(() => expect(text()).toBe('line 1\n'));
  rerender({ live: false, revision: 9 });
  await waitFor(() => expect(text()).toBe('line 1\nline 2\n'));
  expect(network.calls).toHaveLength(2);
});

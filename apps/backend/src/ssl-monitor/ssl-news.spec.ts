// covers: DOM-11
import { noSslChecks, type SslMonitorStatus } from '@quarterdeck/projections';
import type { LiveMessage } from '../platform/live/live-messages';
import { SslNews } from './ssl-news';

const status = (checked: number, phase: SslMonitorStatus['phase'] = 'checking'): SslMonitorStatus => ({
  run: 'r',
  phase,
  counters: { ...noSslChecks, total: 1000, checked },
});
const checkedOf = (sent: LiveMessage[][]): (number | undefined)[] =>
  sent.flat().map(({ body }) => (body as SslMonitorStatus).counters.checked);

let sent: LiveMessage[][];
let faults: unknown[];
let send: (messages: readonly LiveMessage[]) => Promise<void>;
let news: SslNews;
beforeEach(() => {
  jest.useFakeTimers();
  [sent, faults] = [[], []];
  send = async (messages) => void sent.push([...messages]);
  news = new SslNews({ send: (messages) => send(messages) }, (fault) => faults.push(fault));
});
afterEach(() => jest.useRealTimers());

test('sends five messages for a thousand checks in a second, and the last one has the final state', async () => {
  for (let checked = 1; checked <= 1000; checked++) {
    news.tell('main', status(checked));
    await jest.advanceTimersByTimeAsync(1);
  }
  await jest.advanceTimersByTimeAsync(200);
  expect(sent.length).toBeLessThanOrEqual(6);
  expect(checkedOf(sent).at(-1)).toBe(1000);
});

test('tells each workspace only about its own runs, in one message, and only administrators', async () => {
  news.tell('one', status(1));
  news.tell('two', status(7));
  news.tell('one', status(2));
  await jest.advanceTimersByTimeAsync(200);
  expect(sent).toEqual([
    [
      { workspace: 'one', audience: 'admin', name: 'ssl', body: status(2) },
      { workspace: 'two', audience: 'admin', name: 'ssl', body: status(7) },
    ],
  ]);
});

test('sends nothing if nothing has happened', async () => {
  news.tell('main', status(1));
  await jest.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveLength(1);
});

test('sends later states later, however slow the database is', async () => {
  let release = (): void => undefined;
  const slow = new Promise<void>((resolve) => (release = resolve));
  send = async (messages) => {
    if (checkedOf([[...messages]])[0] === 1) await slow;
    sent.push([...messages]);
  };
  news.tell('main', status(1));
  await jest.advanceTimersByTimeAsync(200);
  news.tell('main', status(2, 'complete'));
  await jest.advanceTimersByTimeAsync(200);
  expect(sent).toEqual([]);
  release();
  await jest.advanceTimersByTimeAsync(0);
  expect(checkedOf(sent)).toEqual([1, 2]);
});

test('loses only the message if the database is down', async () => {
  send = async () => Promise.reject(new Error('terminating connection'));
  news.tell('main', status(1));
  await jest.advanceTimersByTimeAsync(200);
  send = async (messages) => void sent.push([...messages]);
  news.tell('main', status(2));
  await jest.advanceTimersByTimeAsync(200);
  expect([checkedOf(sent), faults]).toEqual([[2], [new Error('terminating connection')]]);
});

test('sends what is waiting before the process stops', async () => {
  news.tell('main', status(3));
  await news.stop();
  expect(checkedOf(sent)).toEqual([3]);
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { requestContext } from '../logging';
import type { Job } from './job';
import { LIMITS, Threads } from './threads';

const folder = mkdtempSync(join(tmpdir(), 'threads-'));
const file = pathToFileURL(join(folder, 'thread.cjs'));
/** A thread with jobs that misbehave. */
const program = `
const { parentPort, threadId } = require('node:worker_threads');
parentPort.on('message', ({ job, input }) => {
  if (job === 'loop') for (;;);
  if (job === 'die') process.exit(3); // A library may end its thread.
  if (job === 'fill') for (const all = [];;) all.push(new Array(1e5).fill(all.length));
  if (job === 'wait') return void setTimeout(() => parentPort.postMessage({ result: threadId }), input);
  if (job === 'fail') return parentPort.postMessage({ error: 'no' });
  parentPort.postMessage({ result: [input, threadId] });
});
`;

const named = <I, R>(name: string): Job<I, R> => ({
  name,
  work: () => {
    throw new Error('only in a thread');
  },
});
const echo = named<string, [string, number]>('echo');
const wait = named<number, number>('wait');
const loop = named<undefined, never>('loop');

const of = <T>(workspace: string, act: () => T): T =>
  requestContext.run({ correlationId: 'x', workspace }, act);

let threads: Threads;
beforeAll(() => writeFileSync(file, program));
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => (threads = new Threads(LIMITS, file)));
afterEach(() => threads.close());

test('does the next job in the same thread', async () => {
  const [[one, first], [two, second]] = [await threads.run(echo, 'one'), await threads.run(echo, 'two')];
  expect([one, two]).toEqual(['one', 'two']);
  expect(second).toBe(first);
});

test('ends a job that overruns its time, and does the next one in a new thread', async () => {
  await expect(threads.run(loop, undefined, { timeoutMs: 300 })).rejects.toMatchObject({
    code: 'unprocessable',
    msg: 'this would take more than 0.3 s of work: try it with less',
  });
  expect((await threads.run(echo, 'next'))[0]).toBe('next');
});

test.each([
  ['die', /ended/],
  ['fill', /memory/],
  ['fail', /^no$/],
])('reports a job that ends with %s, and does the next one', async (name, message) => {
  const small = new Threads({ ...LIMITS, megabytes: 32 }, file);
  await expect(small.run(named<undefined, never>(name), undefined)).rejects.toThrow(message);
  expect((await small.run(echo, 'next'))[0]).toBe('next');
  small.close();
});

test('a workspace whose jobs never end leaves a thread to the others, and is refused more', async () => {
  const mine = Array.from({ length: LIMITS.running + LIMITS.waiting + 2 }, () =>
    of('mine', () => threads.run(loop, undefined, { timeoutMs: 2000 })),
  );
  const ends = Promise.allSettled(mine);
  const order: string[] = [];
  void ends.then(() => order.push('mine'));
  for (const text of ['a', 'b', 'c']) order.push((await of('other', () => threads.run(echo, text)))[0]);
  order.push((await threads.run(echo, 'nobody'))[0]);
  const refused = (await ends).flatMap((one) => (one.status === 'rejected' ? [one.reason as object] : []));
  expect(order).toEqual(['a', 'b', 'c', 'nobody', 'mine']);
  expect(refused.filter((one) => (one as { code?: string }).code === 'tooMany')).toMatchObject([
    { code: 'tooMany', detail: { retryAfter: 3 } },
    { code: 'tooMany', detail: { retryAfter: 3 } },
  ]);
});

test('never has more threads than it may', async () => {
  const used = await Promise.all(
    Array.from({ length: 9 }, (_, at) => of(`workspace ${at}`, () => threads.run(wait, 20))),
  );
  expect(new Set(used).size).toBeLessThanOrEqual(LIMITS.threads);
});

import Fastify from 'fastify';
import { until } from '../../../../../testing/patience';
import { watchMainThread } from './watchdog';

const hold = (ms: number): void => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

const fastify = Fastify();
afterAll(() => fastify.close());

test('a held main thread is logged with the calls that were under way', async () => {
  const lines: [object, string][] = [];
  const held: number[] = [];
  /** A busy machine may hold the thread as well, at any other moment. */
  const ours = (): number => lines.findIndex(([fields]) => JSON.stringify(fields).includes('/holds/:id'));
  watchMainThread(fastify, {
    logger: { warn: (...line: unknown[]) => void lines.push(line as [object, string]) },
    onHeld: (seconds) => held.push(seconds),
  });
  fastify.get('/waits/:id', async () => {
    await until(() => ours() >= 0);
    return 'waited';
  });
  fastify.get('/holds/:id', (_request, reply) => {
    hold(1500);
    void reply.send('held');
  });
  fastify.get('/quick', () => 'quick');
  const url = await fastify.listen();
  await (await fetch(`${url}/quick`)).text();
  const waits = fetch(`${url}/waits/a-secret`);
  await (await fetch(`${url}/quick`)).text();
  const answered = await Promise.all([waits, fetch(`${url}/holds/a-secret`)]);
  expect(await Promise.all(answered.map((answer) => answer.text()))).toEqual(['waited', 'held']);
  const [fields, message] = lines[ours()] ?? [];
  expect(message).toMatch(/main thread was held/);
  expect(fields).toMatchObject({
    ms: expect.any(Number),
    calls: expect.arrayContaining([
      expect.objectContaining({ method: 'GET', route: '/holds/:id' }),
      expect.objectContaining({ method: 'GET', route: '/waits/:id' }),
    ]),
  });
  expect(JSON.stringify(lines)).not.toContain('a-secret');
  expect(held[ours()]).toBeGreaterThan(1);
});

/** covers: API-02 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../../../../../testing/patience';
import { OwnPort } from './own-port';

const host = '127.0.0.1';
const listening = (at: { host: string; port: number }): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject).listen(at, () => resolve(server));
  });
const left = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

test('says why it has no port, tries again, and has it as soon as it is free', async () => {
  const told: [number, string | undefined][] = [];
  const own = new OwnPort(
    { listen: (at) => listening(at as { host: string; port: number }), leave: left },
    ({ port }, problem) => told.push([port, problem]),
  );
  const other = await listening({ host, port: 0 });
  const { port } = other.address() as AddressInfo;
  await own.set({ host, port });
  expect(told).toEqual([[port, `another program has port ${port} at ${host}`]]);
  await own.set({ host, port });
  expect(told).toHaveLength(1);
  await left(other);
  await until(() => told.length === 2);
  expect(told[1]).toEqual([port, undefined]);
  await own.set(undefined);
  await left(await listening({ host, port }));
});

test('no attempt is left behind by a change', async () => {
  const told: unknown[] = [];
  const own = new OwnPort(
    { listen: () => Promise.reject(Object.assign(new Error('no'), { code: 'EADDRNOTAVAIL' })), leave: left },
    (_, problem) => told.push(problem),
  );
  await own.set({ host: '203.0.113.7', port: 4100 });
  expect(told).toEqual(['203.0.113.7 is no address of this machine']);
  own.end();
  await own.set(undefined);
  expect(told).toHaveLength(1);
});

/** What was asked of an API is counted for all console processes together, and outlives each of them. covers: API-04 */
import { readFileSync } from 'node:fs';
import { ServedApis } from '../../apps/backend/src/served/served-apis';
import { spawnBackend, type BackendProcess } from '../../testing/backend';
import { until } from '../../testing/patience';
import { openServedShop, type ServedShop } from './served-shop';

interface Traffic {
  since?: string;
  endpoints: { endpoint: string; requests: number; refused: number; p50: number; p99: number }[];
}

let served: ServedShop;
let endpoint: string;
const others: BackendProcess[] = [];

const traffic = () => served.ask<Traffic>('product/backend/traffic', { instance: { uuid: served.instance } });
const requests = async () =>
  (await traffic()).endpoints.find((one) => one.endpoint === endpoint)?.requests ?? 0;
const other = async (): Promise<BackendProcess> => {
  const process = await spawnBackend({
    databaseUrl: served.world.postgres.url,
    // With a service to sign in with, it does not wait for the line with the first link.
    env: { OUTBOUND_ALLOW: '127.0.0.1', GITHUB_CLIENT_ID: 'a', GITHUB_CLIENT_SECRET: 'b' },
  });
  others.push(process);
  return process;
};
const ask = async (url: string, times: number): Promise<void> => {
  for (let at = 0; at < times; at += 1)
    expect((await fetch(`${url}/api/instance/${served.instance}/names`)).status).toBe(200);
};

beforeAll(async () => {
  served = await openServedShop();
  endpoint = await served.added(
    'product/backend/endpoint',
    served.endpointOf({ method: 'GET', path: '/names', blocks: [{ type: 'list', entity: 'Customer' }] }),
  );
});
afterAll(async () => {
  for (const process of others) await process.stop();
  await served?.end();
});

test('nothing is counted before the first request', async () => {
  expect(await traffic()).toEqual({ endpoints: [], requests: [] });
});

test('a console process that ends has counted every request, and another one shows them', async () => {
  const process = await other();
  await ask(process.url, 7);
  expect(await process.stop()).toBe(0);
  expect(await requests()).toBe(7);
  const { since = '', endpoints } = await traffic();
  expect(Date.parse(since)).toBeLessThanOrEqual(Date.now());
  expect(endpoints).toEqual([
    expect.objectContaining({ endpoint, refused: 0, p50: expect.any(Number), p99: expect.any(Number) }),
  ]);
  expect(endpoints[0]?.p99).toBeGreaterThanOrEqual(endpoints[0]?.p50 ?? Infinity);
});

test('what was counted before a console process is killed stays, and its process of the API ends', async () => {
  const before = await requests();
  const process = await other();
  await ask(process.url, 3);
  await until(async () => (await requests()) === before + 3);
  const [child] = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').trim().split(' ');
  await process.kill();
  await until(() => {
    try {
      return !readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('api-process');
    } catch {
      return true;
    }
  });
  expect(await requests()).toBe(before + 3);
});

test('a killed process of the API is followed by one whose requests are added', async () => {
  const before = await requests();
  const { backend } = served.world;
  await ask(backend.url, 2);
  await until(async () => (await requests()) === before + 2);
  const api = await backend.app.get(ServedApis, { strict: false }).of(served.instance);
  const killed = api.pid;
  process.kill(Number(killed), 'SIGKILL');
  await until(() => api.pid !== killed);
  await ask(backend.url, 4);
  await until(async () => (await requests()) === before + 6);
});

test('days that have passed are not shown', async () => {
  const [before, change] = [
    await requests(),
    `update app.api_counts set day = day - 3, since = since - interval '3 days'`,
  ];
  const { Client } = await import('pg');
  const client = new Client({ connectionString: served.world.postgres.url });
  await client.connect();
  try {
    await client.query(change);
    await ask(served.world.backend.url, 1);
    await until(async () => (await requests()) === before + 1);
    await client.query(`${change} where day < (now() at time zone 'UTC')::date`);
    await client.query(`${change} where day < (now() at time zone 'UTC')::date`);
    expect(await requests()).toBe(1);
  } finally {
    await client.end();
  }
});

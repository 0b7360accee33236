/**
 * An API on a port of its own: described where its instance is, live, and back after its process or its database has
 * changed. A domain leads there. covers: API-02, DOM-03
 */
import { request } from 'node:https';
import type { Server } from 'node:net';
import { until } from '../../testing/patience';
import { testAuthority } from '../../testing/test-authority';
import { startTlsNginx } from '../../testing/tls-nginx';
import { json, openServedShop, portOf, type ServedShop } from './served-shop';

let served: ServedShop;
const taken: Server[] = [];

interface Port {
  host: string;
  port: number;
  problem?: string;
}
const state = async (): Promise<Port | undefined> =>
  (await served.ask<{ port?: Port }>('product/backend/traffic', { instance: { uuid: served.instance } }))
    .port;

const change = (fields: { port?: number; bindTo?: string }) => served.change(fields);
const listens = (port: number) =>
  until(async () => {
    const now = await state();
    return now?.port === port && now.problem === undefined;
  });
const names = async (port: number, headers: Record<string, string> = {}): Promise<unknown> => {
  const answer = await fetch(`http://127.0.0.1:${port}/names`, { headers });
  return answer.json();
};

beforeAll(async () => {
  // Callers behind a proxy have other addresses of this machine.
  served = await openServedShop({ TRUSTED_PROXIES: '127.0.0.1' });
  await served.added(
    'product/backend/endpoint',
    served.endpointOf({
      method: 'GET',
      path: '/names',
      blocks: [{ type: 'list', entity: 'Customer', projection: ['name'] }],
    }),
  );
  await served.shop.query(`insert into customer (name) values ('Ada')`);
});
afterAll(async () => {
  for (const server of taken) server.close();
  await served?.end();
});

test('a port that cannot be is refused at its field', async () => {
  const own = Number(new URL(served.world.backend.url).port);
  const busy = await portOf(taken);
  for (const [fields, field, says] of [
    [{ port: 80 }, 'data.port', /from 1024 to 65535/],
    [{ port: 65_536 }, 'data.port', /65535/],
    [{ port: own }, 'port', /that of this console|another program has port/],
    [{ port: busy }, 'port', /another program has port/],
    [{ port: await portOf(), bindTo: '203.0.113.7' }, 'bindTo', /no address of the machine/],
    [{ port: await portOf(), bindTo: 'localhost' }, 'bindTo', /an IP address is expected/],
  ] as const)
    expect(await change(fields)).toMatchObject({
      status: 400,
      body: { data: { [field]: expect.stringMatching(says) } },
    });
  expect(await state()).toBeUndefined();
});

test('it listens there without a first request, moves, and follows each change', async () => {
  const [first, second] = [await portOf(), await portOf()];
  expect(await change({ port: first })).toMatchObject({ status: 200 });
  await listens(first);
  expect(await names(first)).toEqual([{ name: 'Ada' }]);
  const add = served.endpointOf({
    method: 'GET',
    path: '/all',
    permissions: ['app'],
    blocks: [{ type: 'list', entity: 'Customer' }],
  });
  await served.added('product/backend/endpoint', add);
  await served.send('/names');
  const all = await fetch(`http://127.0.0.1:${first}/all`, {
    headers: { authorization: `Bearer ${served.token}` },
  });
  expect([all.status, await all.json()]).toEqual([200, [{ id: '1', name: 'Ada' }]]);
  // The headers with which the console says who asks count on its socket only.
  const forged = await fetch(`http://127.0.0.1:${first}/all`, { headers: { 'x-acts-as': 'app' } });
  expect(forged.status).toBe(401);

  expect(await change({ port: second })).toMatchObject({ status: 200 });
  await listens(second);
  expect(await names(second)).toEqual([{ name: 'Ada' }]);
  // An open connection is answered once more there, and told that it ends.
  await until(async () => (await names(first).catch(() => 'gone')) === 'gone');
  expect(await change({ port: 0 })).toMatchObject({ status: 200 });
  await until(async () => (await names(second).catch(() => 'gone')) === 'gone');
  expect(await state()).toBeUndefined();
});

test('behind nginx, limits count the caller, whatever addresses it invents', async () => {
  const port = await portOf();
  await change({ port });
  await listens(port);
  const authority = await testAuthority();
  const day = 86_400_000;
  const [notBefore, notAfter] = [new Date(Date.now() - day), new Date(Date.now() + day)];
  const leaf = await authority.leaf({ names: ['shop.example.org'], notBefore, notAfter });
  const nginx = await startTlsNginx(port, leaf, [
    'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;',
  ]);
  const signIn = (localAddress: string, forwarded: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': forwarded };
      const to = { method: 'POST', localAddress, headers, agent: false, rejectUnauthorized: false } as const;
      request(`${nginx.url}/auth/sign-in`, to, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode));
      })
        .once('error', reject)
        .end('{}');
    });
  try {
    let asked = 0;
    await until(async () => (await signIn('127.0.0.2', `10.0.0.${(asked += 1)}, 127.0.0.1`)) === 429, 1);
    expect(asked).toBeGreaterThan(30);
    expect(await signIn('127.0.0.3', '127.0.0.2')).toBe(400);
  } finally {
    await nginx.stop();
  }
});

test('a request under way is answered although the port moves', async () => {
  const [first, second] = [await portOf(), await portOf()];
  await change({ port: first });
  await listens(first);
  const asking = names(first);
  await change({ port: second });
  expect(await asking).toEqual([{ name: 'Ada' }]);
  await listens(second);
});

test('another database takes over with no more than a moment in which nobody listens', async () => {
  const { port = 0 } = (await state()) ?? {};
  const [known] = await served.ask<{ id: string }[]>('database/list', { product: { id: served.product } });
  const database = await served.ask<Record<string, unknown>>('database/detail', { id: known?.id });
  await served.shop.query('create database other');
  const kept = Object.fromEntries(
    ['host', 'port', 'username', 'dbType', 'env', 'encryption', 'certificate'].map((key) => [
      key,
      database[key],
    ]),
  );
  await served.ask('database/update', { id: known?.id, data: { ...kept, name: 'other' } });
  // Its tables do not exist there.
  await until(
    async () => (await fetch(`http://127.0.0.1:${port}/names`).catch(() => undefined))?.status === 503,
  );
  await served.ask('database/update', { id: known?.id, data: { ...kept, name: database['name'] } });
  await until(
    async () => (await fetch(`http://127.0.0.1:${port}/names`).catch(() => undefined))?.status === 200,
  );
});

test('the console says where it answers, for locations of domains', async () => {
  const { port } = (await state()) ?? {};
  const { url } = served.world.backend;
  const about = {
    instance: { uuid: served.instance, name: 'shop' },
    product: { id: served.product },
    title: 'Shop API',
  };
  expect(await served.ask('product/backend/addresses', {})).toEqual([
    { ...about, address: `${url}/api/instance/${served.instance}`, through: 'console' },
    { ...about, address: `http://127.0.0.1:${port}`, through: 'port' },
  ]);
});

test('when the instance goes, its port is free', async () => {
  const { port = 0 } = (await state()) ?? {};
  await served.ask('product/backend/delete', {
    productId: served.product,
    instance: { uuid: served.instance },
    name: 'shop',
  });
  await until(async () => (await names(port).catch(() => 'gone')) === 'gone');
  expect((await served.send('/names', json({}))).status).toBe(404);
});

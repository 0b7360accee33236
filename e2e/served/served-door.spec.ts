/**
 * From the description of an API to rows in a real database, through the console. covers: API-02, API-04
 */
import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { Client } from 'pg';
import type { Operator } from '../../testing/backend';
import { until } from '../../testing/patience';
import { ServedApis } from '../../apps/backend/src/served/served-apis';
import { MASTER_KEY } from '../../testing/backend-process';
import type { World } from '../backend/world';
import { formsOf, knownTo } from './memory';
import { json, openServedShop, type ServedShop } from './served-shop';

let served: ServedShop;
let world: World;
let alice: Operator;
let shop: Client;
let instance: string;
let token: string;
let { ask, added, endpointOf, send } = {} as ServedShop;

beforeAll(async () => {
  served = await openServedShop();
  ({ world, alice, shop, instance, token, ask, added, endpointOf, send } = served);
});
afterAll(() => served?.end());

test('what is described is served at once, and writes rows', async () => {
  await added(
    'product/backend/endpoint',
    endpointOf({
      method: 'POST',
      path: '/customers',
      statusOut: 201,
      permissions: ['app'],
      blocks: [{ type: 'insert', entity: 'Customer', data: { name: { $: 'body.name' } } }],
    }),
  );
  expect(await send('/customers', json({ name: 'Ada' }))).toMatchObject({ status: 401 });
  const made = await send('/customers', json({ name: 'Ada' }, { authorization: `Bearer ${token}` }));
  expect(made).toMatchObject({ status: 201, body: { id: '1', name: 'Ada' } });
  expect((await shop.query('select name from customer')).rows).toEqual([{ name: 'Ada' }]);
});

test('each change is answered by the next request, and each answer says its definition', async () => {
  const id = await added(
    'product/backend/endpoint',
    endpointOf({
      method: 'GET',
      path: '/names',
      blocks: [{ type: 'list', entity: 'Customer', projection: ['name'] }],
    }),
  );
  const first = await send('/names');
  expect(first).toMatchObject({ status: 200, body: [{ name: 'Ada' }] });
  await ask('product/backend/endpoint/update', {
    id,
    data: endpointOf({
      method: 'GET',
      path: '/names',
      blocks: [{ type: 'list', entity: 'Customer', projection: ['id'] }],
    }).data,
  });
  const second = await send('/names');
  expect(second).toMatchObject({ status: 200, body: [{ id: '1' }] });
  expect(BigInt(second.headers.get('x-definition') ?? '0')).toBeGreaterThan(
    BigInt(first.headers.get('x-definition') ?? '0'),
  );
});

test('nothing of the console passes the door, and an answer is JSON that no page can run', async () => {
  const answer = await send('/names', {
    headers: { cookie: alice.cookie ?? '', authorization: `Bearer ${token}` },
  });
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'content-security-policy': `default-src 'none'; sandbox`,
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
  });
  expect(answer.headers.get('set-cookie')).toBeNull();
  expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
});

test('a body that is too large, a path that does not exist and a wrong token are told', async () => {
  expect(await send('/customers', json({ name: 'x'.repeat(1_200_000) }))).toMatchObject({ status: 413 });
  expect(await send('/nothing')).toMatchObject({ status: 404, body: { message: 'endpoint not found' } });
  expect(await send('/names', { headers: { authorization: 'Bearer not-the-token' } })).toMatchObject({
    status: 401,
  });
  expect((await fetch(`${world.backend.url}/api/instance/1/x`)).status).toBe(404);
});

test('bytes that nobody should send get an answer of the door or end their connection', async () => {
  const { hostname: host, port } = new URL(world.backend.url);
  const path = `/api/instance/${instance}/names`;
  const head = `host: x\r\ncookie: ${alice.cookie ?? ''}\r\n`;
  /** The statuses that are heard until the connection ends, and all that was said. */
  const told = (bytes: string): Promise<{ statuses: number[]; text: string }> =>
    new Promise((resolve) => {
      let text = '';
      const socket = connect({ host, port: Number(port) }, () => socket.write(bytes));
      socket.on('error', () => undefined).on('data', (part: Buffer) => (text += part.toString()));
      socket.once('close', () =>
        resolve({ text, statuses: [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, one]) => Number(one)) }),
      );
    });
  const ask = (method: string, to: string, more = '', body = '') =>
    `${method} ${to} HTTP/1.1\r\n${head}${more}\r\n${body}`;
  const last = 'connection: close\r\n';
  // Of one connection, each request is judged by its own address.
  const mixed = await told(
    ask('GET', path) + ask('GET', '/api/session') + ask('HEAD', path) + ask('GET', path, last),
  );
  expect(mixed.statuses).toEqual([200, 200, 200, 200]);
  expect(mixed.text.match(/default-src 'none'; sandbox/g)).toHaveLength(3);
  const both = 'content-length: 5\r\ntransfer-encoding: chunked\r\n';
  expect((await told(ask('POST', path, both, '0\r\n\r\nGET /x'))).statuses).toEqual([400]);
  expect(
    (await told(ask('POST', path, 'content-length: 1\r\ncontent-length: 2\r\n', 'ab'))).statuses,
  ).toEqual([400]);
  expect((await told(ask('GET', path, `x: ${'x'.repeat(20_000)}\r\n`))).statuses).toEqual([431]);
  expect((await told(ask('TRACE', path, last))).statuses).toEqual([404]);
  expect((await told(ask('OPTIONS', path) + ask('GET', path, last))).statuses).toEqual([204, 200]);
  expect((await told(ask('GET', `http://elsewhere.example.org${path}`, last))).statuses).toEqual([200]);
  for (const to of [`${path}/..%2f..%2fsession%zz`, `http://elsewhere.example.org${path}/%`]) {
    const { statuses, text } = await told(ask('GET', to, last));
    expect([statuses, text]).toEqual([[404], expect.stringContaining('{"message":"endpoint not found"}')]);
  }
  // What is no request has no address, so the console refuses it in its own words.
  expect((await told('GET / HTTP/1.1\r\nx y\r\n\r\n')).text).toMatch(
    /^HTTP\/1\.1 400 .*application\/json.*nosniff.*\{"msg":"this is not a request that HTTP\/1\.1 knows"\}$/s,
  );
  // A GET has no body, so what comes with it is no request of its own.
  const hidden = ask('DELETE', path);
  expect(
    (await told(ask('GET', path, `content-length: ${hidden.length}\r\n`, hidden) + ask('GET', path, last)))
      .statuses,
  ).toEqual([200, 200]);
  const expecting = `expect: 100-continue\r\ncontent-length: 2\r\ncontent-type: application/json\r\n${last}`;
  expect((await told(ask('POST', `/api/instance/${instance}/customers`, expecting, '{}'))).statuses).toEqual([
    100, 401,
  ]);
  expect((await send('/names')).status).toBe(200);
});

test('an answer that is longer than a piece arrives whole, and a caller who leaves holds nobody up', async () => {
  await shop.query(
    `insert into customer (name) select repeat('€', 250) || n from generate_series(1, 2000) n`,
  );
  await added(
    'product/backend/endpoint',
    endpointOf({
      method: 'GET',
      path: '/all',
      blocks: [{ type: 'list', entity: 'Customer', take: 500, filters: { name: { contains: '€' } } }],
    }),
  );
  const { status, headers, body, text } = await send('/all');
  expect([status, Number(headers.get('content-length'))]).toEqual([200, Buffer.byteLength(text)]);
  expect(Buffer.byteLength(text)).toBeGreaterThan(300_000);
  expect(body).toHaveLength(500);
  for (let times = 0; times < 5; times += 1) {
    const leaving = new AbortController();
    const answer = await fetch(`${world.backend.url}/api/instance/${instance}/all`, leaving);
    leaving.abort();
    await answer.text().catch(() => undefined);
  }
  expect((await send('/all')).text).toBe(text);
  await shop.query(`delete from customer where name like '€%'`);
});

test('callers who leave in the middle of a request or of an answer leave nothing behind', async () => {
  const { hostname: host, port } = new URL(world.backend.url);
  const at = { host, port: Number(port) };
  await shop.query(`insert into customer (name) select repeat('x', 250) from generate_series(1, 500)`);
  await added(
    'product/backend/endpoint',
    endpointOf({ method: 'GET', path: '/long', blocks: [{ type: 'list', entity: 'Customer', take: 500 }] }),
  );
  await until(async () => (await send('/long')).status === 200);
  const api = await world.backend.app.get(ServedApis, { strict: false }).of(instance);
  const { pid } = api;
  const path = `/api/instance/${instance}`;
  const posted = `POST ${path}/customers HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n`;
  const starts = [
    `${posted}content-length: 100\r\n\r\n{"na`,
    `${posted}transfer-encoding: chunked\r\n\r\n5\r\n{"nam\r\n`,
    `${posted}content-length: 2\r\nexpect: 100-continue\r\n\r\n`,
    `GET ${path}/long HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(5),
    `GET ${path}/long HTTP/1.1\r\nhost`,
  ];
  const leave = (bytes: string, way: number): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect(at, () => {
        socket.write(bytes);
        if (way === 0) setImmediate(() => socket.resetAndDestroy());
        else if (way === 1) socket.end();
        // In the middle of the first answer, or of the wait for the rest of the body.
        else setTimeout(() => socket.destroy(), 20);
      });
      socket.once('data', () => way === 2 && socket.destroy());
      socket.on('error', () => undefined).once('close', () => resolve());
    });
  const count = () =>
    new Promise<number>((resolve, reject) => {
      const server: Server = world.backend.app.getHttpServer();
      server.getConnections((error, found) => (error ? reject(error) : resolve(found)));
    });
  await Promise.all(Array.from({ length: 300 }, (_, at) => leave(starts[at % 5] as string, at % 3)));
  await until(() => api.underWay === 0);
  expect((await send('/long')).status).toBe(200);
  await until(async () => (await count()) < 20);
  expect(api.pid).toBe(pid);
});

test('a snippet that is no TypeScript is refused when it is saved, with its line', async () => {
  const answer = await alice.post<{ data?: Record<string, string> }>(
    'product/backend/endpoint/insert',
    endpointOf({
      method: 'GET',
      path: '/broken',
      blocks: [{ type: 'snippet', ts: 'const a: number = 1;\nconst = 2;' }],
    }),
  );
  expect(answer).toMatchObject({
    status: 400,
    body: { data: { 'blocks.0.ts': expect.stringMatching(/^line 2: /) } },
  });
});

test('traffic is counted for each endpoint, without the values of queries', async () => {
  type Traffic = {
    since: string;
    endpoints: { endpoint: string; requests: number; refused: number; p99: number }[];
    requests: { path: string; status: number; message?: string }[];
  };
  const traffic = () => ask<Traffic>('product/backend/traffic', { instance: { uuid: instance } });
  const id = await added(
    'product/backend/endpoint',
    endpointOf({ method: 'GET', path: '/counted', blocks: [{ type: 'list', entity: 'Customer' }] }),
  );
  expect((await traffic()).endpoints.some(({ endpoint }) => endpoint === id)).toBe(false);
  await send('/counted?secret=hidden');
  await send('/counted?secret=hidden');
  await send('/nowhere');
  let seen = await traffic();
  const of = (endpoint: string) => seen.endpoints.find((one) => one.endpoint === endpoint);
  await until(async () => {
    seen = await traffic();
    return of(id)?.requests === 2 && seen.requests.some(({ path }) => path === '/nowhere');
  });
  expect(of(id)).toMatchObject({ refused: 0, p99: expect.any(Number) });
  expect(of('')?.refused).toBeGreaterThan(0);
  expect(seen.requests.find(({ path }) => path === '/nowhere')).toMatchObject({
    status: 404,
    message: 'endpoint not found',
  });
  expect(JSON.stringify(seen)).not.toContain('hidden');
});

test('its documents are files that are called like the instance, with the address of this console', async () => {
  const file = (path: string) =>
    fetch(`${world.backend.url}/api/product/backend/${path}/${instance}`, {
      headers: { cookie: alice.cookie },
    });
  const openapi = await file('openapi');
  expect(openapi.headers.get('content-disposition')).toBe('attachment; filename="shop.openapi.json"');
  expect(await openapi.json()).toMatchObject({
    openapi: '3.1.0',
    info: { title: 'Shop API' },
    servers: [{ url: `${world.backend.url}/api/instance/${instance}` }],
    paths: { '/customers': { post: { operationId: 'post_customers', 'x-permissions': ['app'] } } },
  });
  const client = await file('client');
  expect(client.headers.get('content-disposition')).toBe('attachment; filename="shop-client.ts"');
  expect(await client.text()).toContain('post_customers: (');
});

test('an operator sends a request as somebody with a permission, which is recorded if it may change rows', async () => {
  interface Tried {
    status: number;
    body: string;
    headers: Record<string, string>;
  }
  const id = await added(
    'product/backend/endpoint',
    endpointOf({
      method: 'POST',
      path: '/tried/:name',
      permissions: ['admin'],
      blocks: [{ type: 'insert', entity: 'Customer', data: { name: { $: 'params.name' } } }],
    }),
  );
  const tried = (as: string, params: object = { name: 'Grace / Hopper' }) =>
    alice.post<Tried>('product/backend/try', {
      instance: { uuid: instance },
      endpoint: { uuid: id },
      as,
      params,
      body: { hidden: 'value' },
    });
  await world.backend.caughtUp();
  expect((await tried('nobody')).body).toMatchObject({
    status: 401,
    headers: { 'www-authenticate': 'Bearer' },
  });
  expect((await tried('app')).body).toMatchObject({ status: 403 });
  const { body } = await tried('admin');
  expect(body).toMatchObject({ status: 200, headers: { 'x-definition': expect.any(String) } });
  expect(JSON.parse(body.body)).toMatchObject({ name: 'Grace / Hopper' });
  expect(await tried('admin', {})).toMatchObject({
    status: 400,
    body: { data: { 'params.name': 'This field is required' } },
  });
  const { events } = await ask<{ events: { type: string }[] }>('history/list', {
    subject: { category: 'endpoint', id },
  });
  expect(events.filter(({ type }) => type === 'EndpointTried')).toHaveLength(3);
  expect(JSON.stringify(events)).not.toContain('Hopper');
  // Whoever sends the header from outside has no permission by it.
  expect(await send('/tried/Eve', json({}, { 'x-acts-as': 'admin' }))).toMatchObject({ status: 401 });
});

test('traffic of an instance of another workspace is not found', async () => {
  const bob = await world.backend.signIn({ workspace: 'others', role: 'admin', email: 'bob@example.org' });
  expect(await bob.post('product/backend/traffic', { instance: { uuid: instance } })).toMatchObject({
    status: 404,
  });
});

test('users sign up and in through the door, and a path of theirs is refused for an endpoint', async () => {
  const account = { email: 'ada@example.org', password: 'correct horse battery' };
  const made = await send('/auth/sign-up', json(account, { authorization: `Bearer ${token}` }));
  expect(made).toMatchObject({ status: 201, body: { user: { permission: 'app' } } });
  expect((await send('/auth/sign-in', json({ ...account, password: 'another one' }))).status).toBe(401);
  const session = await send('/auth/sign-in', json(account));
  expect(session).toMatchObject({ status: 200, body: { token: expect.stringMatching(/^u_/) } });
  const authorization = `Bearer ${(session.body as { token: string }).token}`;
  expect(await send('/auth/me', { headers: { authorization } })).toMatchObject({
    status: 200,
    body: { email: 'ada@example.org' },
  });
  expect(await send('/customers', json({ name: 'Bob' }, { authorization }))).toMatchObject({ status: 201 });
  expect((await send('/auth/sign-out', json({}, { authorization }))).status).toBe(204);
  expect((await send('/auth/me', { headers: { authorization } })).status).toBe(401);
  const refused = await alice.post<{ data?: Record<string, string> }>(
    'product/backend/endpoint/insert',
    endpointOf({ method: 'GET', path: '/auth/me', blocks: [{ type: 'list', entity: 'Customer' }] }),
  );
  expect(refused).toMatchObject({
    status: 400,
    body: { data: { path: expect.stringMatching(/\/auth belong to the users/) } },
  });
});

test('the process of an API knows the password of its database, and nothing of the master key', async () => {
  expect((await send('/names')).status).toBe(200);
  const { pid } = await world.backend.app.get(ServedApis, { strict: false }).of(instance);
  const password = Buffer.from(decodeURIComponent(new URL(served.postgresUrl).password));
  const forms = formsOf(Buffer.from(MASTER_KEY, 'base64'));
  expect(knownTo(Number(pid), { ...forms, password })).toEqual(['password']);
  // The console itself has it, so the search finds what is there.
  const { bytes, base64 } = forms as Record<'bytes' | 'base64', Buffer>;
  expect(knownTo(process.pid, { bytes, base64 }).toSorted()).toEqual(['base64', 'bytes']);
});

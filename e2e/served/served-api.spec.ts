/**
 * A served API over real databases: its process gets its definition by IPC, and answers on a Unix socket.
 * covers: API-02, API-03, API-04
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { Endpoint } from '@quarterdeck/api';
import { addCounts, noCounts, type Counts } from '../../apps/backend/src/served/child/counts';
import { DATABASE_LIMITS } from '../../apps/backend/src/served/child/connections';
import type { ApiDescription } from '../../apps/backend/src/served/messages';
import type { NotServed } from '../../apps/backend/src/served/not-served';
import { ServedProcesses } from '../../apps/backend/src/served/child-process';
import type { ApiSource } from '../../apps/backend/src/served/running';
import { ServedApi } from '../../apps/backend/src/served/served-api';
import { until } from '../../testing/patience';
import { send } from './send';
import { mariadbShop, postgresShop, shop, type ShopDatabase } from './shop';

const TOKEN = 'the-token-of-the-shop';
const id = (name: string) => ({ id: { $: `params.${name}` } });

const ENDPOINTS: Record<string, Endpoint> = {
  customers: {
    method: 'GET',
    path: '/customers',
    blocks: [
      { type: 'list', entity: 'Customer', order: { by: 'name' }, take: { $: 'query.take', default: 25 } },
    ],
  },
  customer: {
    method: 'GET',
    path: '/customers/:id',
    blocks: [{ type: 'detail', entity: 'Customer', filters: id('id') }],
  },
  addCustomer: {
    method: 'POST',
    path: '/customers',
    statusOut: 201,
    bodyShape: { name: { type: 'String' }, email: { type: 'String', optional: true } },
    blocks: [
      {
        type: 'insert',
        entity: 'Customer',
        data: { name: { $: 'body.name' }, email: { $: 'body.email', default: null } },
      },
    ],
  },
  removeCustomer: {
    method: 'DELETE',
    path: '/customers/:id',
    blocks: [{ type: 'delete', entity: 'Customer', filters: id('id') }],
  },
  orders: {
    method: 'GET',
    path: '/orders',
    blocks: [
      {
        type: 'list',
        entity: 'Order',
        filters: { status: { $: 'query.status', optional: true } },
        references: {
          customer: { projection: ['name'] },
          lines: { from: 'OrderLine.order', projection: ['sku', 'quantity'], order: [{ by: 'sku' }] },
        },
      },
    ],
  },
  order: {
    method: 'POST',
    path: '/orders',
    permissions: ['app'],
    statusOut: 201,
    blocks: [
      {
        type: 'insert',
        name: 'order',
        entity: 'Order',
        data: {
          customer: { $: 'body.customer' },
          status: 1,
          total: { $: 'body.total' },
          placedAt: { $now: 'dateTime' },
        },
      },
      {
        type: 'insertMultiple',
        entity: 'OrderLine',
        each: { $: 'body.lines' },
        data: {
          order: { $: 'chain.order.id' },
          sku: { $: 'item.sku' },
          quantity: { $: 'item.quantity', default: 1 },
        },
      },
      { type: 'detail', entity: 'Order', filters: { id: { $: 'chain.order.id' } } },
    ],
  },
  total: {
    method: 'POST',
    path: '/total',
    blocks: [
      {
        type: 'snippet',
        ts: `const rows = await call('list', { entity: 'Order' }) as { total: string }[];
             log('orders', rows.length);
             if (body?.limit !== undefined && rows.length > body.limit) throw new Error('too many orders');
             if (body?.broken) await call('insert', { entity: 'Customer', data: { name: 'left', email: 'ada@example.org' } }).catch(() => 0);
             return { sum: rows.reduce((sum, row) => sum + Number(row.total), 0), count: rows.length };`,
      },
    ],
  },
  admin: {
    method: 'GET',
    path: '/admin',
    permissions: ['admin'],
    blocks: [{ type: 'list', entity: 'Customer' }],
  },
  endless: { method: 'GET', path: '/endless', blocks: [{ type: 'snippet', ts: 'for (;;);' }] },
};

const descriptionOf = (position: string, endpoints = ENDPOINTS): ApiDescription => ({
  instance: 'shop',
  position,
  model: shop,
  options: {},
  endpoints: Object.entries(endpoints).map(([key, endpoint]) => ({ id: key, endpoint })),
  tokenHash: createHash('sha256').update(TOKEN).digest('hex'),
  requestsPerMinute: 100_000,
  // Tests share a busy machine.
  snippetMs: 5000,
});

const authorization = `Bearer ${TOKEN}`;

describe.each([
  ['PostgreSQL', postgresShop],
  ['MariaDB', mariadbShop],
])('on %s', (_, begin) => {
  let database: ShopDatabase;
  let api: ServedApi;
  let other: ServedApi | undefined;
  let endpoints = ENDPOINTS;
  let position = 10;
  const faults: unknown[] = [];
  const counted = new Map<string, Counts>();
  const source = (): ApiSource => ({
    describe: async () => descriptionOf(String(position), endpoints),
    begin: async () => ({ database: database.access, limits: DATABASE_LIMITS }),
  });
  const ask = (method: string, path: string, given = {}) =>
    api.use((socket) => send(socket, method, path, given));

  beforeAll(async () => {
    database = await begin();
    api = new ServedApi(source(), {
      idleMs: 600_000,
      onFault: (what, text) => faults.push([what, text]),
      onCounts: (counts) => {
        for (const [endpoint, more] of Object.entries(counts)) {
          const sum = counted.get(endpoint) ?? noCounts();
          addCounts(sum, more);
          counted.set(endpoint, sum);
        }
      },
    });
  });
  afterAll(async () => {
    await api?.close();
    await other?.close();
    await database?.stop();
  });

  test('begins with the first request, and answers from the rows of the database', async () => {
    expect(api.pid).toBeUndefined();
    const added = await ask('POST', '/customers', { body: { name: 'Ada', email: 'ada@example.org' } });
    expect(added).toMatchObject({
      status: 201,
      headers: { 'x-definition': '10', 'content-type': 'application/json; charset=utf-8' },
      body: { id: '1', name: 'Ada', email: 'ada@example.org' },
    });
    expect(added.text).not.toContain('password');
    expect(await ask('GET', '/customers')).toMatchObject({ status: 200, body: [{ name: 'Ada' }] });
    expect(await database.query('select name, email from customer')).toMatchObject([
      { name: 'Ada', email: 'ada@example.org' },
    ]);
    expect(faults).toEqual([]);
  });

  test('an order and its lines are one transaction', async () => {
    const order = { customer: '1', total: '12.50', lines: [{ sku: 'A', quantity: 2 }, { sku: 'B' }] };
    const added = await ask('POST', '/orders', { body: order, headers: { authorization } });
    expect(added).toMatchObject({ status: 201, body: { customer: '1', status: 1 } });
    const refused = await ask('POST', '/orders', {
      body: { ...order, lines: [{ sku: 'A' }, { sku: 'B', quantity: 'many' }] },
      headers: { authorization },
    });
    expect(refused).toMatchObject({ status: 400, body: { fields: { 'item.quantity': expect.any(String) } } });
    expect(await ask('GET', '/orders?status=1')).toMatchObject({
      status: 200,
      body: [
        {
          customer: { name: 'Ada' },
          lines: [
            { sku: 'A', quantity: 2 },
            { sku: 'B', quantity: 1 },
          ],
        },
      ],
    });
    expect((await ask('GET', '/orders')).body).toHaveLength(1);
  });

  test.each<[string, string, string, object, number, RegExp]>([
    ['a path that does not exist', 'GET', '/nothing', {}, 404, /endpoint not found/],
    ['a method that the path does not have', 'PUT', '/customers', {}, 404, /this path has GET, POST/],
    ['a row that does not exist', 'GET', '/customers/999', {}, 404, /Customer not found/],
    ['an id that is none', 'GET', '/customers/1%20or%201=1', {}, 400, /whole number/],
    ['a wrong number of rows', 'GET', '/customers?take=0', {}, 400, /from 1 to 500/],
    ['an object as a value', 'GET', '/orders?status=1&status=2', {}, 400, /whole number/],
    ['no JSON', 'POST', '/customers', { body: '{' }, 400, /Not JSON/],
    ['no UTF-8', 'POST', '/customers', { body: Buffer.from('{"name":"\xff"}', 'latin1') }, 400, /UTF-8/],
    [
      'a body of another type',
      'POST',
      '/customers',
      { body: 'a=b', headers: { 'content-type': 'text/plain' } },
      400,
      /application\/json/,
    ],
    [
      'a body that is too large',
      'POST',
      '/customers',
      { body: { name: 'x'.repeat(1_100_000) } },
      413,
      /larger than/,
    ],
    ['a field that is missing', 'POST', '/customers', { body: {} }, 400, /required/],
    ['a text that is too long', 'POST', '/customers', { body: { name: 'x'.repeat(300) } }, 400, /255/],
    [
      'a value that exists already',
      'POST',
      '/customers',
      { body: { name: 'B', email: 'ada@example.org' } },
      409,
      /exists already/,
    ],
    ['a row that others refer to', 'DELETE', '/customers/1', {}, 409, /OrderLine|Order/],
    ['nobody where a permission is needed', 'POST', '/orders', { body: {} }, 401, /permission app/],
    [
      'a token that is wrong',
      'GET',
      '/customers',
      { headers: { authorization: 'Bearer wrong-token' } },
      401,
      /token/,
    ],
    ['another permission', 'GET', '/admin', { headers: { authorization } }, 403, /permission admin/],
    [
      'a reference to nothing',
      'POST',
      '/orders',
      { body: { customer: '77', total: 1, lines: [] }, headers: { authorization } },
      409,
      /no Customer/,
    ],
    ['an error of a snippet', 'POST', '/total', { body: { limit: 0 } }, 422, /^too many orders$/],
  ])('refuses %s', async (_what, method, path, given, status, message) => {
    const answer = await ask(method, path, given);
    expect(answer).toMatchObject({ status, body: { message: expect.stringMatching(message) } });
    expect(answer.text).not.toMatch(/select|insert into|\.js:|\.ts:|ECONN|constraint/i);
  });

  test('a snippet calls blocks, and what it logs is in the log of requests', async () => {
    expect(await ask('POST', '/total')).toMatchObject({ status: 200, body: { sum: 12.5, count: 1 } });
  });

  test('a snippet that hides a failure of the database changes nothing', async () => {
    expect(await ask('POST', '/total', { body: { broken: true } })).toMatchObject({ status: 409 });
    expect((await ask('GET', '/customers')).body).toHaveLength(1);
  });

  test('requests keep the definition with which they began, and none is dropped by a change', async () => {
    const seen = new Set<string>();
    let isOver = false;
    const asking = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const { status, headers, body } = await ask('GET', '/customers');
        const at = String(headers['x-definition']);
        seen.add(at);
        // Each definition answers with as many fields as it says.
        expect([status, Object.keys(body[0] ?? {}).length]).toEqual([200, Number(at) % 2 === 0 ? 3 : 1]);
      }
    });
    for (let changes = 0; changes < 5; changes += 1) {
      position += 1;
      const [block] = ENDPOINTS['customers']?.blocks ?? [];
      endpoints =
        position % 2 === 0
          ? ENDPOINTS
          : {
              ...ENDPOINTS,
              customers: {
                ...ENDPOINTS['customers'],
                blocks: [{ ...block, projection: ['name'] }],
              } as Endpoint,
            };
      await api.reload();
      expect((await ask('GET', '/customers')).headers['x-definition']).toBe(String(position));
    }
    isOver = true;
    await Promise.all(asking);
    expect(seen.has(String(position))).toBe(true);
  });

  test('an endpoint that cannot be compiled says why, and the others are served', async () => {
    position += 1;
    endpoints = {
      ...ENDPOINTS,
      gone: { method: 'GET', path: '/gone', blocks: [{ type: 'list', entity: 'Gone' }] },
      broken: { method: 'GET', path: '/broken', blocks: [{ type: 'snippet', ts: 'return 1;\nconst = 2;' }] },
    };
    await api.reload();
    expect(await ask('GET', '/gone')).toMatchObject({
      status: 503,
      body: { message: expect.stringMatching(/Gone/) },
    });
    expect(await ask('GET', '/broken')).toMatchObject({
      status: 503,
      body: { message: expect.stringMatching(/line 2/) },
    });
    expect(api.problems).toEqual({
      gone: expect.stringMatching(/Gone/),
      broken: expect.stringMatching(/line 2/),
    });
    expect((await ask('GET', '/customers')).status).toBe(200);
  });

  test('the process knows nothing of the console, and nobody else reaches its socket', () => {
    const environment = readFileSync(`/proc/${api.pid}/environ`, 'utf8').split('\0').filter(Boolean);
    expect(environment.map((one) => one.split('=')[0])).toEqual(
      expect.not.arrayContaining(['MASTER_KEY', 'DATA_DIR', 'DATABASE_URL', 'PATH', 'HOME']),
    );
    expect(environment.every((one) => one.startsWith('NODE_CHANNEL_'))).toBe(true);
  });

  test('a process that is killed under load is back, and others are not touched', async () => {
    other = new ServedApi(source(), { idleMs: 600_000, onFault: () => undefined });
    await other.use((socket) => send(socket, 'GET', '/customers'));
    const [pid, neighbour] = [api.pid, other.pid];
    const asking = Array.from({ length: 20 }, () =>
      ask('GET', '/customers').then(
        ({ status }) => status,
        () => 'lost',
      ),
    );
    process.kill(Number(pid), 'SIGKILL');
    await Promise.all(asking);
    expect(await ask('GET', '/customers')).toMatchObject({ status: 200 });
    expect(api.pid).not.toBe(pid);
    expect(await other?.use((socket) => send(socket, 'GET', '/customers'))).toMatchObject({ status: 200 });
    expect(other?.pid).toBe(neighbour);
  });

  test('a database that was away is back by itself', async () => {
    await database.kill();
    if (database.name === 'MariaDB')
      expect(await ask('GET', '/customers')).toMatchObject({
        status: 503,
        headers: { 'retry-after': expect.any(String) },
        body: { message: expect.stringMatching(/database/) },
      });
    await database.start();
    let answer = await ask('GET', '/customers');
    while (answer.status === 503) answer = await ask('GET', '/customers');
    expect(answer).toMatchObject({ status: 200, body: [{ name: 'Ada' }] });
    // One statement is a transaction by itself, and is sent once.
    await database.kill();
    await database.start();
    if (database.name === 'MariaDB') await database.query('set global autocommit = 0');
    const add = () => ask('POST', '/customers', { body: { name: 'After' } });
    let made = await add();
    while (made.status === 503) made = await add();
    expect(made.status).toBe(201);
    const [row] = await database.query(`select count(*) as count from customer where name = 'After'`);
    expect(Number(row?.['count'])).toBe(1);
  });

  test('counts the requests of each endpoint, and samples their log', async () => {
    await until(() => counted.has('customers'));
    const customers = counted.get('customers') ?? noCounts();
    expect(customers).toMatchObject({ failed: expect.any(Number), refused: expect.any(Number) });
    expect(customers.requests).toBeGreaterThan(0);
    expect(customers.buckets.reduce((sum, one) => sum + one, 0)).toBe(customers.requests);
    const seen = api.traffic.view({ since: undefined, endpoints: counted });
    const { p50 = Infinity, p99 } = seen.endpoints.find(({ endpoint }) => endpoint === 'customers') ?? {};
    expect(p99).toBeGreaterThanOrEqual(p50);
    expect(seen.requests[0]).toMatchObject({
      endpoint: expect.any(String),
      ms: expect.any(Number),
    });
  });
});

test('a process in reserve takes over from one that is killed, and ends with the console', async () => {
  const processes = new ServedProcesses();
  const api = new ServedApi(
    {
      describe: async () => descriptionOf('1'),
      begin: async () => ({
        // Nothing asks it.
        database: { dialect: 'postgresql', host: '127.0.0.1', port: 1, user: '', password: '', database: '' },
        limits: DATABASE_LIMITS,
      }),
    },
    { processes, idleMs: 600_000, onFault: () => undefined },
  );
  const ask = () => api.use((socket) => send(socket, 'GET', '/nothing'));
  expect((await ask()).status).toBe(404);
  const { reservePid } = processes;
  expect(reservePid).not.toBe(api.pid);
  expect(readFileSync(`/proc/${reservePid}/environ`, 'utf8')).toMatch(/^(?:NODE_CHANNEL_\w+=[^\0]*\0)+$/);
  process.kill(Number(api.pid), 'SIGKILL');
  // What had reached the killed one is lost.
  await until(async () => (await ask().catch(() => undefined))?.status === 404 && api.pid === reservePid);
  const next = processes.reservePid;
  await api.close();
  processes.close();
  await until(() => [reservePid, next].every((pid) => !existsSync(`/proc/${pid}/environ`)));
});

test('a process that cannot begin is given longer and longer pauses', async () => {
  const api = new ServedApi(
    {
      describe: async () => descriptionOf('1'),
      begin: async () => ({
        database: {} as never,
        limits: DATABASE_LIMITS,
        // Its process cannot read this.
        proxies: 1 as never,
      }),
    },
    { idleMs: 600_000, onFault: () => undefined },
  );
  const refusal = () => api.use(async () => undefined).catch((error: unknown) => error as NotServed);
  let last = await refusal();
  expect(last).toMatchObject({ message: expect.stringMatching(/could not begin/) });
  while (!/keeps failing/.test(last?.message ?? '')) last = await refusal();
  expect(last).toMatchObject({ retryAfter: expect.any(Number) });
  await api.close();
});

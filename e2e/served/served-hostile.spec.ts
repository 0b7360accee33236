/**
 * Hostile requests to a served API, as bytes: none ends the process, none is a fault of ours, and no answer has a stack or
 * SQL. `HOSTILE_REQUESTS` says how many there are (500), and `HOSTILE_SEED` which. covers: API-04
 */
import { createHash } from 'node:crypto';
import type { Endpoint } from '@quarterdeck/api';
import { DATABASE_LIMITS } from '../../apps/backend/src/served/child/connections';
import { ServedApi } from '../../apps/backend/src/served/served-api';
import { hearing, hostileRequests, type Heard } from './hostile-requests';
import { send } from './send';
import { openServedShop } from './served-shop';
import { mariadbShop, postgresShop, shop, type ShopDatabase } from './shop';

const COUNT = Number(process.env['HOSTILE_REQUESTS'] ?? 500);
const SEED = Number(process.env['HOSTILE_SEED'] ?? 20_261_129);
const AT_ONCE = 8;
const TOKEN = 'the-token-of-the-shop';

const id = { id: { $: 'params.id' } };
const customer = { name: { $: 'body.name' }, email: { $: 'body.email', default: null } };
const ENDPOINTS: Endpoint[] = [
  {
    method: 'GET',
    path: '/customers',
    blocks: [{ type: 'list', entity: 'Customer', take: { $: 'query.take', default: 25 } }],
  },
  { method: 'GET', path: '/customers/:id', blocks: [{ type: 'detail', entity: 'Customer', filters: id }] },
  { method: 'POST', path: '/customers', blocks: [{ type: 'insert', entity: 'Customer', data: customer }] },
  { method: 'DELETE', path: '/customers/:id', blocks: [{ type: 'delete', entity: 'Customer', filters: id }] },
  {
    method: 'GET',
    path: '/search',
    blocks: [
      {
        type: 'list',
        entity: 'Order',
        filters: {
          note: { contains: { $: 'query.q', optional: true } },
          status: { in: { $: 'query.status', optional: true } },
          total: { gte: { $: 'query.total', optional: true } },
          placedAt: { gte: { $: 'query.since', optional: true } },
          customer: { name: { $: 'query.name', optional: true } },
        },
        references: { customer: {}, lines: { from: 'OrderLine.order' } },
        skip: { $: 'query.skip', default: 0 },
        take: { $: 'query.take', default: 25 },
      },
    ],
  },
  {
    method: 'POST',
    path: '/orders',
    bodyShape: {
      customer: { type: 'Long' },
      total: { type: 'BigDecimal' },
      note: { type: 'String', optional: true },
      lines: { type: 'Object', list: true, shape: { sku: { type: 'String' } } },
    },
    blocks: [
      {
        type: 'insert',
        name: 'order',
        entity: 'Order',
        data: {
          customer: { $: 'body.customer' },
          status: 1,
          total: { $: 'body.total' },
          note: { $: 'body.note', default: null },
        },
      },
      {
        type: 'insertMultiple',
        entity: 'OrderLine',
        each: { $: 'body.lines' },
        data: { order: { $: 'chain.order.id' }, sku: { $: 'item.sku' }, quantity: 1 },
      },
    ],
  },
  {
    method: 'PUT',
    path: '/orders/:id',
    blocks: [
      {
        type: 'update',
        entity: 'Order',
        filters: id,
        data: { note: { $: 'body.note' }, total: { $: 'body.total', default: '1' } },
      },
    ],
  },
  {
    method: 'POST',
    path: '/all',
    blocks: [
      { type: 'insertMultiple', entity: 'Customer', each: { $: 'body' }, data: { name: { $: 'item.name' } } },
    ],
  },
  { method: 'GET', path: '/total', permissions: ['app'], blocks: [{ type: 'list', entity: 'Order' }] },
  {
    method: 'POST',
    path: '/echo',
    blocks: [
      {
        type: 'snippet',
        ts: `const found = await call('list', { entity: 'Customer', filters: { name: body?.name ?? null } });
             return { body, query, found };`,
      },
    ],
  },
];

/** What only we write. */
const LEAKED: readonly RegExp[] = [
  /\n\s+at |node:internal|\.[cm]?[jt]s:\d+|node_modules|\/dist\//,
  /json_agg|row_to_json|from [`"](?:customer|order|order_line)[`"]|insert into|\$\d+\)|limit \$/i,
  /syntax error|SQLSTATE|ER_[A-Z]+_|pg_catalog|information_schema|does not exist|You have an error/,
  /could not be answered at the moment/,
];
const STATUSES = [200, 204, 400, 401, 403, 404, 408, 409, 413, 417, 422, 429, 431, 503];

/** @returns what is wrong with an answer of the API or of the console’s door */
const leakIn = ({ status, head, body }: Heard): string | undefined => {
  if (!STATUSES.includes(status)) return `the status ${status}`;
  const leak = LEAKED.find((one) => one.test(body) || one.test(head));
  return leak && `the answer has ${leak.source}`;
};

/** @returns what is wrong with an answer of the API */
const wrongWith = (heard: Heard): string | undefined => {
  const { status, head, body } = heard;
  const leak = leakIn(heard);
  if (leak !== undefined) return leak;
  if (!/\r\ncontent-type: application\/json/i.test(head)) return 'no content type, or another one';
  if (!/\r\nx-content-type-options: nosniff/i.test(head)) return 'no nosniff';
  if (/\r\nset-cookie:/i.test(head)) return 'a cookie';
  if (status >= 400 && body !== '' && typeof (JSON.parse(body) as { message?: unknown }).message !== 'string')
    return 'no message';
  return undefined;
};

/** By status, `none` if the connection ended without an answer, and the first ten that are wrong. */
const sendAll = async (
  to: Parameters<typeof hearing>[0],
  count: number,
  base: string,
  judge: (heard: Heard) => string | undefined,
) => {
  const statuses: Record<string, number> = {};
  const wrong: object[] = [];
  const requests = hostileRequests(SEED, count, base);
  const worker = async (): Promise<void> => {
    for (const request of requests) {
      const answer = await hearing(to, request);
      const status = answer?.status ?? 'none';
      statuses[status] = (statuses[status] ?? 0) + 1;
      const what = answer && judge(answer);
      if (what !== undefined && wrong.length < 10) wrong.push({ what, answer, request: request.words });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  if (process.env['HOSTILE_REQUESTS'] !== undefined) process.stderr.write(`${JSON.stringify(statuses)}\n`);
  return { statuses, wrong };
};

test.each([
  ['PostgreSQL', postgresShop],
  ['MariaDB', mariadbShop],
])('%s: hostile requests are answered, or refused with a reason', async (_, begin) => {
  const database: ShopDatabase = await begin();
  const faults: unknown[] = [];
  const api = new ServedApi(
    {
      describe: async () => ({
        instance: 'b2c5f0de-0000-4000-8000-000000000001',
        position: '10',
        model: shop,
        options: {},
        endpoints: ENDPOINTS.map((endpoint, at) => ({ id: String(at), endpoint })),
        tokenHash: createHash('sha256').update(TOKEN).digest('hex'),
        requestsPerMinute: 1_000_000,
        // Tests share a busy machine.
        snippetMs: 5000,
      }),
      begin: async () => ({ database: database.access, limits: DATABASE_LIMITS }),
    },
    { idleMs: 600_000, onFault: (what, text) => faults.push([what, text]) },
  );
  try {
    const ask = (path: string) =>
      api.use((socket) => send(socket, 'GET', path, { headers: { authorization: `Bearer ${TOKEN}` } }));
    expect((await ask('/total')).status).toBe(200);
    const { pid } = api;
    const { statuses, wrong } = await api.use((path) =>
      sendAll({ path }, Math.ceil(COUNT / 2), '', wrongWith),
    );
    expect(wrong).toEqual([]);
    expect(faults).toEqual([]);
    expect(api.pid).toBe(pid);
    // Requests of each kind got through to the endpoints, and the tables are still there.
    expect(statuses).toMatchObject({
      200: expect.any(Number),
      400: expect.any(Number),
      404: expect.any(Number),
    });
    expect((await ask('/total')).status).toBe(200);
    expect(await database.query('select count(*) as count from customer')).toHaveLength(1);
  } finally {
    await api.close();
    await database.stop();
  }
});

test('hostile requests through the console are answered, or refused with a reason', async () => {
  const served = await openServedShop({ TRUSTED_PROXIES: 'loopback' });
  try {
    const { world, instance, added, endpointOf, send: ask } = served;
    await added('product/backend/endpoint', endpointOf(ENDPOINTS[0] as object));
    expect((await ask('/customers')).status).toBe(200);
    const { hostname: host, port } = new URL(world.backend.url);
    const base = `/api/instance/${instance}`;
    const { statuses, wrong } = await sendAll(
      { host, port: Number(port) },
      Math.ceil(COUNT / 5),
      base,
      leakIn,
    );
    expect(wrong).toEqual([]);
    expect(statuses).toMatchObject({ 404: expect.any(Number) });
    expect([200, 429]).toContain((await ask('/customers')).status);
  } finally {
    await served.end();
  }
});

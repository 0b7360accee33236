/**
 * Sampled requests, answered by an endpoint as it is and as it is changed, from one state of a real database.
 * covers: API-04
 */
import type { Endpoint } from '@quarterdeck/api';
import { DATABASE_LIMITS } from '../../apps/backend/src/served/child/connections';
import type { ApiDescription, Replayed } from '../../apps/backend/src/served/messages';
import { ServedApi } from '../../apps/backend/src/served/served-api';
import { until } from '../../testing/patience';
import { send } from './send';
import { mariadbShop, postgresShop, shop, type ShopDatabase } from './shop';

const list = (more: object = {}): Endpoint => ({
  method: 'GET',
  path: '/customers',
  blocks: [
    {
      type: 'list',
      entity: 'Customer',
      order: { by: 'name' },
      take: { $: 'query.take', default: 25 },
      ...more,
    },
  ],
});
const snippet = (path: string, ts: string): Endpoint => ({
  method: 'GET',
  path,
  blocks: [{ type: 'snippet', ts }],
});
const ENDPOINTS: Record<string, Endpoint> = {
  customers: list(),
  counted: snippet(
    '/counted',
    `return { count: (await call('list', { entity: 'Customer' }) as unknown[]).length };`,
  ),
  random: snippet('/random', 'return { id: uuid() };'),
  emails: {
    method: 'GET',
    path: '/emails',
    blocks: [{ type: 'list', entity: 'Customer', projection: ['name', 'email'] }],
  },
};
const descriptionOf = (ids = Object.keys(ENDPOINTS)): ApiDescription => ({
  instance: 'shop',
  position: '10',
  model: shop,
  options: {},
  endpoints: ids.map((id) => ({ id, endpoint: ENDPOINTS[id] as Endpoint })),
  requestsPerMinute: 100_000,
  // Longer than a replay may take.
  snippetMs: 8000,
});

describe.each([
  ['PostgreSQL', postgresShop],
  ['MariaDB', mariadbShop],
])('on %s', (_, begin) => {
  let database: ShopDatabase;
  let api: ServedApi;
  const faults: unknown[] = [];

  beforeAll(async () => {
    database = await begin();
    await database.query(
      `insert into customer (name, email) values ('Ada', 'ada@example.org'), ('Grace', null)`,
    );
    api = new ServedApi(
      {
        describe: async () => descriptionOf(),
        begin: async () => ({ database: database.access, limits: DATABASE_LIMITS }),
      },
      { idleMs: 600_000, onFault: (what, text) => faults.push([what, text]) },
    );
  });
  afterAll(async () => {
    await api?.close();
    await database?.stop();
  });

  const asked = async (id: string, ...paths: string[]): Promise<void> => {
    for (const [at, path] of paths.entries()) {
      await api.use((socket) => send(socket, 'GET', path));
      // Of one second, ten are kept.
      if (at % 10 === 9 || at === paths.length - 1)
        await until(() => api.traffic.samples.of(id).length === at + 1);
    }
  };
  const replayed = (id: string, changed: Endpoint): Promise<Replayed> =>
    api.replay({ description: descriptionOf([id]), changed, samples: api.traffic.samples.of(id) });
  const requests = async (id: string, changed: Endpoint) => {
    const found = await replayed(id, changed);
    if ('problem' in found) throw new Error(found.problem);
    expect(found.left).toBe(0);
    return found.requests;
  };

  test('says in what each answer differs, without the values of queries', async () => {
    await asked('customers', '/customers', '/customers?take=1');
    const [before, after] = [{ status: 200 }, { status: 200 }];
    const common = { as: 'nobody', before, after, shape: [] };
    expect(await requests('customers', list())).toMatchObject([
      { ...common, request: 'GET /customers' },
      { ...common, request: 'GET /customers?take=…' },
    ]);
    const shape = [
      { path: '[].email', before: expect.any(String), after: 'absent' },
      { path: '[].id', before: 'string', after: 'absent' },
    ];
    const [projected] = await requests('customers', list({ projection: ['name'] }));
    expect(projected?.shape.toSorted((a, b) => a.path.localeCompare(b.path))).toEqual(shape);
    expect(projected).not.toHaveProperty('value');
    const reversed = list({ order: { by: 'name', desc: true } });
    expect(await requests('customers', reversed)).toMatchObject([
      { shape: [], value: { path: '[0].id', before: '"1"', after: '"2"' } },
      { shape: [], value: { path: '[0].id', before: '"1"', after: '"2"' } },
    ]);
    const sent = await requests('customers', list({ take: { $: 'query.take' } }));
    expect(sent.map(({ after: { status } }) => status)).toEqual([400, 200]);
    const status = async (more: object) =>
      (await requests('customers', { ...list(), ...more })).map((one) => one.after.status);
    expect(await status({ permissions: ['app'] })).toEqual([401, 401]);
    expect(await status({ path: '/clients' })).toEqual([404, 404]);
    expect(await status({ statusOut: 203 })).toEqual([203, 203]);
    expect(await replayed('customers', snippet('/customers', 'const = 1;'))).toMatchObject({
      problem: expect.stringContaining('line 1'),
    });
  });

  test('both definitions see one state of the database, whatever others write meanwhile', async () => {
    await asked('counted', ...Array.from({ length: 15 }, (__, at) => `/counted?at=${at}`));
    let isDone = false;
    const writing = (async () => {
      while (!isDone) {
        await database.query(`insert into customer (name) values ('Joan')`);
        await database.query(`delete from customer where name = 'Joan'`);
      }
    })();
    try {
      const found = await requests('counted', ENDPOINTS['counted'] as Endpoint);
      expect(found).toHaveLength(15);
      expect(found.filter(({ value, shape, unproven }) => value ?? unproven ?? shape[0])).toEqual([]);
    } finally {
      isDone = true;
      await writing;
    }
  });

  test('values that differ each time prove nothing', async () => {
    await asked('random', '/random');
    expect(await requests('random', ENDPOINTS['random'] as Endpoint)).toMatchObject([
      { shape: [], unproven: 'the present definition answers it differently each time' },
    ]);
  });

  test('nothing is written, and a replay that would have is said to prove nothing', async () => {
    const count = async () => (await database.query('select id from customer')).length;
    const before = await count();
    const ts = `await call('insert', { entity: 'Customer', data: { name: 'Eve' } }).catch(() => 0);\nreturn { count: 2 };`;
    const found = await requests('counted', snippet('/counted', ts));
    expect(new Set(found.map(({ unproven }) => unproven))).toEqual(
      new Set(['a snippet calls a block that writes, which is refused in a replay']),
    );
    expect(await count()).toBe(before);
  });

  test('it ends in time, and says how many requests were left', async () => {
    expect(await replayed('random', snippet('/random', 'for (;;);'))).toEqual({ requests: [], left: 1 });
    // The process goes on.
    expect(await api.use((socket) => send(socket, 'GET', '/customers?take=1'))).toMatchObject({
      status: 200,
    });
  });

  test('a definition that the database refuses does not disturb the other one', async () => {
    await asked('emails', '/emails');
    await database.query('alter table customer drop column password');
    await database.query('alter table customer drop column email');
    const changed: Endpoint = {
      method: 'GET',
      path: '/emails',
      blocks: [{ type: 'list', entity: 'Customer', projection: ['name'] }],
    };
    expect(await requests('emails', changed)).toMatchObject([
      {
        before: { status: 503 },
        after: { status: 200 },
        shape: [],
        unproven: 'the present definition could not answer it',
      },
    ]);
  });
});

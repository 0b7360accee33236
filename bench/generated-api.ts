/**
 * A generated API on a port of its own and through the console, asked by 100 callers: a list with two references, one
 * row, an insert. Floor: node's own HTTP server and `pg` with the same SQL, in a process of its own. Then how long it
 * takes until an API whose process was killed answers again, and until a change is answered, with 300 endpoints.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { apiModelOf, bound, compile, statementsOf, type Endpoint } from '@quarterdeck/api';
import { migrationsOf, noStructure, numberOfType, plan, structureOf } from '@quarterdeck/data-model';
import { Client, Pool } from 'pg';
import { databaseAt } from '../e2e/data-model/database-at';
import { shop } from '../e2e/served/shop';
import { operator, type Operator } from '../testing/operator';
import { spawnConsole } from './backend';
import { childrenOf, cpuOf } from './costs';
import { withDurablePostgres } from './durable-postgres';
import { callers, compare, finish, isQuick, median, percentile, state, turnMsOf, turnsOf } from './harness';
import type { Line, Variant } from './harness';

const CALLERS = 100;
const TURN_MS = turnMsOf(4000, 1 / 10);
const TURNS = turnsOf(5, 2);
/** The p99 of one turn of the same server varies by a third: 10 turns each say which one is lower. */
const LATE_TURNS = turnsOf(10, 2);
const ORDERS = 10_000;
const ENDPOINTS = 300;
const CHANGES = isQuick ? 5 : 20;
const RELOAD_MS = 200;
const KILLS = isQuick ? 4 : 100;
const BACK_MS = 1000;

const id = { id: { $: 'params.id' } };
const ASKED: Record<string, { endpoint: Endpoint; body?: object }> = {
  'list with two references': {
    endpoint: {
      method: 'GET',
      path: '/orders',
      blocks: [
        {
          type: 'list',
          entity: 'Order',
          filters: { status: { $: 'query.status' } },
          order: { by: 'id', desc: true },
          references: {
            customer: { projection: ['name', 'email'] },
            lines: { from: 'OrderLine.order', projection: ['sku', 'quantity'] },
          },
        },
      ],
    },
  },
  detail: {
    endpoint: {
      method: 'GET',
      path: '/orders/:id',
      blocks: [{ type: 'detail', entity: 'Order', filters: id }],
    },
  },
  insert: {
    endpoint: {
      method: 'POST',
      path: '/customers',
      blocks: [
        {
          type: 'insert',
          entity: 'Customer',
          data: { name: { $: 'body.name' }, email: { $: 'body.email', default: null } },
        },
      ],
    },
    body: { name: 'Ada Lovelace' },
  },
};
const names = Object.keys(ASKED);
const randomly = (most: number): number => 1 + Math.floor(Math.random() * most);
const pathOf = (what: string): string =>
  what === 'detail'
    ? `/orders/${randomly(ORDERS)}`
    : what === 'insert'
      ? '/customers'
      : `/orders?status=${randomly(3)}`;

/** The SQL that the API sends for the same request, and its parameters, of which the first is that of the request. */
const boundOf = (what: string): { text: string; values: unknown[] } => {
  const { endpoint } = ASKED[what] as (typeof ASKED)[string];
  const [block] = compile(endpoint, apiModelOf(shop, 'postgresql', {})).blocks;
  const values = {
    params: { id: '1' },
    query: { status: '1' },
    body: { name: '' },
    user: null,
    chain: {},
    in: {},
  };
  const [sql] = block ? statementsOf(block) : [];
  return bound(sql ?? [], 'postgresql', { ...values, now: '' });
};

/** What somebody would write by hand for these three. */
const serveFloor = (connectionString: string): void => {
  const pool = new Pool({ connectionString, max: 10 });
  const [list, detail, insert] = names.map((name) => ({ name, ...boundOf(name) }));
  const withFirst = (query: typeof list, first: unknown) => ({
    ...(query as NonNullable<typeof query>),
    values: [first, ...(query?.values.slice(1) ?? [])],
  });
  const bodyOf = async (asked: AsyncIterable<Buffer>): Promise<{ name: string }> => {
    const parts: Buffer[] = [];
    for await (const part of asked) parts.push(part);
    return JSON.parse(Buffer.concat(parts).toString()) as { name: string };
  };
  const server = createServer(async (asked, response) => {
    const url = new URL(asked.url ?? '/', 'http://localhost');
    const query =
      asked.method === 'POST'
        ? withFirst(insert, (await bodyOf(asked)).name)
        : url.pathname === '/orders'
          ? withFirst(list, Number(url.searchParams.get('status')))
          : withFirst(detail, url.pathname.slice('/orders/'.length));
    const { rows } = await pool.query<{ j: string }>(query);
    const text = String(rows[0]?.j);
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    });
    response.end(text);
  });
  server.listen(0, '127.0.0.1', () =>
    console.log(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}`),
  );
};

const startFloor = async (databaseUrl: string) => {
  const child = spawn(process.execPath, [process.argv[1] ?? '', 'floor', databaseUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { url: line.replace('ready ', ''), pid: Number(child.pid), stop: () => child.kill() };
};

/** Processes of APIs, one of which waits in reserve. */
const apisOf = (parent: number): number[] => childrenOf(parent).filter(isApi);

const isApi = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('api-process');
  } catch {
    return false;
  }
};

const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
let asked = 0;
/** Each request is that of another caller, who may ask 600 times a minute. */
const send = (url: string, what: string): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    asked += 1;
    const body = ASKED[what]?.body && JSON.stringify(ASKED[what].body);
    const sent = request(
      url + pathOf(what),
      {
        agent,
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          'x-forwarded-for': `10.0.${(asked >> 8) & 31}.${asked & 255}`,
          ...(body !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          }),
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });

interface Server {
  readonly name: string;
  readonly url: string;
  /** Whose processor time counts. */
  readonly pids: readonly number[];
}
/** @param late gets the p99 of each turn in milliseconds. @returns processor time of one request in milliseconds */
const variant = ({ name, url, pids }: Server, what: string, late: number[]): Variant => ({
  name,
  turn: async () => {
    const times: number[] = [];
    const before = cpuOf(pids);
    await callers(CALLERS, TURN_MS, async () => {
      const began = performance.now();
      const { status, text } = await send(url, what);
      // A refusal would be quicker than what is measured.
      if (status !== 200) throw new Error(`${what}: ${status} ${text}`);
      times.push(performance.now() - began);
    });
    late.push(percentile(times, 99));
    return (cpuOf(pids) - before) / times.length;
  },
});

const prepare = async (url: string): Promise<void> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const { sql } of migrationsOf(plan(noStructure, structureOf(shop))))
    await client.query(sql.postgresql);
  await client.query(
    `insert into customer (name, email) select 'Customer ' || n, n || '@example.org' from generate_series(1, 1000) n`,
  );
  await client.query(
    `insert into order_ (customer_id, status, total, placed_at, note)
     select 1 + n % 1000, 1 + n % 3, n, '2026-01-01', 'Order ' || n from generate_series(1, ${ORDERS}) n`,
  );
  await client.query(
    `insert into order_line (order_id, sku, quantity) select 1 + n % ${ORDERS}, 'SKU-' || n, n % 9 from generate_series(1, ${5 * ORDERS}) n`,
  );
  for (const indexed of ['order_ (status)', 'order_ (customer_id)', 'order_line (order_id)'])
    await client.query(`create index on ${indexed}`);
  await client.query('analyze');
  await client.end();
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
};

/** Describes the shop and its endpoints. */
const described = async (who: Operator, databaseUrl: string) => {
  const ask = async <T = { id: string }>(path: string, body: object): Promise<T> => {
    const answer = await who.post<T>(path, body);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const product = await ask('product/insert', { data: { name: 'Shop' } });
  const { server: _none, ...fields } = databaseAt(databaseUrl);
  await ask('database/insert', { data: { ...fields, encryption: 'none' }, product: { id: product.id } });
  const ids = new Map<string, string>();
  for (const { id: known, name, isUuid } of shop.entities) {
    const data = { name, table: '', isUuid };
    ids.set(known, (await ask('data-model/entity/insert', { data, product: { id: product.id } })).id);
  }
  for (const { id: known, attributes } of shop.entities)
    for (const { name, type, optional, foreignEntity } of attributes)
      await ask('data-model/attribute/insert', {
        data: {
          name,
          column: '',
          type: numberOfType(type),
          optional,
          ...(foreignEntity !== undefined && { foreignEntity: { id: ids.get(foreignEntity) } }),
        },
        entity: { id: ids.get(known) },
      });
  const person = { email: 'grace@example.org', github: 'grace', firstName: 'Grace', lastName: 'Hopper' };
  const { uuid } = await ask<{ uuid: string }>('product/backend/init', {
    productId: product.id,
    ...person,
    instance: 'shop',
    title: 'Shop API',
    env: 1,
  });
  const port = await freePort();
  const data = { name: 'shop', title: 'Shop API', env: 1, description: '', multiTenant: false, ...person };
  await ask('product/backend/instance/update', {
    id: uuid,
    data: { ...data, port, bindTo: '127.0.0.1' },
  });
  const add = async (endpoint: Endpoint): Promise<{ id: string; data: object }> => {
    const whole = {
      permissions: [],
      statusOut: 200,
      tag: '',
      bodyShape: null,
      routeChainMap: null,
      ...endpoint,
    };
    const { id: made } = await ask('product/backend/endpoint/insert', { data: whole, apiInfo: { id: uuid } });
    return { id: made, data: whole };
  };
  for (const { endpoint } of Object.values(ASKED)) await add(endpoint);
  return { uuid, port, add };
};

/** @returns milliseconds from the answer of a change until the API answers by it */
const changed = async (
  who: Operator,
  url: string,
  endpoint: { id: string; data: object },
): Promise<number> => {
  const data = { ...endpoint.data, tag: `changed ${Math.random()}` };
  const { status, headers } = await who.post('product/backend/endpoint/update', { id: endpoint.id, data });
  if (status !== 200) throw new Error(`the change was answered ${status}`);
  const began = performance.now();
  const position = BigInt(headers.get('x-position') ?? '0');
  for (;;) {
    const answer = await fetch(`${url}/orders/1`, {
      headers: { 'x-forwarded-for': `10.1.0.${randomly(250)}` },
    });
    await answer.arrayBuffer();
    if (BigInt(answer.headers.get('x-definition') ?? '0') >= position) return performance.now() - began;
    await pause(2);
  }
};

/** @returns milliseconds from each kill of the process of the API until all addresses answer again, asked all the time */
const killed = async (
  parent: number,
  isThere: (url: string) => Promise<boolean>,
  urls: readonly string[],
) => {
  const times: number[] = [];
  let isOver = false;
  const asking = Array.from({ length: 10 }, async (_, at) => {
    while (!isOver) {
      await isThere(String(urls[at % urls.length]));
      await pause(20);
    }
  });
  for (let kill = 0; kill < KILLS; kill += 1) {
    await pause(500);
    // The one in reserve was begun after it.
    process.kill(Math.min(...apisOf(parent)), 'SIGKILL');
    const began = performance.now();
    await pause(5);
    for (const url of urls) while (!(await isThere(url))) await pause(5);
    times.push(performance.now() - began);
  }
  isOver = true;
  await Promise.all(asking);
  return times;
};

const main = async (): Promise<void> => {
  const lines: Line[] = [];
  await withDurablePostgres(async (databaseUrl) => {
    const admin = new Client({ connectionString: databaseUrl });
    await admin.connect();
    await admin.query('create database shop');
    await admin.end();
    const shopUrl = Object.assign(new URL(databaseUrl), { pathname: '/shop' }).href;
    await prepare(shopUrl);
    const backend = await spawnConsole(databaseUrl, {
      OUTBOUND_ALLOW: '127.0.0.1',
      TRUSTED_PROXIES: 'loopback',
    });
    const floor = await startFloor(shopUrl);
    try {
      const who = await operator(backend.url).signIn(
        new URL(backend.signInLink).searchParams.get('code') ?? '',
      );
      const { uuid, port, add } = await described(who, shopUrl);
      const own = `http://127.0.0.1:${port}`;
      const door = `${backend.url}/api/instance/${uuid}`;
      const isThere = (url: string) =>
        send(url, 'detail').then(
          ({ status }) => status === 200,
          () => false,
        );
      while (!(await isThere(own)) || !(await isThere(door)) || !(await isThere(floor.url))) await pause(100);
      const bare = { name: 'bare', url: floor.url, pids: [floor.pid] };
      const apis = apisOf(backend.pid);
      for (const what of names) {
        const late = { bare: [] as number[], own: [] as number[] };
        lines.push(
          await compare({
            what: `${what}, own port, CPU`,
            unit: 'ms',
            target: { atMost: 1.3 },
            floor: variant(bare, what, late.bare),
            ours: variant({ name: 'own port', url: own, pids: apis }, what, late.own),
            turns: LATE_TURNS,
          }),
        );
        // The first turn of each warms up.
        const [theirs, ours] = [median(late.bare.slice(1)), median(late.own.slice(1))];
        lines.push(
          state(
            `${what}, own port, p99`,
            ours / theirs,
            { atMost: 1 },
            `${(ours / theirs).toFixed(2)} x, ours ${ours.toFixed(1)} ms, bare ${theirs.toFixed(1)} ms`,
          ),
        );
        lines.push(
          await compare({
            what: `${what}, through the console, CPU`,
            unit: 'ms',
            target: { atMost: 2.2 },
            floor: variant(bare, what, []),
            ours: variant({ name: 'console', url: door, pids: [backend.pid, ...apis] }, what, []),
            turns: TURNS,
          }),
        );
      }
      const backs = await killed(backend.pid, isThere, [own, door]);
      lines.push(
        state(
          `a killed process, ${KILLS} times under load`,
          Math.max(...backs),
          { atMost: BACK_MS },
          `back after ${median(backs).toFixed(0)} ms (p50), ${Math.max(...backs).toFixed(0)} of ${BACK_MS} ms (most)`,
        ),
      );
      const endpoints: Awaited<ReturnType<typeof add>>[] = [];
      for (let at = 3; at < ENDPOINTS; at += 1) {
        const [{ endpoint }] = Object.values(ASKED) as [{ endpoint: Endpoint }];
        endpoints.push(await add({ ...endpoint, path: `/orders-${at}` }));
      }
      const times: number[] = [];
      for (let turn = 0; turn < CHANGES; turn += 1)
        times.push(await changed(who, own, endpoints[turn] as { id: string; data: object }));
      lines.push(
        state(
          `a change, answered with ${ENDPOINTS} endpoints`,
          percentile(times, 95),
          { atMost: RELOAD_MS },
          `p50 ${median(times).toFixed(0)} ms, p95 ${percentile(times, 95).toFixed(0)} of ${RELOAD_MS} ms`,
        ),
      );
    } finally {
      floor.stop();
      await backend.stop();
    }
  });
  finish(lines);
};

if (process.argv[2] === 'floor') serveFloor(process.argv[3] ?? '');
else {
  await main();
  // The sockets of all sides would keep the process alive.
  process.exit();
}

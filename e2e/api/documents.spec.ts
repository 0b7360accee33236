/**
 * The documents of an API, used as others use them: validated, compiled, and called over HTTP.
 *
 * covers: API-04
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { clientOf, openApiOf, Refused, type Endpoint } from '@quarterdeck/api';
import { startGrounds, type Ground } from './grounds';
import { openShop, type Shop } from './shop';

const packages = resolve(__dirname, '../../node_modules');
const execute = promisify(execFile);

const ENDPOINTS: Endpoint[] = [
  {
    method: 'GET',
    path: '/orders',
    tag: 'orders',
    permissions: ['app'],
    blocks: [
      {
        type: 'list',
        entity: 'Order',
        projection: ['id', 'total', 'note'],
        filters: { total: { gte: { $: 'query.least', optional: true } } },
        take: { $: 'query.take', default: 25 },
        references: {
          customer: { projection: ['name'] },
          lines: { from: 'OrderLine.order', projection: ['sku'] },
        },
      },
    ],
  },
  {
    method: 'PUT',
    path: '/orders/:id/note',
    permissions: ['app', 'admin'],
    bodyShape: { note: { type: 'String', max: 20 } },
    blocks: [
      {
        type: 'update',
        entity: 'Order',
        filters: { id: { $: 'params.id' } },
        data: { note: { $: 'body.note' } },
      },
    ],
  },
];

const program = (note: string) => `
import { ApiError, client } from './client.js';

const api = client({ url: process.argv[2] ?? '', token: () => 'secret' });
const orders = await api.get_orders({ query: { least: '15' } });
const skus: string[] = orders.flatMap(({ lines }) => lines.map(({ sku }) => sku));
const { changed } = await api.put_orders_id_note({ id: orders[0]?.id ?? '', body: { note: ${note} } });
const { token, user } = await api.post_auth_sign_in({ body: { email: 'ann@example.org', password: 'a long password' } });
const permission: 'app' | 'admin' | 'superadmin' = user.permission;
const { email, tenant } = await api.get_auth_me();
const gone: null = await api.post_auth_sign_out();
const users = { token, permission, email, tenant, gone };
const refusal = await api.get_orders({ query: { take: 0 } }).catch((error: unknown) => error);
console.log(JSON.stringify({ users, skus, changed, customer: orders[0]?.customer?.name, fields: refusal instanceof ApiError && refusal.fields }));
`;

let grounds: Ground[];
let shop: Shop;
let server: Server;
let folder: string;

beforeAll(async () => {
  grounds = await startGrounds();
  shop = await openShop(grounds[0] as Ground);
  folder = mkdtempSync(join(tmpdir(), 'quarterdeck-documents-'));
  server = createServer((asked, answer) => {
    void (async () => {
      const url = new URL(asked.url ?? '/', 'http://localhost');
      const [, id] = /^\/orders\/(.*)\/note$/.exec(url.pathname) ?? [];
      const pieces: Buffer[] = [];
      for await (const piece of asked) pieces.push(piece as Buffer);
      const sent = Buffer.concat(pieces).toString();
      const request = {
        params: { id },
        query: Object.fromEntries(url.searchParams),
        body: sent === '' ? null : (JSON.parse(sent) as unknown),
      };
      const reply = (status: number, value?: unknown): void =>
        void answer.writeHead(status).end(JSON.stringify(value));
      const user = { id: '1', email: 'ann@example.org', permission: 'app', tenant: null, addedAt: '' };
      if (url.pathname === '/auth/sign-in') return reply(200, { token: 'u_1', expiresAt: '', user });
      if (url.pathname === '/auth/me') return reply(200, user);
      if (url.pathname === '/auth/sign-out') return reply(204);
      await shop.call(ENDPOINTS[id === undefined ? 0 : 1] as Endpoint, request).then(
        (value) => reply(200, value),
        (error: unknown) =>
          error instanceof Refused
            ? reply(error.refusal.status, {
                message: error.message,
                fields: { [error.refusal.field]: error.message },
              })
            : reply(500, String(error)),
      );
    })();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});

afterAll(async () => {
  await new Promise((done) => server.close(done));
  rmSync(folder, { recursive: true, force: true });
  await Promise.all(grounds.map((ground) => ground.stop()));
});

const run = async (path: string, ...args: string[]): Promise<string> => {
  const ended = await execute(process.execPath, [path, ...args], { cwd: folder }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  return ended.stdout + ended.stderr;
};

const described = {
  title: 'The shop */ of Ann',
  version: '17',
  servers: ['https://api.example.test'],
  endpoints: ENDPOINTS,
};

test('the description is valid OpenAPI 3.1, with parameters of the types that they are compared with', async () => {
  const document = openApiOf(described, shop.model);
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
  const validator = join(packages, '@seriousme/openapi-schema-validator/bin/validate-api-cli.js');
  expect(JSON.parse(await run(validator, 'openapi.json'))).toEqual({ valid: true });
  expect(document.paths['/orders']?.['get']).toMatchObject({
    parameters: [
      { in: 'query', name: 'least', required: false, schema: { type: 'string' } },
      { in: 'query', name: 'take', required: false, schema: { type: 'integer' } },
    ],
    security: [{ user: [] }],
  });
  expect(document.paths['/orders/{id}/note']?.['put']).toMatchObject({
    parameters: [{ in: 'path', name: 'id', required: true }],
  });
  expect(document.paths['/auth/sign-up']?.['post']).toMatchObject({
    operationId: 'post_auth_sign_up',
    security: [{ user: [] }],
    requestBody: { required: true },
  });
  expect(document.paths['/auth/sign-in']?.['post']).not.toHaveProperty('security');
});

test('the client compiles, calls the API, and refuses a value of the wrong type before it is sent', async () => {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'client.ts'), clientOf(described, shop.model));
  writeFileSync(join(folder, 'right.ts'), program("'paid'"));
  writeFileSync(join(folder, 'wrong.ts'), program('7'));
  const complaints = await run(
    join(packages, 'typescript/bin/tsc'),
    '--ignoreConfig',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--types',
    'node',
    '--typeRoots',
    join(packages, '@types'),
    '--skipLibCheck',
    'right.ts',
    'wrong.ts',
  );
  expect(complaints.match(/^.*error TS\d+.*/gm)).toEqual([expect.stringMatching(/^wrong\.ts.*TS2322/)]);
  const { port } = server.address() as AddressInfo;
  expect(JSON.parse(await run(join(folder, 'right.js'), `http://127.0.0.1:${port}`))).toEqual({
    users: { token: 'u_1', permission: 'app', email: 'ann@example.org', tenant: null, gone: null },
    skus: ['A', 'B'],
    changed: 1,
    customer: 'Ann',
    fields: { 'query.take': expect.any(String) },
  });
});

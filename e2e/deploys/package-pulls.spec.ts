/** Pulling a package from its continuous delivery, and the log of it. covers: SRV-08, SRV-10 */
import type { PackagePullView, ListPage } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import { connectSocket } from '../../testing/socket';
import { whileFull } from '../backend/full-log';
import { fieldsOf, idleKey, nowhere, openWorld, type World } from '../backend/world';
import type { Operator } from '../../testing/backend';
import {
  startToldServer,
  withJson,
  withNothing,
  withoutEnd,
  withStatus,
  type Answering,
  type ToldServer,
} from '../../testing/told-server';

let world: World;
let delivery: ToldServer;
/** An internal address that may not be called: only the other address is allowed. */
let inside: ToldServer;
let operator: Operator;
let server: string;

interface Said {
  id: string;
  version?: string;
  msg?: string;
  code?: string;
  data?: Record<string, string>;
}

const addServer = async (alias: string): Promise<string> => {
  const fields = { ...fieldsOf(alias, nowhere), privateKey: idleKey() };
  return (await operator.post<{ id: string }>('server/insert', fields)).body.id;
};
const pull = (body: object = {}, headers: Record<string, string> = {}) =>
  operator.post<Said>(
    'deploy/pull',
    { server: { id: server }, cdUrl: `${delivery.url}/deploy/shop`, ...body },
    headers,
  );
const logs = async (body: object = {}): Promise<PackagePullView[]> =>
  (await operator.post<PackagePullView[]>('deploy/logs/list', body)).body;
const newest = async (): Promise<PackagePullView | undefined> => (await logs())[0];

beforeAll(async () => {
  [delivery, inside] = await Promise.all([startToldServer(), startToldServer()]);
  // By name: `localhost` may be called, the address 127.0.0.1 may not.
  delivery.url = delivery.url.replace('127.0.0.1', 'localhost');
  world = await openWorld({ env: { OUTBOUND_ALLOW: 'localhost' } });
  operator = await world.backend.signIn();
  server = await addServer('web-1');
});
afterAll(async () => {
  await world?.end();
  await Promise.all([delivery?.stop(), inside?.stop()]);
});

test("calls a package's address, and answers and logs the deployed version", async () => {
  const listener = await connectSocket(operator);
  await listener.resume('0');
  delivery.answer(withJson({ version: { version: '1.4.2', commit: 'abc' } }));
  const before = delivery.asked.length;
  const answer = await pull();
  expect(answer).toMatchObject({ status: 200, body: { version: '1.4.2' } });
  expect(delivery.asked.slice(before)).toMatchObject([
    { method: 'GET', path: '/deploy/shop', body: '', headers: { accept: 'application/json' } },
  ]);
  const session = await operator.get<{ profile: { id: string } }>('session');
  expect(await newest()).toMatchObject({
    id: answer.body.id,
    server: { id: server },
    slug: 'shop',
    cdUrl: `${delivery.url}/deploy/…`,
    address: { ref: expect.any(String) },
    version: '1.4.2',
    state: 'succeeded',
    by: session.body.profile.id,
  });
  const page = async (search: string) =>
    (await operator.post<ListPage<PackagePullView>>('deploy/logs/page', { server: { id: server }, search }))
      .body;
  expect(await page('1.4.2')).toMatchObject({ found: 1, rows: [{ id: answer.body.id }] });
  expect(await page('9.9.9')).toMatchObject({ found: 0, rows: [] });
  await listener.until(() => listener.changes.some(({ type }) => type === 'DeploySucceeded'));
  listener.close();
});

test('accepts a name other than the last part of the address', async () => {
  delivery.answer(withJson({ version: { version: '1.4.3' } }));
  await pull({ slug: 'the shop' });
  expect(await newest()).toMatchObject({ slug: 'the shop', version: '1.4.3' });
});

test('links a package to its service', async () => {
  const insert = async (path: string, body: object): Promise<string> =>
    (await operator.post<{ id: string }>(`${path}/insert`, body)).body.id;
  const product = await insert('product', { data: { name: 'Shop', description: '' } });
  const data = {
    name: 'Orders',
    organization: 'acme',
    repo: 'orders',
    server: { id: server },
    port: 3000,
    packageType: 'container',
    withDb: false,
  };
  const service = await insert('service', { data, product: { id: product } });
  expect((await pull({ serviceDeploy: { id: service } })).status).toBe(200);
  expect(await newest()).toMatchObject({
    serviceDeploy: { id: service },
    service: { name: 'Orders', product },
  });
  expect((await pull({ serviceDeploy: { id: product } })).status).toBe(404);
});

const addresses = async (): Promise<number> =>
  (await world.backend.db.query(`select from app.vault where kind = 'package-address'`)).rowCount ?? 0;

test('stores an address once, for as long as an entry of the log refers to it', async () => {
  delivery.answer(withJson({ version: { version: '1.4.4' } }));
  const before = await addresses();
  const cdUrl = `${delivery.url}/deploy/kept?token=1`;
  const [one, other] = [await pull({ cdUrl }), await pull({ cdUrl })];
  expect(await addresses()).toBe(before + 1);
  const again = await pull({ cdUrl: undefined, deployLog: { id: one.body.id } });
  expect([again.status, delivery.asked.at(-1)?.path]).toEqual([200, '/deploy/kept?token=1']);
  for (const { body } of [one, other]) await operator.post('deploy/logs/delete', { id: body.id });
  expect(await addresses()).toBe(before + 1);
  await operator.post('deploy/logs/delete', { id: again.body.id });
  expect(await addresses()).toBe(before);
  const gone = await pull({ cdUrl: undefined, deployLog: { id: again.body.id } });
  expect(gone).toMatchObject({ status: 404, body: { msg: 'deploy could not be found' } });
});

test('sends a name and a password in an address as credentials', async () => {
  delivery.answer(withJson({ version: { version: '1.4.5' } }));
  await pull({ cdUrl: `${delivery.url.replace('http://', 'http://ci:p%40ss@')}/shop` });
  const expected = `Basic ${Buffer.from('ci:p@ss').toString('base64')}`;
  expect(delivery.asked.at(-1)).toMatchObject({ path: '/shop', headers: { authorization: expected } });
  expect((await newest())?.cdUrl).toBe(`${delivery.url}/shop/…`);
});

const elsewhere: Answering = (response) =>
  response.writeHead(302, { location: `${inside.url}/secret` }).end();

test.each<[string, Answering, number | undefined, RegExp, string]>([
  ['404', withStatus(404, 'no'), 404, /status 404 instead of 200/, 'status'],
  ['500', withStatus(500, '{"version":{"version":"1"}}'), 500, /status 500/, 'status'],
  ['201', withStatus(201, '{"version":{"version":"1"}}'), 201, /status 201/, 'status'],
  ['what is not JSON', withStatus(200, '<html>'), 200, /not answer with JSON/, 'notJson'],
  ['no version', withJson({ version: '1.4.2' }), 200, /no version at version.version/, 'noVersion'],
  ['more than anybody reads', withoutEnd, undefined, /more than 262144 bytes/, 'ETOOBIG'],
  ['a broken connection', (response) => response.destroy(), undefined, /closed the connection/, 'ECONNRESET'],
  ['a redirect to an address inside', elsewhere, 302, /a redirect, which is not followed/, 'redirect'],
])('an answer of %s is a failure, which is logged', async (_what, how, status, reason, code) => {
  delivery.answer(how);
  const answer = await pull();
  expect(answer).toMatchObject({
    status: 502,
    body: {
      msg: 'something went wrong, could not deploy',
      code,
      data: { cdUrl: expect.stringMatching(reason) },
    },
  });
  const logged = await newest();
  expect(logged).toMatchObject({ state: 'failed', slug: 'shop', reason: answer.body.data?.cdUrl });
  expect([logged?.status, logged?.version]).toEqual([status, undefined]);
  expect(inside.asked).toEqual([]);
});

test('gives up on an address that never answers, and logs that', async () => {
  delivery.answer(withNothing);
  const answer = await pull();
  expect(answer).toMatchObject({ status: 502, body: { code: 'ETIMEDOUT' } });
  expect(await newest()).toMatchObject({
    state: 'failed',
    reason: expect.stringMatching('within 25 seconds'),
  });
});

test('does not call an internal address unless it is allowed', async () => {
  const answer = await pull({ cdUrl: `${inside.url}/deploy/shop` });
  expect(answer).toMatchObject({
    status: 502,
    body: { code: 'outbound-refused', data: { cdUrl: expect.stringMatching('OUTBOUND_ALLOW') } },
  });
  expect(inside.asked).toEqual([]);
});

test.each([
  [{ cdUrl: 'shop' }, 'cdUrl'],
  [{ cdUrl: 'file:///etc/passwd' }, 'cdUrl'],
  [{ cdUrl: 'https://ci.example.org/deploy/…' }, 'cdUrl'],
  [{ deployLog: { id: uuidv7() } }, 'cdUrl'],
  [{ cdUrl: undefined }, 'cdUrl'],
  [{ server: {} }, 'server.id'],
])('%j is refused by name, and not logged', async (body, field) => {
  const before = await logs();
  const answer = await pull(body);
  expect([answer.status, Object.keys(answer.body.data ?? {})]).toEqual([400, [field]]);
  expect(await logs()).toEqual(before);
});

test('calls nothing for a server that does not exist', async () => {
  const before = delivery.asked.length;
  expect(await pull({ server: { id: uuidv7() } })).toMatchObject({
    status: 404,
    body: { msg: 'server could not be found' },
  });
  expect(delivery.asked.length).toBe(before);
});

test('calls nothing while the log cannot be written', async () => {
  const before = delivery.asked.length;
  const answer = await whileFull(world.backend.db, ['DeployRequested'], () => pull());
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
  expect(delivery.asked.length).toBe(before);
});

test('lists a deploy whose outcome could not be recorded as one without an end', async () => {
  delivery.answer(withJson({ version: { version: '1.5.0' } }));
  const outcomes = ['DeploySucceeded', 'DeployFailed'] as const;
  const answer = await whileFull(world.backend.db, outcomes, () => pull({ slug: 'half' }));
  expect(answer.status).toBe(503);
  await world.backend.caughtUp();
  const logged = await newest();
  expect(logged).toMatchObject({ slug: 'half', state: 'requested' });
  expect((await operator.post('deploy/logs/delete', { id: logged?.id })).status).toBe(200);
});

test('calls the package once for a repeated call', async () => {
  delivery.answer(withJson({ version: { version: '2.0.0' } }));
  const before = delivery.asked.length;
  const key = { 'idempotency-key': uuidv7() };
  const [one, other] = [await pull({}, key), await pull({}, key)];
  expect(other.body).toEqual(one.body);
  expect(delivery.asked.length).toBe(before + 1);
});

test('lists the log by server, newest first, and can remove an entry', async () => {
  delivery.answer(withJson({ version: { version: '3.0.0' } }));
  const other = await addServer('web-2');
  await pull({ server: { id: other } });
  await pull({ server: { id: other }, slug: 'blog' });
  const of = () => logs({ filters: { server: { id: other } } });
  expect((await of()).map(({ slug }) => slug)).toEqual(['blog', 'shop']);
  expect((await logs()).length).toBeGreaterThan(2);
  const [{ id } = { id: '' }] = await of();
  expect((await operator.post('deploy/logs/delete', { id })).status).toBe(200);
  expect((await of()).map(({ slug }) => slug)).toEqual(['shop']);
  expect(await operator.post('deploy/logs/delete', { id })).toMatchObject({
    status: 404,
    body: { msg: 'deploy could not be found' },
  });
  const { body } = await operator.post<{ events: { type: string }[] }>('history/list', {
    subject: { category: 'deploy', id },
  });
  expect(JSON.stringify(body)).toMatch(/DeployLogRemoved.*DeploySucceeded/s);
});

test('does not wait for a hanging address at shutdown, and logs what it left', async () => {
  delivery.answer(withNothing);
  const second = await world.another();
  const before = delivery.asked.length;
  const asking = (await second.signIn())
    .post<Said>('deploy/pull', { server: { id: server }, cdUrl: `${delivery.url}/slow` })
    .catch(() => undefined);
  await delivery.came(before + 1);
  // Recorded before the call.
  const { rows } = await world.backend.db.query(
    `select type from log.events where stream like 'deploy-%' and data->>'slug' = 'slow'`,
  );
  expect(rows).toEqual([{ type: 'DeployRequested' }]);
  await second.close();
  await asking;
  // By itself it would give up after 25 s, for another reason.
  expect((await logs()).find(({ slug }) => slug === 'slow')).toMatchObject({
    state: 'failed',
    reason: expect.stringMatching('was cancelled'),
  });
});

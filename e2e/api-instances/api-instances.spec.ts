/** Generated APIs are described by the calls of the specification. covers: API-01, API-02, API-03 */
import type { DescribedApi, DescribedApiWithEndpoints } from '@quarterdeck/contract';
import type { HistoryView } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import type { Operator } from '../../testing/backend';
import { openWorld, type World } from '../backend/world';

let world: World;
let alice: Operator;
let product: string;

beforeAll(async () => {
  world = await openWorld();
  alice = await world.backend.signIn({ workspace: 'apis', role: 'admin', email: 'alice@example.org' });
  product = await added('product', { data: { name: 'Shop' } });
});
afterAll(() => world?.end());

const ask = async <T>(path: string, body: object): Promise<T> => {
  const answer = await alice.post<T>(path, body);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
};
const added = async (path: string, body: object): Promise<string> =>
  (await ask<{ id: string }>(`${path}/insert`, body)).id;
const form = (instance: string) => ({
  productId: product,
  email: 'grace@example.org',
  github: 'grace',
  firstName: 'Grace',
  lastName: 'Hopper',
  instance,
  title: 'Shop API',
});
const init = async (): Promise<string> =>
  (await ask<{ uuid: string }>('product/backend/init', form(`shop-${uuidv7()}`))).uuid;
const get = (uuid: string) =>
  ask<DescribedApiWithEndpoints>('product/backend/get', { product: { id: product }, instance: { uuid } });
const addEntity = async (name: string): Promise<string> => {
  const id = await added('data-model/entity', { data: { name, isUuid: false }, product: { id: product } });
  await added('data-model/attribute', {
    data: { name: 'Title', type: 1, optional: false },
    entity: { id },
  });
  return id;
};
const refusal = async (path: string, body: object) => {
  const { status, body: said } = await alice.post<{ data?: Record<string, string>; msg?: string }>(
    path,
    body,
  );
  return { status, data: said.data };
};
const typesOf = async (category: string, id: string): Promise<string[]> => {
  const { events } = await ask<{ events: HistoryView[] }>('history/list', { subject: { category, id } });
  return events.toReversed().map(({ type }) => type);
};

test('an instance begins with what the form does not say, and is listed', async () => {
  const uuid = await init();
  expect(await get(uuid)).toMatchObject({
    env: 1,
    description: '',
    options: { multiTenant: false },
    info: { uuid, servers: [], oAuthParams: [] },
    endpoints: [],
  });
  const all = await ask<DescribedApi[]>('product/backend/list', { product: { id: product } });
  expect(all.find((one) => one.uuid === uuid)).toMatchObject({ title: 'Shop API', endpointCount: 0 });
});

test.each(['email', 'github', 'firstName', 'lastName', 'instance', 'title'])(
  'the form needs %s',
  async (key) => {
    const { [key]: _left, ...rest } = form('lacking') as Record<string, string>;
    expect(await refusal('product/backend/init', rest)).toEqual({
      status: 400,
      data: { [key]: 'This field is required' },
    });
  },
);

test('the name of an instance is unique in its product', async () => {
  await ask('product/backend/init', form('twice'));
  expect(await refusal('product/backend/init', form('Twice'))).toEqual({
    status: 400,
    data: { instance: 'another API instance already has this name' },
  });
});

test('servers and services for sign-in are set, and their secrets are in no answer and no event', async () => {
  const uuid = await init();
  const secret = `secret of ${uuid}`;
  const google = { service: 'google', clientId: 'shop', redirectUrl: 'https://api.example.org/oauth/google' };
  const apple = { ...google, service: 'apple', options: { teamId: 'TEAM123456', keyId: 'KEY1234567' } };
  const set = (data: object) => ask('product/backend/info/update', { uuid, data });
  await set({ servers: [{ url: 'https://api.example.org' }] });
  await set({
    oAuthParams: [
      { ...google, secret },
      { ...apple, secret },
    ],
  });
  const shown = await get(uuid);
  expect(shown.info).toMatchObject({
    servers: [{ url: 'https://api.example.org' }],
    oAuthParams: [apple, google],
  });
  // Without a secret, the stored one stays; a service that is left out goes.
  await set({ oAuthParams: [{ ...google, clientId: 'another' }] });
  const after = await get(uuid);
  expect(after.info.oAuthParams).toMatchObject([{ service: 'google', clientId: 'another' }]);
  const { rows } = await world.backend.db.query<{ data: object }>('select data from log.events');
  for (const text of [JSON.stringify(rows), JSON.stringify(shown)]) expect(text).not.toContain(secret);
  const google1 = after.info.oAuthParams[0]?.uuid ?? '';
  const { value } = await ask<{ value: string }>('product/backend/oauth/reveal', {
    id: google1,
    field: 'secret',
  });
  expect(value).toBe(secret);
  expect(await typesOf('apiInstance', uuid)).toEqual(['ApiInstanceInitialized', 'ApiServersReplaced']);
});

test.each<[string, object, string]>([
  ['a service that is unknown', { service: 'facebook' }, 'data.oAuthParams.0.service'],
  ['no secret', { secret: undefined }, 'data.oAuthParams.0.secret'],
  ['an address without https', { redirectUrl: 'http://api.example.org/x' }, 'data.oAuthParams.0.redirectUrl'],
  ['apple without its options', { service: 'apple' }, 'data.oAuthParams.0.options'],
  ['an option that the service has not', { options: { tenant: 'x' } }, 'data.oAuthParams.0.options'],
  [
    'a data centre that Zoho does not publish',
    { service: 'zoho', options: { dataCentre: 'evil.example' } },
    'data.oAuthParams.0.options',
  ],
])('a service for sign-in with %s is refused at its field, and nothing is set', async (_, change, field) => {
  const uuid = await init();
  const google = { service: 'google', clientId: 'a', secret: 'b', redirectUrl: 'https://a.example/oauth' };
  const data = { servers: [{ url: 'https://a.example' }], oAuthParams: [{ ...google, ...change }] };
  const { status, data: said } = await refusal('product/backend/info/update', { uuid, data });
  expect([status, Object.keys(said ?? {})]).toEqual([400, [field]]);
  expect((await get(uuid)).info.servers).toEqual([]);
});

test('a token can be shown and replaced', async () => {
  const uuid = await init();
  const shown = () => ask<{ value: string }>('product/backend/instance/reveal', { id: uuid, field: 'token' });
  const first = await shown();
  expect(first.value.length).toBeGreaterThan(30);
  await ask('product/backend/token/replace', { instance: uuid });
  expect((await shown()).value).not.toBe(first.value);
});

test('an entity gets its five endpoints once, and those that are there stay', async () => {
  const uuid = await init();
  const entity = await addEntity(`Book ${uuid}`);
  const more = () => ({ apiInfo: { uuid }, entity: { id: entity } });
  expect((await ask<{ ids: string[] }>('product/backend/endpoint/entity', more())).ids).toHaveLength(5);
  expect((await alice.post('product/backend/endpoint/entity', more())).status).toBe(409);
  const { endpoints, endpointCount } = await get(uuid);
  expect(endpointCount).toBe(5);
  const gone = endpoints.find(({ method }) => method === 'DELETE')?.id ?? '';
  await ask('product/backend/endpoint/delete', { uuid: gone, apiInfo: { uuid } });
  expect((await ask<{ ids: string[] }>('product/backend/endpoint/entity', more())).ids).toHaveLength(1);
});

test('endpoints are added, changed and deleted as the specification asks for it', async () => {
  const uuid = await init();
  const entity = 'Author';
  await addEntity(entity);
  const apiInfo = { uuid };
  const data = { method: 'GET', path: '/authors', blocks: [] };
  const { id } = await ask<{ id: string }>('product/backend/endpoint/insert', { apiInfo, data });
  const shown = async () => (await get(uuid)).endpoints[0];
  expect(await shown()).toMatchObject({ statusOut: 200, permissions: [], tag: '', bodyShape: null });
  const blocks = [{ type: 'list', entity }];
  await ask('product/backend/endpoint/update', {
    uuid: id,
    apiInfo,
    data: { ...data, statusOut: 203, blocks },
  });
  expect(await shown()).toMatchObject({ statusOut: 203, blocks });
  expect(await typesOf('endpoint', id)).toEqual([
    'EndpointAdded',
    'EndpointRevised',
    'EndpointBlocksRevised',
  ]);
  await ask('product/backend/endpoint/delete', { uuid: id, apiInfo });
  expect(await shown()).toBeUndefined();
  await ask('product/backend/endpoint/restore', { id });
  expect(await shown()).toMatchObject({ blocks });
});

test.each<[string, object, string, string | RegExp]>([
  ['a status below 200', { statusOut: 199 }, 'data.statusOut', 'Status outside of accepted range'],
  ['a status above 299', { statusOut: 300 }, 'data.statusOut', 'Status outside of accepted range'],
  ['a path without a slash', { path: 'orders' }, 'path', /^a path such as/],
  ['a type of block that is unknown', { blocks: [{ type: 'truncate' }] }, 'blocks.0.type', 'Type unknown'],
  [
    'an entity that is unknown',
    { blocks: [{ type: 'list', entity: 'Nothing' }] },
    'blocks.0.entity',
    /Nothing/,
  ],
])('an endpoint with %s is refused at its field', async (_, change, field, says) => {
  const uuid = await init();
  const data = { method: 'GET', path: '/orders', ...change };
  const { status, data: said } = await refusal('product/backend/endpoint/insert', {
    apiInfo: { uuid },
    data,
  });
  expect(status).toBe(400);
  expect(Object.entries(said ?? {})).toEqual([
    [field, typeof says === 'string' ? says : expect.stringMatching(says)],
  ]);
});

test('two endpoints of an instance differ in method or path, whatever parameters are called', async () => {
  const [uuid, other] = [await init(), await init()];
  const insert = (to: string, method: string, path: string) =>
    alice.post('product/backend/endpoint/insert', { apiInfo: { uuid: to }, data: { method, path } });
  const statuses = [
    await insert(uuid, 'GET', '/orders/:id'),
    await insert(uuid, 'GET', '/orders/:key'),
    await insert(uuid, 'DELETE', '/orders/:id'),
    await insert(other, 'GET', '/orders/:id'),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 400, 200, 200]);
});

test('a check says what the data model has made wrong since', async () => {
  const uuid = await init();
  const entity = await addEntity(`Shelf ${uuid}`);
  await ask('product/backend/endpoint/entity', { apiInfo: { uuid }, entity: { id: entity } });
  const check = () =>
    ask<{ endpoints: number; problems: { field: string }[] }>('product/backend/refresh', {
      instance: { uuid },
    });
  expect(await check()).toEqual({ endpoints: 5, problems: [] });
  await ask('data-model/entity/delete', { id: entity, name: `Shelf ${uuid}` });
  const { problems } = await check();
  expect(problems.map(({ field }) => field)).toEqual(Array(5).fill('blocks.0.entity'));
  // What is wrong already may keep what it says: its tag can be changed.
  const [first] = (await get(uuid)).endpoints;
  const { method = 'GET', path = '', blocks } = first ?? {};
  const edit = await alice.post('product/backend/endpoint/update', {
    uuid: first?.id,
    data: { method, path, blocks, bodyShape: first?.bodyShape, statusOut: first?.statusOut, tag: 'old' },
  });
  expect(edit.status).toBe(200);
});

test('an instance is deleted with its endpoints, and comes back with them', async () => {
  const uuid = await init();
  const data = { method: 'GET', path: '/hello' };
  await ask('product/backend/endpoint/insert', { apiInfo: { uuid }, data });
  const elsewhere = await added('product', { data: { name: `Other ${uuid}` } });
  expect((await alice.post('product/backend/delete', { productId: elsewhere, instance: uuid })).status).toBe(
    404,
  );
  await ask('product/backend/delete', { productId: product, instance: { uuid } });
  const gone = await alice.post('product/backend/get', { product: { id: product }, instance: { uuid } });
  expect(gone.status).toBe(404);
  await ask('product/backend/instance/restore', { id: uuid });
  expect((await get(uuid)).endpoints).toMatchObject([{ path: '/hello' }]);
});

/**
 * Products: the first noun on the kit, so these tests cover what every plain noun gets from it.
 *
 * covers: PROD-01, PROD-02, PROD-03, PROD-05
 */
import { eventNames, laterValues, product, service } from '@quarterdeck/events';
import type { HistoryView, ListPage, UndoPreview, ViewOf } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import { Decisions } from '../../apps/backend/src/platform/decisions';
import { plainDecider, type PlainRecords, recordsOf } from '../../apps/backend/src/platform/kit';
import { PROJECTIONS, type ProjectionRunner } from '../../apps/backend/src/platform/tokens';
import { ownMeta } from '../../apps/backend/src/platform/sessions/session';
import { LostDeploys } from '../../apps/backend/src/deploys/lost-deploys';
import { deploysDecider, RequestRelease } from '../../apps/backend/src/deploys/deploys.decider';
import { connectSocket } from '../../testing/socket';
import { fieldsOf, idleKey, nowhere, openWorld, type World } from '../backend/world';
import type { Operator } from '../../testing/backend';

type ProductView = ViewOf<typeof product>;
interface Ids {
  id: string;
  uuid: string;
}

let world: World;
let alice: Operator;
let bob: Operator;
let mia: Operator;
const stranger = () => world.backend.signIn({ workspace: 'elsewhere', role: 'admin' });

beforeAll(async () => {
  world = await openWorld();
  const who = (role: 'admin' | 'member', email: string) =>
    world.backend.signIn({ workspace: 'products', role, email });
  [alice, bob, mia] = [
    await who('admin', 'alice@example.org'),
    await who('admin', 'bob@example.org'),
    await who('member', 'mia@example.org'),
  ];
});
afterAll(() => world?.end());

const add = async (name: string, description?: string): Promise<string> => {
  const answer = await alice.post<Ids>('product/insert', { data: { name, description } });
  expect(answer).toMatchObject({ status: 200, body: { uuid: answer.body.id } });
  return answer.body.id;
};
const detail = async (id: string): Promise<ProductView> =>
  (await alice.post<ProductView>('product/detail', { id })).body;
const names = async (who: Operator): Promise<string[]> =>
  (await who.post<ProductView[]>('product/list')).body.map(({ name }) => name);
const eventsOf = async (id: string): Promise<HistoryView[]> => {
  const subject = { category: 'product', id };
  return (await alice.post<{ events: HistoryView[] }>('history/list', { subject })).body.events.toReversed();
};
const undone = async (position: string) => {
  const { body } = await alice.post<UndoPreview>('history/undo/preview', { position });
  return { shown: body, answer: await alice.post('history/undo', { position, seen: body.seen }) };
};

describe('the whole life of a product', () => {
  let id: string;

  test('it is added with its fields, and listed by name for administrators and members', async () => {
    await add('Warehouse');
    id = await add('Shop', 'Where customers\norder');
    expect(await detail(id)).toMatchObject({
      id,
      name: 'Shop',
      description: 'Where customers\norder',
      revision: 0,
    });
    for (const who of [alice, bob, mia]) expect(await names(who)).toEqual(['Shop', 'Warehouse']);
    expect(await names(await stranger())).toEqual([]);
  });

  test('one page has the requested rows, and counts the others', async () => {
    const page = async (body: object) => (await mia.post<ListPage<ProductView>>('product/page', body)).body;
    const named = ({ rows }: ListPage<ProductView>) => rows.map(({ name }) => name);
    const first = await page({ size: 1 });
    expect([named(first), first.found, first.total]).toEqual([['Shop'], 2, 2]);
    expect(named(await page({ size: 1, page: 2 }))).toEqual(['Warehouse']);
    expect(named(await page({ sort: '-name' }))).toEqual(['Warehouse', 'Shop']);
    const searched = await page({ search: 'CUSTOMERS' });
    expect([named(searched), searched.found, searched.total]).toEqual([['Shop'], 1, 2]);
    expect(named(await page({ filters: { name: 'ware' } }))).toEqual(['Warehouse']);
    expect((await mia.post('product/page', { page: 0 })).body).toMatchObject({
      data: { page: 'numbers below 1 are not accepted' },
    });
  });

  test('an edit records only what changed: a rename, a revision, or both', async () => {
    const edit = (data: object, revision?: number) => bob.post('product/update', { id, data, revision });
    expect((await edit({ name: 'Shop', description: 'Orders' }, 0)).status).toBe(200);
    expect((await edit({ name: 'Web shop', description: 'Orders' }, 1)).status).toBe(200);
    expect((await edit({ name: 'Web shop' }, 2)).status).toBe(200);
    expect((await edit({ name: 'Web shop', description: '' })).status).toBe(200);
    const events = await eventsOf(id);
    expect(events.map(({ type, data, says }) => [type, data, says])).toEqual([
      ['ProductAdded', { name: 'Shop', description: 'Where customers\norder' }, 'added Shop'],
      ['ProductRevised', { description: 'Orders' }, 'changed description'],
      ['ProductRenamed', { name: 'Web shop' }, 'renamed to Web shop'],
      ['ProductRevised', { description: '' }, 'changed description'],
    ]);
    expect(events.map(({ subject }) => subject.name)).toEqual(Array(4).fill('Web shop'));
  });

  test('the history says what each event changed', async () => {
    const [, revised] = await eventsOf(id);
    const { body } = await alice.post('history/detail', { position: revised?.position });
    expect(body).toMatchObject({
      changes: [{ field: 'Description', before: 'Where customers\norder', after: 'Orders' }],
    });
  });

  test('an edit of an outdated version is a conflict that shows the product as it is', async () => {
    const data = { name: 'Something else', description: '' };
    const answer = await alice.post('product/update', { id, data, revision: 0 });
    expect(answer).toMatchObject({ status: 409, body: { current: { id, name: 'Web shop', revision: 3 } } });
  });

  test('it is shown as it was at an instant', async () => {
    const [added] = await eventsOf(id);
    const before = await alice.post<ProductView>('product/detail', { id }, { 'x-at': added?.position ?? '' });
    expect(before.body).toMatchObject({ name: 'Shop', description: 'Where customers\norder' });
    const earlier = String(Number(added?.position) - 1);
    const list = await alice.post<ProductView[]>('product/list', {}, { 'x-at': earlier });
    expect(list.body.map(({ name }) => name)).toEqual(['Warehouse']);
  });

  test('it is removed only by its typed name, and restored as it was', async () => {
    const wrong = await alice.post('product/delete', { id, name: 'web shop' });
    expect(wrong).toMatchObject({
      status: 400,
      body: { data: { name: 'this is not the name of the product' } },
    });
    expect((await alice.post('product/delete', { id, name: 'Web shop' })).status).toBe(200);
    for (const [call, body] of [
      ['detail', { id }],
      ['update', { id, data: { name: 'Web shop' } }],
      ['delete', { id }],
    ] as const)
      expect(await alice.post(`product/${call}`, body)).toMatchObject({
        status: 404,
        body: { msg: 'product could not be found' },
      });
    expect(await names(alice)).toEqual(['Warehouse']);
    expect((await alice.post('product/restore', { id })).status).toBe(200);
    expect(await detail(id)).toMatchObject({ name: 'Web shop', description: '' });
    expect(await alice.post('product/restore', { id })).toMatchObject({ status: 200 });
  });
});

describe('the name of a product', () => {
  const taken = { status: 400, body: { data: { name: 'another product already has this name' } } };

  test('belongs to one product of a workspace, ignoring case, until that is renamed or removed', async () => {
    const id = await add('Billing');
    const other = await add('Invoices');
    expect(await bob.post('product/insert', { data: { name: 'BILLING' } })).toMatchObject(taken);
    expect(await bob.post('product/update', { id: other, data: { name: 'billing' } })).toMatchObject(taken);
    expect((await (await stranger()).post('product/insert', { data: { name: 'Billing' } })).status).toBe(200);
    expect((await bob.post('product/update', { id, data: { name: 'Payments' } })).status).toBe(200);
    expect((await bob.post('product/update', { id: other, data: { name: 'Billing' } })).status).toBe(200);
    await bob.post('product/delete', { id });
    const again = await add('Payments');
    expect(await bob.post('product/restore', { id })).toMatchObject(taken);
    for (const each of [other, again]) await bob.post('product/delete', { id: each });
  });

  test('is kept without the spaces around it, and removed without typing them', async () => {
    const id = await add(' Spaced ');
    expect(await detail(id)).toMatchObject({ name: 'Spaced' });
    expect(await bob.post('product/insert', { data: { name: 'spaced ' } })).toMatchObject(taken);
    expect((await bob.post('product/delete', { id, name: ' Spaced' })).status).toBe(200);
  });

  test('is given to one of ten that are added at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        alice.post('product/insert', { data: { name: i % 2 ? 'Twin' : 'twin' } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('is required, on one line and bounded', async () => {
    const refused = async (data: object) =>
      (await alice.post<{ data: object }>('product/insert', { data })).body.data;
    expect(await refused({})).toEqual({ 'data.name': 'This field is required' });
    expect(await refused({ name: '' })).toEqual({ 'data.name': 'This field is required' });
    expect(await refused({ name: 'x'.repeat(101) })).toEqual({
      'data.name': 'at most 100 characters are accepted',
    });
    expect(await refused({ name: 'a\nb' })).toHaveProperty(['data.name']);
    expect(await refused({ name: 'a', colour: 'red' })).toEqual({
      'data.colour': 'this key cannot be included',
    });
  });
});

describe('undo', () => {
  test('brings back what one edit changed, and leaves what was changed since', async () => {
    const id = await add('Edited', 'first');
    await alice.post('product/update', { id, data: { name: 'Renamed', description: 'first' } });
    await alice.post('product/update', { id, data: { name: 'Renamed', description: 'second' } });
    const renamed = (await eventsOf(id)).find(({ type }) => type === 'ProductRenamed');
    const { shown, answer } = await undone(renamed?.position ?? '');
    expect(shown.steps[0]?.changes).toEqual([{ field: 'Name', before: 'Renamed', after: 'Edited' }]);
    expect(answer.status).toBe(200);
    expect(await detail(id)).toMatchObject({ name: 'Edited', description: 'second' });
    expect((await undone(renamed?.position ?? '')).shown.refused).toBe('it is already as it was before');
  });

  test('brings back a removed product, unless another has its name by now', async () => {
    const id = await add('Gone');
    await alice.post('product/delete', { id });
    const removed = (await eventsOf(id)).at(-1)?.position ?? '';
    const other = await add('Gone');
    expect((await undone(removed)).shown.refused).toBe('another product already has this name');
    await alice.post('product/delete', { id: other });
    expect((await undone(removed)).answer.status).toBe(200);
    expect(await detail(id)).toMatchObject({ name: 'Gone' });
    expect((await undone(removed)).shown.refused).toBe('it has already been restored');
  });
});

test('a member reads products, may not change them, and is pushed every change', async () => {
  const listener = await connectSocket(mia);
  await listener.resume('0');
  const id = await add('Heard');
  await listener.until(() => listener.changes.some(({ stream }) => stream === `product-${id}`));
  listener.close();
  expect((await mia.post('product/detail', { id })).status).toBe(200);
  for (const [call, body] of [
    ['insert', { data: { name: 'Mine' } }],
    ['update', { id, data: { name: 'Mine' } }],
    ['delete', { id }],
    ['restore', { id }],
  ] as const)
    expect((await mia.post(`product/${call}`, body)).status).toBe(403);
});

test('a repeated insert with the same Idempotency-Key adds one product', async () => {
  const key = { 'idempotency-key': '0193f0a0-0000-7000-8000-0000000000aa' };
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => alice.post<Ids>('product/insert', { data: { name: 'Once' } }, key)),
  );
  const ids = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.id));
  expect(ids.size).toBe(1);
  expect((await eventsOf([...ids][0] ?? '')).map(({ type }) => type)).toEqual([eventNames(product).added]);
});

test('a service of a product names its repositories and its server (covers: SVC-01)', async () => {
  const id = await add('With services');
  const server = { ...fieldsOf('web-1', nowhere), privateKey: idleKey() };
  const host = (await alice.post<Ids>('server/insert', server)).body.id;
  const data = {
    name: 'shop',
    organization: 'example',
    repo: 'shop',
    server: { id: host },
    port: 3000,
    packageType: 'container',
    withDb: true,
  };
  const insert = (changed: object) =>
    alice.post<Ids>('service/insert', { data: { ...data, ...changed }, product: { id } });
  const refused = async (changed: object, found: object) =>
    expect(await insert(changed)).toMatchObject({ status: 400, body: { data: found } });
  await refused({ repo: '' }, { 'data.repo': 'This field is required' });
  await refused({ server: null }, { 'data.server.id': 'This field is required' });
  await refused({ port: 0 }, { 'data.port': 'numbers below 1 are not accepted' });
  await refused(
    { healthPath: 'health' },
    { 'data.healthPath': 'a path is expected, beginning with /: such as /health' },
  );
  await refused({ port: 443 }, { 'data.port': expect.stringContaining('choose another, such as 3000') });
  await refused({ repoFront: 'SHOP' }, { 'data.repoFront': 'the client part needs a repository of its own' });
  await refused({ whileDeploying: 'wait' }, { 'data.whileDeploying': expect.stringContaining('queue') });
  await refused({ server: { id } }, { 'server.id': 'this server could not be found' });

  const service = await insert({});
  expect(service).toMatchObject({ status: 200 });
  expect((await alice.post('service/detail', { id: service.body.id })).body).toMatchObject({
    nameFront: '',
    repoFront: '',
    packageSubfolder: '',
    server: { id: host, name: 'web-1' },
    healthPath: '/',
    healthSeconds: 60,
    keep: 3,
    whileDeploying: 'queue',
  });
  const revised = { ...data, keep: 5, healthPath: '/health' };
  expect(await alice.post('service/update', { id: service.body.id, data: revised })).toMatchObject({
    status: 200,
  });
  // Fields that an edit omits stay; what is sent empty is emptied.
  const more = {
    nameFront: 'shop-front',
    repoFront: 'front',
    packageSubfolder: 'api',
    port: 4000,
    withDb: true,
  };
  const { port: _, packageType: __, withDb: ___, ...least } = data;
  for (const fields of [{ ...data, ...more }, least, { ...least, packageSubfolder: '' }])
    expect(await alice.post('service/update', { id: service.body.id, data: fields })).toMatchObject({
      status: 200,
    });
  expect((await alice.post('service/detail', { id: service.body.id })).body).toMatchObject({
    ...data,
    ...more,
    server: { id: host },
    packageSubfolder: '',
    keep: 5,
    healthPath: '/health',
  });
  const listed = await alice.post<(Ids & { services: object[] })[]>('product/listWServices');
  expect(listed.body.find((one) => one.id === id)?.services).toMatchObject([
    { id: service.body.id, name: 'shop', server: { name: 'web-1' } },
  ]);
  expect(listed.body.filter(({ services }) => services.length > 0)).toHaveLength(1);
  expect((await mia.post('product/listWServices')).status).toBe(403);
  await refused({ name: 'SHOP' }, { name: 'another service already has this name' });

  // In the forms of the specification.
  const ledger = (await alice.post<Ids>('service/insert', { ...data, name: 'ledger', product: { id } })).body
    .id;
  const renamed = { data: { ...data, name: 'ledgers' }, filters: { id: ledger } };
  expect((await alice.post('service/update', renamed)).status).toBe(200);
  const all = await alice.post<{ name: string }[]>('service/list', { filters: { product: { id } } });
  expect(all.body.map(({ name }) => name)).toEqual(['ledgers', 'shop']);
  expect((await alice.post('service/list', { filters: { product: { id: ledger } } })).body).toEqual([]);
  expect(await alice.post('service/deployService/add', { uuid: ledger })).toMatchObject({
    status: 200,
    body: { id: ledger, uuid: ledger },
  });
  expect((await alice.post('service/deployService/add', { uuid: id })).status).toBe(404);
  expect(await alice.post('service/insert', { port: 1, product: { id } })).toMatchObject({
    status: 400,
    body: { data: { 'data.name': 'This field is required' } },
  });
  expect((await mia.post('service/list', { product: { id } })).status).toBe(403);
});

describe('the port of a service', () => {
  const insert = async (product: string, data: object) =>
    alice.post<Ids>('service/insert', { data, product: { id: product } });
  const serviceOn = async (alias: string, port: number) => {
    const fields = { ...fieldsOf(alias, nowhere), privateKey: idleKey() };
    const server = { id: (await alice.post<Ids>('server/insert', fields)).body.id };
    const more = { packageType: 'container', withDb: false, healthPath: '/' };
    return { name: 'first', organization: 'example', repo: 'first', server, port, ...more };
  };
  const taken = {
    status: 400,
    body: { data: { port: 'another service of the server already has this port' } },
  };

  test('belongs to one service of a server, whatever the product', async () => {
    const [first, second] = [await add('First of a server'), await add('Second of a server')];
    const data = await serviceOn('shared', 3401);
    expect((await insert(first, data)).status).toBe(200);
    const other = { ...data, name: 'other', repo: 'other' };
    expect(await insert(second, other)).toMatchObject(taken);
    const added = await insert(second, { ...other, port: 3402 });
    expect(added.status).toBe(200);
    const { id } = added.body;
    expect(await alice.post('service/update', { id, data: other })).toMatchObject(taken);
    // A removed service gives it up, and is not restored once another one has it.
    expect((await alice.post('service/delete', { id, name: 'other' })).status).toBe(200);
    expect((await insert(first, { ...other, port: 3402 })).status).toBe(200);
    expect(await alice.post('service/restore', { id })).toMatchObject(taken);
    const elsewhere = { ...other, name: 'elsewhere', server: (await serviceOn('unshared', 1)).server };
    expect((await insert(first, elsewhere)).status).toBe(200);
  });

  test('and other values that are refused by now stay in records that have them', async () => {
    const product = await add('From before the rules');
    const { id: person, workspace } = await alice
      .get<{ profile: Ids; instance: Ids }>('session')
      .then(({ body }) => ({ id: body.profile.id, workspace: body.instance.uuid }));
    const things = world.backend.app.get<PlainRecords>(recordsOf(service), { strict: false });
    const data = { ...(await serviceOn('old', 80)), repoFront: 'FIRST', nameFront: '', packageSubfolder: '' };
    const { id } = await things
      .add({ ...laterValues(service), ...data }, product, ownMeta(person, workspace))
      .then(async () => (await alice.post<Ids[]>('service/list', { product: { id: product } })).body[0]!);
    const edit = (changed: object) => alice.post('service/update', { id, data: { ...data, ...changed } });
    expect((await edit({ keep: 5 })).status).toBe(200);
    expect(await edit({ port: 443 })).toMatchObject({
      status: 400,
      body: { data: { port: expect.stringContaining('3000') } },
    });
    const shop = { data: { version: '1', image: 'ghcr.io/acme/shop:1' }, service: { id } };
    const packageId = (await alice.post<Ids>('package/insert', shop)).body.id;
    const deploy = () => alice.post('deploy', { id, packageId });
    expect(await deploy()).toMatchObject({
      status: 422,
      body: { msg: expect.stringMatching('port 80: .*3000') },
    });
    expect((await edit({ port: 3000, repoFront: 'front' })).status).toBe(200);
    const twin = { ...data, name: 'twin', repoFront: '', port: 3001 };
    expect((await insert(product, twin)).status).toBe(200);
    const decider = plainDecider(service);
    const decisions = world.backend.app.get(Decisions, { strict: false });
    const edited = new decider.has.Edit(id, { port: 3001 }, ownMeta(person, workspace));
    const { position } = await decisions.execute(decider, edited);
    await world.backend.app.get<ProjectionRunner>(PROJECTIONS, { strict: false }).waitFor(position, 30_000);
    expect(await deploy()).toMatchObject({
      status: 422,
      body: { msg: expect.stringMatching('twin has it') },
    });
    expect((await edit({ port: 3001, repoFront: 'front', keep: 4 })).status).toBe(200);
    expect(await edit({ port: 3002, repoFront: 'front' })).toMatchObject({ status: 200 });
    expect(await edit({ port: 80 })).toMatchObject({ status: 400 });
  });
});

test('a deploy whose back end died before its run began is ended (covers: DEP-01)', async () => {
  const product = await add('Deployed');
  const fields = { ...fieldsOf('web-2', nowhere), privateKey: idleKey() };
  const server = { id: (await alice.post<Ids>('server/insert', fields)).body.id, name: 'web-2' };
  const data = {
    name: 'Orders',
    organization: 'example',
    repo: 'orders',
    server,
    port: 3000,
    packageType: 'container',
    withDb: false,
  };
  const service = (await alice.post<Ids>('service/insert', { data, product: { id: product } })).body.id;
  const { body } = await alice.get<{ profile: Ids; instance: Ids }>('session');
  const release = uuidv7();
  const asked = {
    service: { id: service, name: 'Orders' },
    product,
    server,
    env: 3,
    port: 3000,
    keep: 3,
    package: { id: uuidv7(), version: '1.4.2', image: 'ghcr.io/example/orders:1.4.2' },
    health: { path: '/', seconds: 60 },
    variables: [],
    compose: '',
  };
  const before = new Date(Date.now() - 60_000).toISOString();
  const meta = { ...ownMeta(body.profile.id, body.instance.uuid), at: before };
  const { app } = world.backend;
  const request = new RequestRelease(release, asked, meta);
  await app.get(Decisions, { strict: false }).execute(deploysDecider, request);
  const detail = () => alice.post<{ state?: string }>('deploy/release/detail', { id: release });
  while ((await detail()).body.state !== 'failed') await app.get(LostDeploys, { strict: false }).round();
  expect((await detail()).body).toMatchObject({ reason: expect.stringContaining('before the deploy began') });
  const again = { id: service, name: 'Orders' };
  expect(await alice.post('service/delete', again)).toMatchObject({ status: 200 });
});

/** The locations of a domain, through the calls. covers: DOM-03 */
import type { LocationView } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import { fieldsOf, idleKey, nowhere } from '../backend/world';
import type { Operator } from '../../testing/backend';
import { openDomainGround, type DomainGround, type Ids, type Refused } from './ground';

let ground: DomainGround;
let domain: string;
let server: string;

const full = {
  location: '/api/',
  match: 'prefix',
  url: 'http://app:3000/v1/',
  env: 3,
  isRedirect: false,
  redirectCode: 308,
  is404: false,
  volumes: '/srv/static',
  isCorsEnabled: true,
  timeout: 90,
  websocket: true,
} as const;

const add = (data: object, to = domain, revision?: number) =>
  ground.alice.post<Ids & Refused>('domain/location/insert', {
    domain: { id: to },
    data,
    ...(revision === undefined ? {} : { revision }),
  });
const revise = (id: string, data: object, revision?: number) =>
  ground.bob.post<Ids & { msg: string; data?: object; current?: LocationView }>('domain/location/update', {
    data,
    filters: { id },
    ...(revision === undefined ? {} : { revision }),
  });
const list = async (of = domain): Promise<LocationView[]> =>
  (await ground.alice.post<LocationView[]>('domain/location/list', { domain: { id: of } })).body;

/** Pulls a package, which fails because nothing listens, but is in the log. @returns the id of its entry */
const deployed = async (who: Operator, onto: string): Promise<string> => {
  await who.post('deploy/pull', { server: { id: onto }, cdUrl: 'http://127.0.0.1:9/shop' });
  const { body } = await who.post<{ id: string }[]>('deploy/logs/list', {});
  return body[0]?.id ?? '';
};

beforeAll(async () => {
  ground = await openDomainGround();
  server = await ground.server('web-1');
  domain = await ground.domain('shop', server);
});
afterAll(() => ground?.end());

test('a location with every field is stored as entered, with its domain', async () => {
  const deployLog = { id: await deployed(ground.alice, server) };
  const { status, body } = await add({ ...full, deployLog });
  expect([status, body.uuid]).toEqual([200, body.id]);
  const kept = { id: body.id, ...full, deployLog };
  expect(await list()).toEqual([kept]);
  const inDomain = { ...kept, domain: { id: domain, serverName: 'shop.example.test', revision: 1 } };
  expect((await ground.bob.post('domain/location/detail', { id: body.id })).body).toEqual(inDomain);
});

test('a service is found by the locations that pass requests to its port on its server', async () => {
  const { alice } = ground;
  const product = await alice.post<Ids>('product/insert', { data: { name: 'Shop', description: '' } });
  const serviceAt = async (onto: string): Promise<string> => {
    const data = {
      name: `api-${uuidv7()}`,
      nameFront: '',
      organization: 'acme',
      repo: 'api',
      repoFront: '',
      server: { id: onto },
      port: 4711,
      packageType: 'container',
      packageSubfolder: '',
      withDb: false,
    };
    const added = await alice.post<Ids>('service/insert', { data, product: { id: product.body.id } });
    return added.body.id;
  };
  const other = await ground.server('web-of-another-service');
  const [here, elsewhere] = [await serviceAt(server), await serviceAt(other)];
  const ofService = async (id: string) => {
    const answer = await ground.bob.post<{ location: string; domain: Ids }[]>(
      'domain/location/listByService',
      {
        service: { id },
      },
    );
    return [answer.status, answer.status === 200 ? answer.body.map((one) => one.location) : answer.body];
  };
  await add({ location: '/orders/', url: 'http://127.0.0.1:4711/' });
  await add({ location: '/orders-too/', url: 'http://localhost:4711' });
  await add({ location: '/other-port/', url: 'http://127.0.0.1:4712/' });
  await add({ location: '/other-host/', url: 'http://192.0.2.7:4711/' });
  await add({ location: '/redirect/', url: 'http://127.0.0.1:4711/', isRedirect: true });
  expect(await ofService(here)).toEqual([200, ['/orders/', '/orders-too/']]);
  expect(await ofService(elsewhere)).toEqual([200, []]);
  expect(await ofService(uuidv7())).toEqual([404, { msg: 'service could not be found' }]);
  const before = await list();
  for (const { id, location } of before)
    if (['/orders', '/other-', '/redirect'].some((start) => location.startsWith(start)))
      await alice.post('domain/location/delete', { id });
});

test('a location with only a path serves files, and matches by prefix', async () => {
  const { body } = await add({ location: '/files/' });
  expect((await list()).at(-1)).toEqual({ id: body.id, location: '/files/', match: 'prefix' });
});

test('a duplicate is refused by field: a path is unique for each kind of match', async () => {
  expect((await add({ location: '/files/', match: 'exact' })).status).toBe(200);
  const twin = await add({ location: '/files/', url: 'http://other/' });
  expect([twin.status, twin.body.data]).toEqual([
    400,
    { location: 'this domain already has a location /files/' },
  ]);
  const [api] = await list();
  const renamed = await revise(api?.id ?? '', { location: '/files/' });
  expect([renamed.status, renamed.body.data]).toEqual([400, twin.body.data]);
});

test('a revision keeps the omitted fields and the order, and null clears a field', async () => {
  const before = await list();
  const [first] = before;
  const answer = await revise(first?.id ?? '', { location: '/v2/', timeout: null });
  expect(answer.status).toBe(200);
  const after = await list();
  const { timeout: _, ...others } = first as LocationView;
  expect(after[0]).toEqual({ ...others, location: '/v2/' });
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  const again = await revise(first?.id ?? '', { location: '/v2/' });
  expect(again.headers.get('x-position')).toBe(answer.headers.get('x-position'));
});

test('a package that was not deployed in the workspace is refused; one that left its log later may stay', async () => {
  const { alice, world } = ground;
  const eve = await world.backend.signIn({ workspace: 'elsewhere', email: 'eve@example.org' });
  const fields = { ...fieldsOf('elsewhere-1', nowhere), privateKey: idleKey() };
  const foreign = await deployed(eve, (await eve.post<Ids>('server/insert', fields)).body.id);
  const refused = {
    status: 400,
    body: { data: { 'data.deployLog.id': 'no package with this id was deployed in this workspace' } },
  };
  for (const id of [foreign, uuidv7()])
    expect(await add({ location: '/foreign/', deployLog: { id } })).toMatchObject(refused);
  const own = await deployed(alice, server);
  const { body } = await add({ location: '/own/', deployLog: { id: own } });
  expect(await revise(body.id, { location: '/own/', deployLog: { id: foreign } })).toMatchObject(refused);
  await alice.post('deploy/logs/delete', { id: own });
  const kept = { location: '/own/', timeout: 5, deployLog: { id: own } };
  expect((await revise(body.id, kept)).status).toBe(200);
  expect((await list()).at(-1)).toMatchObject(kept);
  await alice.post('domain/location/delete', { id: body.id });
});

test('every field of an edit is optional, and the fields have to fit together with those that stay', async () => {
  const { body } = await add({ location: '/part/', url: 'http://app:3000', match: 'exact' });
  const last = async () => (await list()).at(-1);
  const before = { id: body.id, location: '/part/', url: 'http://app:3000', match: 'exact' };
  expect((await revise(body.id, {})).status).toBe(200);
  expect(await last()).toEqual(before);
  expect((await revise(body.id, { timeout: 30 })).status).toBe(200);
  expect(await last()).toEqual({ ...before, timeout: 30 });
  const wrong = await revise(body.id, { isRedirect: true, is404: true });
  expect([wrong.status, Object.keys(wrong.body.data ?? {})]).toEqual([400, ['data.is404']]);
  await ground.alice.post('domain/location/delete', { id: body.id });
});

test('a stale revision gets the current state', async () => {
  const { revision } = await ground.detail(domain);
  const [first] = await list();
  const id = first?.id ?? '';
  expect((await revise(id, { location: '/v3/' }, revision)).status).toBe(200);
  const stale = await revise(id, { location: '/v4/' }, revision);
  expect(stale.status).toBe(409);
  expect(stale.body.current).toMatchObject({ id, location: '/v3/', domain: { id: domain } });
});

test('only one of two concurrent duplicates is added', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => add({ location: '/once/' })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect((await list()).filter(({ location }) => location === '/once/')).toHaveLength(1);
});

test('input that is invalid, or has a special meaning to nginx, is refused by field', async () => {
  const refused: [object, string][] = [
    [{ location: 'api' }, 'location'],
    [{ location: '/a;b' }, 'location'],
    [{ location: '/a', url: 'ftp://x/' }, 'url'],
    [{ location: '/a', isRedirect: true }, 'url'],
    [{ location: '/a', isRedirect: true, url: '/b', is404: true }, 'is404'],
    [{ location: '/a', volumes: '/' }, 'volumes'],
    [{ location: '/a', timeout: 0 }, 'timeout'],
    [{ location: '/a', env: 4 }, 'env'],
    [{ location: '/a', color: 'red' }, 'color'],
  ];
  const before = await list();
  for (const [data, field] of refused) {
    const { status, body } = await add(data);
    expect([data, status, Object.keys(body.data ?? {})]).toEqual([data, 400, [`data.${field}`]]);
  }
  expect(await list()).toEqual(before);
});

test('a removed location cannot be found, nor one of a removed domain', async () => {
  const { alice } = ground;
  const [first] = await list();
  expect((await alice.post('domain/location/delete', { id: first?.id })).status).toBe(200);
  expect((await list()).map(({ id }) => id)).not.toContain(first?.id);
  const gone = { status: 404, body: { msg: 'location could not be found' } };
  for (const path of ['domain/location/detail', 'domain/location/delete'])
    expect(await alice.post(path, { id: first?.id })).toMatchObject(gone);
  expect(await revise(first?.id ?? '', { location: '/x/' })).toMatchObject(gone);
  expect((await add({ location: '/x/' }, uuidv7())).body.msg).toBe('domain could not be found');
});

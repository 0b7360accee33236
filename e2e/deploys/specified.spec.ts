/**
 * The forms in which the specification asks about services, their deploys and their variables.
 *
 * covers: DEP-01, SRV-10, SVC-01, WIZ-01, DOM-03, ENV-01
 */
import type { DeployRow, HistoryView, InstantDifference, VariableView } from '@quarterdeck/projections';
import { openDomainGround, type DomainGround } from '../domains/ground';
import { good } from './container-server';
import { recordedGround, type RecordedGround } from './recorded-releases';

interface Logged {
  id: string;
  uuid: string;
  version?: string;
  slug: string;
  state: string;
  packageId?: string;
  serviceDeploy?: { id: string };
}

let ground: DomainGround;
let recorded: RecordedGround;
let server: string;

beforeAll(async () => {
  ground = await openDomainGround();
  recorded = await recordedGround(ground.world, ground.alice);
  server = await ground.server('web-1');
});
afterAll(() => ground?.end());

const asked = async <T>(path: string, body: object) => {
  const { status, body: answer } = await ground.alice.post<T>(path, body);
  return { status, body: answer };
};
const logs = (filters?: object) =>
  good<Logged[]>(ground.alice, 'deploy/logs/list', filters ? { filters } : {});

describe('deploys made by deploy {id, packageId}', () => {
  test('are in the deploy log of their server, and are deleted by the id that service/versions gives', async () => {
    const elsewhere = await recorded.server('web-elsewhere');
    const service = await recorded.service('Orders', server);
    const first = await recorded.release(service, '1.0');
    const [before] = await good<{ id: string; deployLog?: { id: string } }[]>(
      ...([ground.alice, 'deploy/service/versions', { id: service }] as const),
    );
    expect(before?.deployLog?.id).toBe(first);
    expect(await logs({ server: { id: server } })).toMatchObject([
      {
        id: first,
        uuid: first,
        version: '1.0',
        slug: 'Orders',
        state: 'succeeded',
        cdUrl: 'ghcr.io/acme/orders:1.0',
        packageId: before?.id,
        server: { id: server },
        serviceDeploy: { id: service },
        service: { name: 'Orders', product: recorded.product },
      },
    ]);
    expect(await logs({ server: { id: elsewhere } })).toEqual([]);
    const there = await good<Logged[]>(ground.alice, 'deploy/logs/list', { server: { id: server } });
    expect(there.map(({ id }) => id)).toEqual([first]);
    for (const [body, field] of [
      [{ server }, 'filters.server'],
      [{ filters: { service: { id: service } } }, 'filters.service'],
      [{ service: { id: service } }, 'service'],
    ] as const)
      expect(await asked('deploy/logs/list', body)).toMatchObject({
        status: 400,
        body: { data: { [field]: expect.stringMatching(/./) } },
      });
    expect((await logs()).map(({ id }) => id)).toContain(first);
    // What serves stays in the log.
    expect(await asked('deploy/logs/delete', { id: first })).toMatchObject({ status: 409 });
    const second = await recorded.release(service, '1.1');
    expect(await asked('deploy/logs/delete', { id: first })).toEqual({
      status: 200,
      body: { id: first, uuid: first },
    });
    expect((await logs({ server: { id: server } })).map(({ id }) => id)).toEqual([second]);
    const left = await good<DeployRow[]>(ground.alice, 'deploy/release/list', { service: { id: service } });
    expect(left.map(({ id }) => id)).toEqual([second]);
    expect(await asked('deploy/logs/delete', { id: service })).toMatchObject({ status: 404 });
  });

  test('are logged with those that were pulled, newest first', async () => {
    const service = await recorded.service('Mixed', server, { port: 3050 });
    const older = await recorded.release(service, '1.0', { serves: false });
    await asked('deploy/pull', { server: { id: server }, cdUrl: 'http://127.0.0.1:9/shop' });
    const newer = await recorded.release(service, '1.1');
    const [first, second, third] = await logs();
    expect([first?.id, second?.slug, third?.id]).toEqual([newer, 'shop', older]);
    expect([first?.state, second?.state, third?.state]).toEqual(['succeeded', 'failed', 'requested']);
    expect(await asked('deploy/logs/delete', { id: second?.id })).toMatchObject({ status: 200 });
  });

  test('are parts of their service and of its product: in their histories, and in what changed of them', async () => {
    const service = await recorded.service('Told', server, { port: 3065 });
    await recorded.release(service, '1.0');
    const told = async (category: string, id: string) =>
      (
        await good<{ events: HistoryView[] }>(ground.alice, 'history/list', {
          subject: { category, id, parts: true },
        })
      ).events.filter(({ subject }) => subject.category === 'release');
    const [served] = await told('service', service);
    await recorded.release(service, '1.1');
    for (const [category, id] of [
      ['service', service],
      ['product', recorded.product],
    ] as const) {
      expect((await told(category, id)).slice(0, 4).map(({ says }) => says)).toEqual([
        'deployed 1.1',
        expect.stringContaining('requested a deploy of Told 1.1'),
        'deployed 1.0',
        expect.stringContaining('requested a deploy of Told 1.0'),
      ]);
      const { parts } = await good<InstantDifference>(ground.alice, 'moment/difference', {
        subject: { category, id },
        from: served?.position,
      });
      expect(parts.find(({ subject }) => subject.name === 'Told 1.1')).toMatchObject({
        is: 'added',
        changes: expect.arrayContaining([{ field: 'State', after: 'served' }]),
      });
    }
  });

  test('may be the package of a location, which then leads to the service', async () => {
    const service = await recorded.service('Located', server, { port: 3060 });
    const deployLog = { id: await recorded.release(service, '1.0') };
    const domain = { id: await ground.domain('located', server) };
    const data = { location: '/api/', url: 'http://app:8080', deployLog };
    await good(ground.alice, 'domain/location/insert', { domain, data });
    const nested = { serviceDeploy: { id: service } };
    for (const named of [{ id: service }, { uuid: service }, { deploy: { id: service } }, nested, service])
      expect(await asked('domain/location/listByService', { service: named })).toMatchObject({
        status: 200,
        body: [{ location: '/api/', deployLog }],
      });
    expect(await asked('domain/location/listByService', nested)).toMatchObject({
      status: 200,
      body: [{ location: '/api/', deployLog }],
    });
  });
});

describe('a service', () => {
  let port = 3100;
  const wizard = () => ({
    organization: 'acme',
    repo: 'wizard',
    server: { id: server },
    port: ++port,
    withDb: false,
    product: { id: recorded.product },
  });
  const typeOf = async (answer: { status: number; body: { id?: string } }) => {
    expect(answer).toMatchObject({ status: 200 });
    return (await good<{ packageType: string }>(ground.alice, 'service/detail', { id: answer.body.id }))
      .packageType;
  };

  test('is inserted as the wizard does, without a type of package, or with its number', async () => {
    const insert = (name: string, more: object) =>
      asked<{ id?: string; data?: object }>('service/insert', { name, ...wizard(), ...more });
    expect(await typeOf(await insert('Wizard', {}))).toBe('container');
    expect(await typeOf(await insert('By number', { packageType: 1 }))).toBe('container');
    expect(await typeOf(await insert('By the other', { packageType: 2 }))).toBe('npm');
    expect(await typeOf(await insert('By word', { packageType: 'npm' }))).toBe('npm');
    // The options of a select are texts, and a blank one means none.
    expect(await typeOf(await insert('By text', { packageType: '2' }))).toBe('npm');
    for (const packageType of [null, ''])
      expect(await typeOf(await insert(`None ${packageType}`, { packageType }))).toBe('container');
    for (const packageType of [0, 3, '3', 'jar', { id: 1 }, [1], true])
      expect(await insert('Refused', { packageType })).toMatchObject({
        status: 400,
        body: { data: { 'data.packageType': 'expected type container | npm' } },
      });
    const { body } = await insert('Edited', { packageType: 2 });
    const data = { name: 'Edited', organization: 'acme', repo: 'r', server: { id: server } };
    expect(await typeOf(await asked('service/update', { data, filters: { id: body.id } }))).toBe('npm');
    const numbered = { data: { ...data, packageType: 1 }, filters: { id: body.id } };
    expect(await typeOf(await asked('service/update', numbered))).toBe('container');
    const blank = { data: { ...data, packageType: null }, filters: { id: body.id } };
    expect(await typeOf(await asked('service/update', blank))).toBe('container');
  });

  test('needs names for its client where both parts are made, and only there', async () => {
    const { product, ...fields } = wizard();
    const create = (more: object, data: object = {}) =>
      asked('service/create', { data: { name: 'Both', ...fields, ...data }, product, ...more });
    const required = {
      'data.nameFront': 'This field is required',
      'data.repoFront': 'This field is required',
    };
    for (const more of [{}, { fromTemplate: { server: true, client: true } }])
      expect(await create(more)).toMatchObject({ status: 400, body: { data: required } });
    const one = await create({}, { nameFront: 'Both client' });
    expect(one.body).toMatchObject({ data: { 'data.repoFront': 'This field is required' } });
    // Without a client, it gets as far as the source-code host, for which no token is stored.
    const server = await create({ fromTemplate: { server: true, client: false } });
    expect(JSON.stringify(server.body)).not.toMatch(/Front/);
  });
});

test('env-var/insert takes a service in every form that env-var/list takes', async () => {
  const service = await recorded.service('Nested', server, { port: 3070 });
  const product = { id: recorded.product };
  const forms = [
    { serviceDeploy: { id: service } },
    { serviceDeploy: { deploy: { id: service } } },
    { serviceDeploy: { uuid: service } },
    { service: { deploy: { id: service } } },
    { service: { id: service } },
    { serviceDeploy: { serviceDeploy: { id: service } } },
    { serviceDeploy: { id: service, product } },
    { serviceDeploy: { id: service, product: recorded.product } },
  ];
  for (const [at, form] of forms.entries()) {
    const data = { key: `KEY_${at}`, value: 'x', env: { id: 1 } };
    expect(await asked('env-var/insert', { data, product, ...form })).toMatchObject({ status: 200 });
  }
  const listed = await good<VariableView[]>(ground.alice, 'env-var/list', {
    product,
    service: { deploy: { id: service } },
    env: { id: 1 },
  });
  expect(listed.map(({ key }) => key)).toEqual(forms.map((_, at) => `KEY_${at}`));
  const data = { key: 'NONE', value: 'x', env: 1 };
  const other = { id: service };
  const unknown = 'this key cannot be included';
  for (const [serviceDeploy, words, field = 'serviceDeploy'] of [
    [undefined, 'This field is required'],
    [null, 'This field is required'],
    [{ id: service, name: 'Nested' }, unknown, 'serviceDeploy.name'],
    [{ id: service, product: other }, unknown, 'serviceDeploy.product'],
    [{ deploy: { id: 'x' } }, 'uuid invalid', 'serviceDeploy.deploy.id'],
    ['x', 'uuid invalid'],
    [5, 'a service is expected: { id }'],
    [{}, 'a service is expected: { id }'],
    [{ name: 'Nested' }, 'a service is expected: { id }'],
  ] as const)
    expect(await asked('env-var/insert', { data, product, serviceDeploy })).toMatchObject({
      status: 400,
      body: { data: { [field]: words } },
    });
  // A product that the service is not of.
  expect(
    await asked('env-var/insert', { data, serviceDeploy: { id: service, product: other } }),
  ).toMatchObject({
    status: 404,
  });
});

test('env-var/update takes the id of the variable in filters, too', async () => {
  const service = await recorded.service('Filtered', server);
  const data = { key: 'OLD', value: 'x', env: { id: 1 } };
  const { id } = await good<{ id: string }>(ground.alice, 'env-var/insert', {
    data,
    serviceDeploy: { id: service },
  });
  const update = { data: { ...data, key: 'NEW' }, filters: { id } };
  expect(await asked('env-var/update', update)).toMatchObject({ status: 200 });
  expect(await asked('env-var/detail', { id })).toMatchObject({ body: { key: 'NEW' } });
  expect(await asked('env-var/update', { data, filters: { key: 'NEW' } })).toMatchObject({
    status: 400,
    body: { data: { id: 'This field is required' } },
  });
});

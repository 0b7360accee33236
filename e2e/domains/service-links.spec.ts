/** What depends on what: locations that lead to a service, and services that use a database. covers: DOM-03, SVC-01 */
import { databaseAt } from '../data-model/database-at';
import type { OwnedLocation } from '../../apps/backend/src/domains/locations.queries';
import { openDomainGround, type DomainGround, type Ids, type Refused } from './ground';

let ground: DomainGround;
let server: string;
let domain: string;
let product: string;

type Leading = OwnedLocation & { by: string };

const added = async (call: string, input: object): Promise<string> => {
  const { status, body } = await ground.alice.post<Ids & Refused>(`${call}/insert`, input);
  if (status !== 200) throw new Error(`${call}: ${JSON.stringify(body)}`);
  return body.id;
};
const serviceFields = (name: string, port: number) => ({
  name,
  organization: 'acme',
  repo: name,
  server: { id: server },
  port,
  packageType: 'container',
  withDb: false,
});
const service = (name: string, port: number, more: object = {}) =>
  added('service', { data: { ...serviceFields(name, port), ...more }, product: { id: product } });
const location = (data: object) => added('domain/location', { domain: { id: domain }, data });
const leading = async (to: string): Promise<string[]> => {
  const { body } = await ground.alice.post<Leading[]>('domain/location/listByService', {
    service: { id: to },
  });
  return body.map((one) => `${one.location} by ${one.by}`);
};
const lastPosition = async (stream: string): Promise<{ position: string } | undefined> => {
  const { rows } = await ground.world.backend.db.query<{ position: string }>(
    'select position::text from log.events where stream = $1 order by position desc limit 1',
    [stream],
  );
  return rows[0];
};
const undoLast = async (stream: string): Promise<number> => {
  const last = await lastPosition(stream);
  const { body } = await ground.alice.post<{ seen: string }>('history/undo/preview', last);
  return (await ground.alice.post('history/undo', { ...last, seen: body.seen })).status;
};
/** What the last event of a stream changed, as its page in the history shows it. */
const lastChanges = async (stream: string): Promise<unknown> => {
  const { body } = await ground.alice.post<{ changes: unknown }>(
    'history/detail',
    await lastPosition(stream),
  );
  return body.changes;
};

beforeAll(async () => {
  ground = await openDomainGround();
  server = await ground.server('web-1');
  domain = await ground.domain('linked', server);
  product = await added('product', { data: { name: 'Shop', description: '' } });
});
afterAll(() => ground?.end());

describe('a location', () => {
  test('that is linked to a service leads to it, whatever its port; others lead to it by their port', async () => {
    const [shop, other] = [await service('shop', 3000), await service('other', 3001)];
    const linked = await location({ location: '/a/', url: 'http://127.0.0.1:9000', service: { id: shop } });
    await location({ location: '/b/', url: 'http://127.0.0.1:3000' });
    await location({ location: '/c/', url: 'http://127.0.0.1:3000', service: { id: other } });
    expect(await leading(shop)).toEqual(['/a/ by link', '/b/ by port']);
    expect(await leading(other)).toEqual(['/c/ by link']);
    const { body } = await ground.alice.post<OwnedLocation>('domain/location/detail', { id: linked });
    expect(body.service).toEqual({ id: shop });
    const update = (data: object) =>
      ground.alice.post('domain/location/update', { filters: { id: linked }, data });
    expect((await update({ timeout: 5 })).status).toBe(200);
    expect(await leading(shop)).toContain('/a/ by link');
    expect((await update({ service: null })).status).toBe(200);
    expect(await lastChanges(`domain-${domain}`)).toEqual([
      { field: 'Locations /a/: service', before: 'shop' },
    ]);
    expect(await leading(shop)).toEqual(['/b/ by port']);
    expect(await undoLast(`domain-${domain}`)).toBe(200);
    expect(await leading(shop)).toEqual(['/a/ by link', '/b/ by port']);
  });

  test('cannot be linked to a service that does not exist, and keeps one that was removed', async () => {
    const gone = await service('gone', 3010);
    const id = await location({ location: '/gone/', url: 'http://127.0.0.1:3010', service: { id: gone } });
    const update = (data: object) => ground.alice.post('domain/location/update', { filters: { id }, data });
    const bare = await ground.alice.post<Refused>('service/delete', { id: gone });
    expect([bare.status, bare.body.msg]).toEqual([
      409,
      expect.stringMatching(/^linked\.\S+\/gone\/ would point to nothing/),
    ]);
    expect((await ground.alice.post('service/delete', { id: gone, name: 'gone' })).status).toBe(200);
    expect((await update({ timeout: 7 })).status).toBe(200);
    expect(await update({ service: { id: domain } })).toMatchObject({
      status: 400,
      body: { data: { 'data.service.id': 'this service could not be found' } },
    });
  });
});

describe('a database', () => {
  const database = (name: string, env: number) =>
    added('database', {
      data: databaseAt(`postgres://app:secret@127.0.0.1:9/${name}`, env),
      product: { id: product },
    });
  const edit = (id: string, data: object) =>
    ground.alice.post<Refused>('service/update', { id, data: { ...data } });

  test('is used by a service in its own environment only', async () => {
    const [dev, prod] = [await database('shop_dev', 1), await database('shop_prod', 3)];
    const user = await service('user', 3020, { databaseProd: { id: prod } });
    const seen = await ground.alice.post<object>('service/detail', { id: user });
    expect(seen.body).toMatchObject({
      databaseDev: null,
      databaseTest: null,
      databaseProd: { id: prod, name: 'shop_prod' },
    });
    const fields = serviceFields('user', 3020);
    expect(await edit(user, { ...fields, databaseTest: { id: dev } })).toMatchObject({
      status: 400,
      body: { data: { 'databaseTest.id': 'shop_dev is a database of dev: choose one of test' } },
    });
    expect(await edit(user, { ...fields, databaseDev: { id: dev } })).toMatchObject({ status: 200 });
    expect(await lastChanges(`service-${user}`)).toEqual([
      { field: 'Database dev', before: 'none', after: 'shop_dev' },
    ]);
    expect((await ground.alice.post('service/detail', { id: user })).body).toMatchObject({
      databaseDev: { name: 'shop_dev' },
      databaseProd: { name: 'shop_prod' },
    });
  });

  test('names its services before it is removed, and keeps its environment while one uses it', async () => {
    const test = await database('shop_test', 2);
    await service('tester', 3030, { databaseTest: { id: test } });
    const moved = await ground.alice.post<Refused>('database/update', {
      id: test,
      data: databaseAt('postgres://app:secret@127.0.0.1:9/shop_test', 1),
    });
    expect([moved.status, moved.body.msg]).toEqual([
      409,
      'tester uses it in test: remove it from that service first',
    ]);
    const bare = await ground.alice.post<Refused>('database/delete', { id: test });
    expect([bare.status, bare.body.msg]).toEqual([
      409,
      expect.stringMatching(/^Shop\.tester would point to nothing/),
    ]);
    expect((await ground.alice.post('database/delete', { id: test, name: 'shop_test' })).status).toBe(200);
  });
});

/**
 * A server with services that serve on it stays, and so do the domains that lead to them, until they are stopped.
 * covers: SRV-11, DOM-02, SVC-01, DEP-01
 */
import type { UndoPreview } from '@quarterdeck/projections';
import { openDomainGround, type DomainGround } from '../domains/ground';
import { recordedGround, type RecordedGround } from './recorded-releases';
import { good } from './container-server';

interface Held {
  msg: string;
  heldBy?: { category: string; id: string; name: string }[];
}

let ground: DomainGround;
let recorded: RecordedGround;

beforeAll(async () => {
  ground = await openDomainGround();
  recorded = await recordedGround(ground.world, ground.alice);
});
afterAll(() => ground?.end());

const asked = async (path: string, body: object): Promise<[number, string, Held['heldBy']]> => {
  const { status, body: answer } = await ground.alice.post<Held>(path, body);
  return [status, answer.msg, answer.heldBy?.map(({ category, id, name }) => ({ category, id, name }))];
};
const forget = (id: string) => good(ground.alice, 'deploy/release/stop', { id, forget: true });

test('a server is not deleted while services serve on it, and the refusal names them all', async () => {
  const server = await recorded.server('web-busy');
  const other = await recorded.server('web-free');
  const orders = await recorded.service('Orders', server);
  const shop = await recorded.service('Shop', server, { port: 3001 });
  const [first, second] = [await recorded.release(orders, '1.0'), await recorded.release(shop, '2.1')];
  const heldBy = [
    { category: 'release', id: first, name: 'Orders 1.0' },
    { category: 'release', id: second, name: 'Shop 2.1' },
  ];
  const remove = { id: server, alias: 'web-busy' };
  expect(await asked('server/delete', remove)).toEqual([
    409,
    'Orders and Shop serve on web-busy: stop them first',
    heldBy,
  ]);
  expect(await ground.events(`server-${server}`)).toHaveLength(1);
  await forget(second);
  expect(await asked('server/delete', remove)).toEqual([
    409,
    'Orders serves on web-busy: stop it first',
    heldBy.slice(0, 1),
  ]);
  await forget(first);
  expect((await ground.alice.post('server/delete', remove)).status).toBe(200);
  expect((await ground.alice.post('server/delete', { id: other })).status).toBe(200);
});

test('a service is not moved while it serves, also not by undo, and everything else of it can be edited', async () => {
  const [here, there] = [await recorded.server('web-here'), await recorded.server('web-there')];
  const service = await recorded.service('Moving', here);
  const revised = async (more: object) => {
    const view = await good<Record<string, unknown>>(ground.alice, 'service/detail', { id: service });
    const fields = ['name', 'nameFront', 'organization', 'repo', 'repoFront', 'server', 'port'];
    const data = Object.fromEntries(fields.map((field) => [field, view[field]]));
    return asked('service/update', { id: service, data: { ...data, packageSubfolder: '', ...more } });
  };
  // Nothing serves yet, so it may go to the other server and back.
  for (const id of [there, here]) expect(await revised({ server: { id } })).toMatchObject({ 0: 200 });
  const release = await recorded.release(service, '1.0');
  const refusal = [
    409,
    'Moving serves on web-here: stop it first',
    [{ category: 'release', id: release, name: 'Moving 1.0' }],
  ];
  expect(await revised({ server: { id: there } })).toEqual(refusal);
  expect(await revised({ repo: 'moved' })).toMatchObject({ 0: 200 });
  const { events } = await good<{ events: { position: string; type: string }[] }>(
    ...([ground.alice, 'history/list', { subject: { category: 'service', id: service } }] as const),
  );
  const back = events.filter(({ type }) => type === 'ServiceRevised')[1]?.position ?? '';
  const preview = await ground.alice.post<UndoPreview>('history/undo/preview', { position: back });
  expect(preview.status).toBe(200);
  expect(await asked('history/undo', { position: back, seen: preview.body.seen })).toEqual(refusal);
  await forget(release);
  expect(await revised({ server: { id: there } })).toMatchObject({ 0: 200 });
});

test('a domain is not moved while it leads to services that serve on its server', async () => {
  const [here, there] = [await ground.server('web-old'), await ground.server('web-new')];
  const service = await recorded.service('Checkout', here, { port: 3100 });
  const release = await recorded.release(service, '3.0');
  const domain = await ground.domain('checkout', here);
  const serverName = `checkout.${ground.bind.zone}`;
  const move = { data: { serverName, server: { id: there } }, filters: { id: domain } };
  const idle = await ground.domain('idle', here);
  const data = { location: '/', url: 'http://127.0.0.1:3100' };
  await good(ground.alice, 'domain/location/insert', { domain: { id: domain }, data });
  expect(await asked('domain/update', move)).toEqual([
    409,
    `${serverName} leads to Checkout, which serves on web-old: stop it, or remove the location first`,
    [{ category: 'release', id: release, name: 'Checkout 3.0' }],
  ]);
  expect((await ground.detail(domain)).server.id).toBe(here);
  const moved = { serverName: `idle.${ground.bind.zone}`, server: { id: there } };
  expect(await asked('domain/update', { data: moved, filters: { id: idle } })).toMatchObject({ 0: 200 });
  await forget(release);
  expect(await asked('domain/update', move)).toMatchObject({ 0: 200 });
});

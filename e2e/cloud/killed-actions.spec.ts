/**
 * The console is killed while it acts on what exists, and while something is associated. Nothing is done twice, and what
 * is lost is said. At random instants: `npm run faults`. covers: CLOUD-02, CLOUD-03, CLOUD-05
 */
import { idleKey } from '../../testing/idle-server';
import { type KilledConsole, startKilledConsole } from './killed-console';

let killed: KilledConsole;
beforeAll(async () => {
  killed = await startKilledConsole();
});
afterAll(() => killed?.end());
afterEach(() => {
  killed.cloud.feel({ is: 'well' });
  expect(killed.cloud.undescribed.splice(0)).toEqual([]);
});

test('killed before the answers of requests of a reboot, a deletion and a creation, each happens once', async () => {
  const { cloud } = killed;
  const droplet = await killed.droplet('acted-on', '203.0.113.50');
  const actions = () =>
    [...cloud.account.actions.values()].filter((one) => one.resource_id === droplet.droplet);
  const reboot = { path: 'digitalocean/droplet/act', input: { id: droplet.id, type: 'reboot' } };
  await killed.killedAt('silent', `POST /v2/droplets/${droplet.droplet}/actions`, reboot);
  expect(actions()).toHaveLength(1);

  // The request never arrives: the run does not ask again by itself.
  const lost = await killed.killedAt('hanging', `POST /v2/droplets/${droplet.droplet}/actions`, reboot);
  expect(lost).toMatchObject({ state: 'failed', code: 'unknownOutcome' });
  expect(actions()).toHaveLength(1);

  const creation = { path: 'digitalocean/databases/create', input: { name: 'killed-db' } };
  const created = await killed.killedAt('silent', 'POST /v2/databases', creation);
  expect(created.state).toBe('succeeded');
  expect([...cloud.account.clusters.values()].map(({ name }) => name)).toEqual(['killed-db']);

  const deletion = { path: 'digitalocean/droplet/delete', input: { id: droplet.id, name: 'acted-on' } };
  const deleted = await killed.killedAt('silent', 'DELETE /v2/droplets/', deletion);
  expect(deleted.state).toBe('succeeded');
  expect(cloud.account.droplets.size).toBe(0);
  expect((await killed.orphans()).droplets).toEqual([]);
});

test('killed between the parts of an association, a second try makes nothing twice', async () => {
  const { id } = await killed.droplet('associated', '203.0.113.51');
  const { cluster, product } = await killed.cluster('associated-db');
  for (const [path, input, type] of [
    ['digitalocean/droplet/associate', { id, privateKey: idleKey() }, 'DropletAssociated'],
    [
      'digitalocean/databases/associate',
      { id: cluster, product: { id: product } },
      'CloudDatabaseAssociated',
    ],
  ] as const) {
    await killed.killedBefore(type, path, input);
    expect((await killed.ada.post(path, input)).status).toBe(200);
  }
  expect(await killed.serversAt('203.0.113.51')).toHaveLength(1);
  expect(await killed.databasesOf(product)).toHaveLength(1);
});

test('killed after the removal of a product, its database is free after the next look', async () => {
  const { cluster, product } = await killed.cluster('left-db');
  const associated = { id: cluster, product: { id: product } };
  expect((await killed.ada.post('digitalocean/databases/associate', associated)).status).toBe(200);
  const removal = { id: product, name: 'left-db' };
  await killed.killedBefore('CloudDatabaseReleased', 'product/delete', removal);
  expect((await killed.ada.post('product/detail', { id: product })).status).toBe(404);
  await killed.refresh();
  const { body } = await killed.ada.get<{ id: string }[]>('digitalocean/databases/list');
  expect(body.find(({ id }) => id === cluster)).not.toHaveProperty('product');
});

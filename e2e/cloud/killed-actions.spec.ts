/**
 * The console is killed while it acts on what exists, and while something is associated. Nothing is done twice, and what
 * is lost is said. At random instants: `npm run faults`. covers: CLOUD-02, CLOUD-03, CLOUD-05
 */
import { idleKey } from '../../testing/idle-server';
import { until } from '../../testing/patience';
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
  const [acted, never, deleted] = [
    await killed.droplet('acted-on', '203.0.113.50'),
    await killed.droplet('never-asked', '203.0.113.52'),
    await killed.droplet('deleted', '203.0.113.53'),
  ];
  const actions = ({ droplet }: typeof acted) =>
    [...cloud.account.actions.values()].filter((one) => one.resource_id === droplet);
  const reboot = (is: 'silent' | 'hanging', { id, droplet }: typeof acted) =>
    killed.parked(is, `POST /v2/droplets/${droplet}/actions`, {
      path: 'digitalocean/droplet/act',
      input: { id, type: 'reboot' },
    });
  const runs = {
    rebooted: await reboot('silent', acted),
    lost: await reboot('hanging', never),
    created: await killed.parked('silent', 'POST /v2/databases', {
      path: 'digitalocean/databases/create',
      input: { name: 'killed-db' },
    }),
    deleted: await killed.parked('silent', `DELETE /v2/droplets/${deleted.droplet}`, {
      path: 'digitalocean/droplet/delete',
      input: { id: deleted.id, name: 'deleted' },
    }),
  };
  cloud.calls.length = 0;
  await killed.kill();

  expect((await killed.ended(runs.rebooted)).state).toBe('succeeded');
  expect(actions(acted)).toHaveLength(1);
  expect((await killed.ended(runs.created)).state).toBe('succeeded');
  expect([...cloud.account.clusters.values()].map(({ name }) => name)).toEqual(['killed-db']);
  expect((await killed.ended(runs.deleted)).state).toBe('succeeded');
  expect(cloud.account.droplets.has(deleted.droplet)).toBe(false);
  // Its request never arrived: the run does not ask again by itself.
  expect(await killed.ended(runs.lost)).toMatchObject({ state: 'failed', code: 'unknownOutcome' });
  expect(actions(never)).toEqual([]);
  expect(cloud.calls.filter((one) => one.startsWith('POST'))).toEqual([]);
});

test('killed between the parts of an association or a removal, nothing is made twice, and nothing stays', async () => {
  const { id } = await killed.droplet('associated', '203.0.113.51');
  const { cluster, product } = await killed.cluster('associated-db');
  const left = await killed.cluster('left-db');
  const associate = 'digitalocean/databases/associate';
  const both = [
    {
      path: 'digitalocean/droplet/associate',
      input: { id, privateKey: idleKey() },
      type: 'DropletAssociated',
    },
    { path: associate, input: { id: cluster, product: { id: product } }, type: 'CloudDatabaseAssociated' },
  ];
  const inUse = { id: left.cluster, product: { id: left.product } };
  expect((await killed.ada.post(associate, inUse)).status).toBe(200);
  const removal = {
    path: 'product/delete',
    input: { id: left.product, name: 'left-db' },
    type: 'CloudDatabaseReleased',
  };
  for (const cut of [...both, removal]) await killed.killedBefore(cut);

  for (const { path, input } of both) expect((await killed.ada.post(path, input)).status).toBe(200);
  expect(await killed.serversAt('203.0.113.51')).toHaveLength(1);
  expect(await killed.databasesOf(product)).toHaveLength(1);
  // The product is gone. What pointed to it is let go by the next look.
  expect((await killed.ada.post('product/detail', { id: left.product })).status).toBe(404);
  await killed.refresh();
  await until(async () => {
    const { body } = await killed.ada.get<{ id: string }[]>('digitalocean/databases/list');
    const found = body.find((one) => one.id === left.cluster);
    return found !== undefined && !('product' in found);
  });
});

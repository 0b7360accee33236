/**
 * What is removed in this console leaves no association behind: the droplet or database of the account is free again.
 * covers: CLOUD-02, CLOUD-03, CLOUD-05
 */
import type { CloudDatabaseView, DropletView } from '@quarterdeck/projections';
import { testAuthority } from '../../testing/test-authority';
import { idleKey } from '../backend/world';
import { connect, type Ground, openGround } from './ground';

let ground: Ground;
beforeAll(async () => {
  ground = await openGround();
  ground.cloud.account.authority = (await testAuthority()).root;
  await connect(ground);
});
afterAll(() => ground?.end());
afterEach(() => expect(ground.cloud.undescribed.splice(0)).toEqual([]));

const good = async <T = Record<string, unknown>>(path: string, input: object = {}): Promise<T> => {
  const { status, body } = await ground.ada.post<T>(path, input);
  expect([path, status, body]).toEqual([path, 200, expect.anything()]);
  return body;
};
const listed = async <T extends { name: string }>(path: string, name: string): Promise<T> => {
  await ground.world.backend.caughtUp();
  const found = (await ground.ada.get<T[]>(path)).body.find((one) => one.name === name);
  if (!found) throw new Error(`${path} has no ${name}`);
  return found;
};
const dropletOf = (name: string) => listed<DropletView>('digitalocean/droplet/list', name);
const clusterOf = (name: string) => listed<CloudDatabaseView>('digitalocean/databases/list', name);

test('a removed product lets go of its droplets and databases, which then belong to another one', async () => {
  const { account } = ground.cloud;
  for (const [at, name] of ['used', 'served-before'].entries())
    account.addAddress(account.addDroplet({ name }).id, `203.0.113.${at + 60}`);
  account.addCluster({ name: 'used-db' });
  await good('digitalocean/refresh');
  const old = await good<{ id: string }>('product/insert', { data: { name: 'Old' } });
  const associate = async (product: string) => {
    for (const name of ['used', 'served-before']) {
      const { id } = await dropletOf(name);
      await good('digitalocean/droplet/associate', { id, product: { id: product }, privateKey: idleKey() });
    }
    const { id } = await clusterOf('used-db');
    await good('digitalocean/databases/associate', { id, product: { id: product } });
  };
  await associate(old.id);
  expect(await dropletOf('used')).toMatchObject({ product: old.id, server: { alias: 'used' } });
  expect(await clusterOf('used-db')).toMatchObject({ product: { id: old.id, name: 'Old' } });
  const server = (await dropletOf('served-before')).server?.id;
  await good('server/delete', { id: server, alias: 'served-before' });

  await good('product/delete', { id: old.id, name: 'Old' });
  for (const name of ['used', 'served-before']) expect(await dropletOf(name)).not.toHaveProperty('product');
  // Its machine serves on.
  expect(await dropletOf('used')).toMatchObject({ server: { alias: 'used' } });
  const free = await clusterOf('used-db');
  for (const key of ['product', 'database', 'associatedAs']) expect(free).not.toHaveProperty(key);

  const next = await good<{ id: string }>('product/insert', { data: { name: 'Next' } });
  await associate(next.id);
  expect(await clusterOf('used-db')).toMatchObject({ product: { id: next.id, name: 'Next' } });
  expect(await dropletOf('served-before')).toMatchObject({
    product: next.id,
    server: { alias: 'served-before' },
  });
  // What it has cost until then stays with the product that is gone.
  const { uses } = await dropletOf('used');
  expect(uses.map(({ product, to }) => [product, to !== undefined])).toEqual([
    [undefined, true],
    [old.id, true],
    [undefined, true],
    [next.id, false],
  ]);
});

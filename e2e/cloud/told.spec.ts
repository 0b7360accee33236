/** Changes made to an account or a droplet at the provider raise alerts on what they affect. covers: CLOUD-01, CLOUD-03 */
import type { AlertView, CloudDatabaseView, DropletView, ServerView } from '@quarterdeck/projections';
import { until } from '../../testing/patience';
import { testAuthority } from '../../testing/test-authority';
import { idleKey } from '../backend/world';
import { connect, ended, type Ground, openGround } from './ground';

let ground: Ground;
beforeAll(async () => {
  ground = await openGround();
  await connect(ground);
});
afterAll(() => ground?.end());
afterEach(() => expect(ground.cloud.undescribed.splice(0)).toEqual([]));

const look = async (): Promise<void> => {
  expect((await ground.ada.post('digitalocean/refresh', {})).status).toBe(200);
  await ground.world.backend.caughtUp();
};
/** States of all alerts about it, oldest first. */
const told = async (about: AlertView['about']): Promise<AlertView[]> => {
  const { body } = await ground.ada.post<AlertView[]>('alert/list', {});
  const all = body.filter((one) => one.about === about);
  return all.sort((one, other) => one.raisedAt.localeCompare(other.raisedAt));
};
const untilStates = (about: AlertView['about'], ...states: AlertView['state'][]): Promise<void> =>
  until(async () => (await told(about)).map(({ state }) => state).join() === states.join());
/** A droplet with a server. @returns the id of the server */
const associated = async (name: string, address: string) => {
  const stored = ground.cloud.account.addDroplet({ name });
  ground.cloud.account.addAddress(stored.id, address);
  await look();
  const { body } = await ground.ada.get<DropletView[]>('digitalocean/droplet/list');
  const id = body.find((one) => one.name === name)?.id;
  const made = await ground.ada.post<{ id: string }>('digitalocean/droplet/associate', {
    id,
    privateKey: idleKey(),
  });
  expect(made.status).toBe(200);
  return { stored, server: made.body.id };
};
const moveServer = async (id: string, host: string): Promise<void> => {
  const { body } = await ground.ada.post<ServerView>('server/detail', { id });
  const { alias, port, username, root, path, nginxPath, revision } = body;
  const data = { alias, host, port, username, root, path, nginxPath };
  expect((await ground.ada.post('server/update', { id, data, revision })).status).toBe(200);
};
const hostOf = async (id: string): Promise<unknown> =>
  (await ground.ada.post<{ host: string }>('server/detail', { id })).body.host;

test('a changed address is told at the server, which stays as it is until an operator moves it', async () => {
  const { stored, server } = await associated('moves', '203.0.113.7');
  const [address] = stored.networks.v4;
  // A changed name raises no alert.
  const other = await associated('named', '203.0.113.8');
  await moveServer(other.server, 'web.example.org');
  if (other.stored.networks.v4[0]) other.stored.networks.v4[0].ip_address = '203.0.113.18';
  if (address) address.ip_address = '203.0.113.9';
  await look();
  await untilStates('machineMoved', 'open');
  const [alert] = await told('machineMoved');
  expect(alert?.subject).toEqual({ kind: 'server', id: server, name: 'moves' });
  expect(alert?.says).toBe(
    'The droplet of moves no longer has the address 203.0.113.7. It has 203.0.113.9 now. Change the address of the server if it moves along.',
  );
  expect(await hostOf(server)).toBe('203.0.113.7');
  // Once more changed: the same alert. Back again: it is over.
  if (address) address.ip_address = '203.0.113.10';
  await look();
  if (address) address.ip_address = '203.0.113.7';
  await look();
  await untilStates('machineMoved', 'resolved');
  if (address) address.ip_address = '203.0.113.9';
  await look();
  await untilStates('machineMoved', 'resolved', 'open');
  await moveServer(server, '203.0.113.9');
  await untilStates('machineMoved', 'resolved', 'resolved');
});

test('a droplet that was deleted elsewhere is told at the server, which stays', async () => {
  const { stored, server } = await associated('goes', '203.0.113.20');
  await ground.cloud.account.removeDroplet(stored.id);
  await look();
  await untilStates('machineGone', 'open');
  expect((await told('machineGone'))[0]).toMatchObject({ subject: { kind: 'server', id: server } });
  expect(await hostOf(server)).toBe('203.0.113.20');
  expect((await ground.ada.post('server/delete', { id: server, alias: 'goes' })).status).toBe(200);
  await untilStates('machineGone', 'resolved');
});

test('a database that was renamed, moved or deleted elsewhere is told at its product, and stays', async () => {
  const { ada, cloud } = ground;
  cloud.account.authority = (await testAuthority()).root;
  const cluster = cloud.account.addCluster({ name: 'shop-db', engine: 'pg' });
  const product = String((await ada.post('product/insert', { data: { name: 'Shop' } })).body.id);
  await look();
  const [listed] = (await ada.get<CloudDatabaseView[]>('digitalocean/databases/list')).body;
  const made = await ada.post<{ id: string }>('digitalocean/databases/associate', {
    id: listed?.id,
    product: { id: product },
  });
  expect(made.status).toBe(200);
  const here = async () => (await ada.post<object>('database/detail', { id: made.body.id })).body;
  const before = await here();

  cluster.name = 'shop-db-2';
  await look();
  await untilStates('cloudDatabaseMoved', 'open');
  expect((await told('cloudDatabaseMoved'))[0]).toMatchObject({
    subject: { kind: 'product', id: product, name: 'Shop' },
    says: 'The cloud database of defaultdb in Shop was renamed from shop-db to shop-db-2. Nothing was changed here.',
  });
  cluster.name = 'shop-db';
  await look();
  await untilStates('cloudDatabaseMoved', 'resolved');

  // A database in the cluster, and its host.
  const { connection } = cluster;
  // For one look the provider says nothing about them, which loses nothing.
  delete cluster.connection;
  cluster.db_names = null;
  cluster.name = 'shop-db-3';
  await look();
  await untilStates('cloudDatabaseMoved', 'resolved', 'open');
  cluster.name = 'shop-db';
  const unsaid = (await ada.get<CloudDatabaseView[]>('digitalocean/databases/list')).body;
  expect(unsaid).toMatchObject([{ name: 'shop-db-3', connection: { host: connection?.host } }]);
  cluster.db_names = ['orders'];
  if (connection) cluster.connection = { ...connection, host: 'moved.db.example.test' };
  await look();
  await untilStates('cloudDatabaseMoved', 'resolved', 'resolved', 'open', 'open');
  const says = (await told('cloudDatabaseMoved')).slice(2).map((one) => one.says);
  expect(says.toSorted()).toEqual([
    'The cloud database of defaultdb in Shop no longer contains defaultdb. Change the name of the database if it was renamed.',
    `The cloud database of defaultdb in Shop no longer has the host ${connection?.host}. It has moved.db.example.test now. Change the host of the database if it moves along.`,
  ]);
  expect(await here()).toEqual(before);

  cloud.account.clusters.delete(cluster.id);
  await look();
  await untilStates('cloudDatabaseGone', 'open');
  await untilStates('cloudDatabaseMoved', 'resolved', 'resolved', 'resolved', 'resolved');
  expect(await here()).toEqual(before);
  expect((await ada.post('database/delete', { id: made.body.id })).status).toBe(200);
  await untilStates('cloudDatabaseGone', 'resolved');
});

test('a token that is no longer accepted is told each time, until it is accepted or connected again', async () => {
  const held = ground.cloud.oauth.tokens.get(ground.cloud.token);
  if (held) held.isExpired = true;
  await look();
  await untilStates('cloudRefused', 'open');
  expect((await told('cloudRefused'))[0]?.says).toContain('connect the account again');
  if (held) held.isExpired = false;
  await look();
  await untilStates('cloudRefused', 'resolved');
  if (held) held.isExpired = true;
  await look();
  await untilStates('cloudRefused', 'resolved', 'open');
  if (held) held.isExpired = false;
  await connect(ground);
  await untilStates('cloudRefused', 'resolved', 'resolved');
});

test('a key that a creation left because the token was revoked is named, and can be removed', async () => {
  const { ada, cloud, world } = ground;
  await connect(ground);
  await look();
  cloud.feel({ is: 'waiting' }, 'POST /v2/droplets', 1);
  const { body } = await ada.post<{ runId: string }>('digitalocean/droplet/create', { name: 'halfway' });
  await until(() => Promise.resolve(cloud.calls.includes('POST /v2/droplets')));
  cloud.oauth.tokens.delete(cloud.token);
  cloud.go();
  const run = await ended(ground, body.runId);
  expect(run).toMatchObject({ state: 'failed', reason: expect.stringMatching(/does not accept the token/) });
  expect(cloud.account.keys.size).toBe(1);

  cloud.oauth.tokens.set(cloud.token, { scopes: ['read', 'write'] });
  await connect(ground);
  // Keys were listed lately. They are listed again after ten seconds.
  await world.backend.resources.pool.query(
    `update app.cloud_looks set keys_at = keys_at - interval '10 seconds'`,
  );
  await look();
  const orphans = async () =>
    (await ada.post<{ keys: { key: number; name: string; run: string }[] }>('digitalocean/orphans', {})).body;
  const { keys } = await orphans();
  expect(keys).toMatchObject([{ run: run.id }]);
  const [left] = keys;
  expect(
    await ada.post('digitalocean/orphans/key/delete', { key: left?.key, name: left?.name }),
  ).toMatchObject({
    status: 200,
  });
  expect((await orphans()).keys).toEqual([]);
  expect(cloud.account.keys.size).toBe(0);
});

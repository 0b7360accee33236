/**
 * Two operators at two back ends do the same at once: one look, one thing, no refusal that a person would not understand.
 * covers: CLOUD-01, CLOUD-02, CLOUD-03
 */
import { randomUUID } from 'node:crypto';
import type { CloudDatabaseView, DropletView, ServerView } from '@quarterdeck/projections';
import type { Operator } from '../../testing/operator';
import { until } from '../../testing/patience';
import { testAuthority } from '../../testing/test-authority';
import { idleKey } from '../backend/world';
import { CHANGES, connect, ended, type Ground, openGround } from './ground';

let ground: Ground;
let both: readonly [Operator, Operator];
beforeAll(async () => {
  ground = await openGround();
  await connect(ground);
  const other = await ground.another();
  both = [ground.ada, await other.signIn({ email: 'grace@example.org' })];
});
afterAll(() => ground?.end());
afterEach(() => {
  ground.cloud.go();
  ground.cloud.feel({ is: 'well' });
  expect(ground.cloud.undescribed.splice(0)).toEqual([]);
});

const refreshed = async (): Promise<void> => {
  expect((await ground.ada.post('digitalocean/refresh', {})).status).toBe(200);
  await ground.world.backend.caughtUp();
};
const made = async (name: string, address?: string): Promise<DropletView> => {
  const { id } = ground.cloud.account.addDroplet({ name });
  if (address !== undefined) ground.cloud.account.addAddress(id, address);
  await refreshed();
  const { body } = await ground.ada.get<DropletView[]>('digitalocean/droplet/list');
  const found = body.find((one) => one.droplet === id);
  if (!found) throw new Error(`${name} is not listed`);
  return found;
};
const atOnce = async <T>(path: string, input: object, headers = {}) =>
  Promise.all(both.map((who) => who.post<T>(path, input, headers)));

test('while one back end looks at the account, no other does, and ten refreshes share looks', async () => {
  const { cloud } = ground;
  await refreshed();
  cloud.calls.length = 0;
  const looks = () => cloud.calls.filter((call) => call === 'GET /v2/droplets').length;
  cloud.feel({ is: 'waiting' }, 'GET /v2/droplets', 1);
  const first = ground.ada.post('digitalocean/refresh', {});
  await until(() => Promise.resolve(looks() === 1));
  const all = Array.from({ length: 5 }, () => both.map((who) => who.post('digitalocean/refresh', {})));
  // All have been sent, and those who have arrived wait.
  expect((await ground.ada.post('server/list', {})).status).toBe(200);
  expect(looks()).toBe(1);
  cloud.go();
  const answers = await Promise.all([first, ...all.flat()]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(looks()).toBeLessThan(answers.length);
});

test('a refresh shows what was there when it was asked for, also during an older look', async () => {
  const { cloud } = ground;
  await refreshed();
  cloud.calls.length = 0;
  cloud.feel({ is: 'waiting' }, 'GET /v2/domains', 1);
  const first = ground.ada.post('digitalocean/refresh', {});
  const parts = ['GET /v2/domains', 'GET /v2/droplets'];
  await until(() => Promise.resolve(parts.every((part) => cloud.calls.includes(part))));
  const { id } = cloud.account.addDroplet({ name: 'late' });
  const second = both[1].post('digitalocean/refresh', {});
  // It has arrived, and waits.
  expect((await both[1].post('server/list', {})).status).toBe(200);
  cloud.go();
  await Promise.all([first, second]);
  const { body } = await both[1].get<DropletView[]>('digitalocean/droplet/list');
  expect(body.map(({ droplet }) => droplet)).toContain(id);
});

test('a droplet that both associate becomes one server', async () => {
  const { id } = await made('twice', '203.0.113.40');
  const answers = await atOnce<{ id: string }>('digitalocean/droplet/associate', {
    id,
    privateKey: idleKey(),
  });
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers[0]?.body.id).toBe(answers[1]?.body.id);
  await ground.world.backend.caughtUp();
  const { body } = await ground.ada.post<ServerView[]>('server/list', {});
  expect(body.filter(({ host }) => host === '203.0.113.40')).toHaveLength(1);
  // Removed and associated again, it is another server.
  const server = answers[0]?.body.id;
  expect((await ground.ada.post('server/delete', { id: server, alias: 'twice' })).status).toBe(200);
  const again = await ground.ada.post<{ id: string }>('digitalocean/droplet/associate', {
    id,
    privateKey: idleKey(),
  });
  expect(again.status).toBe(200);
  expect(again.body.id).not.toBe(server);
});

test('a droplet whose address a server has already is that server, with its own key', async () => {
  const fields = { alias: 'by-hand', host: '203.0.113.41', port: 22, username: 'ops', root: '/srv' };
  const { body } = await ground.ada.post<{ id: string }>('server/insert', {
    ...fields,
    path: '/srv/static',
    nginxPath: '/srv/nginx',
    privateKey: idleKey(),
  });
  const { id } = await made('known', '203.0.113.41');
  const associated = await ground.ada.post<{ id: string }>('digitalocean/droplet/associate', { id });
  expect(associated).toMatchObject({ status: 200, body: { id: body.id } });
  expect((await ground.ada.post('server/detail', { id: body.id })).body).toMatchObject(fields);
});

test('a database that both associate becomes one of the product', async () => {
  const product = String((await ground.ada.post('product/insert', { data: { name: 'Twice' } })).body.id);
  ground.cloud.account.authority = (await testAuthority()).root;
  ground.cloud.account.addCluster({ name: 'twice-db' });
  await refreshed();
  const [found] = (await ground.ada.get<CloudDatabaseView[]>('digitalocean/databases/list')).body;
  const answers = await atOnce<{ id: string }>('digitalocean/databases/associate', {
    id: found?.id,
    product: { id: product },
  });
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers[0]?.body.id).toBe(answers[1]?.body.id);
  await ground.world.backend.caughtUp();
  const { body } = await ground.ada.post<object[]>('database/list', { product: { id: product } });
  expect(body).toHaveLength(1);
});

test('one creation that is sent to both makes one database', async () => {
  const { cloud } = ground;
  cloud.feel({ is: 'waiting' }, 'POST /v2/databases', 1);
  const input = { name: 'sent-twice', runId: randomUUID() };
  const answers = await atOnce<{ runId: string }>('digitalocean/databases/create', input);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  cloud.go();
  cloud.feel({ is: 'well' });
  expect((await ended(ground, input.runId)).state).toBe('succeeded');
  expect([...cloud.account.clusters.values()].filter(({ name }) => name === 'sent-twice')).toHaveLength(1);
});

test('while one reboots or deletes a droplet, the other is told who does, and it is done once', async () => {
  const { cloud } = ground;
  const { id, droplet } = await made('busy');
  const [ada, grace] = both;
  for (const [path, input, call, label] of [
    ['digitalocean/droplet/act', { id, type: 'reboot' }, `POST /v2/droplets/${droplet}/actions`, 'Reboot'],
    ['digitalocean/droplet/delete', { id, name: 'busy' }, 'DELETE /v2/droplets/', 'Delete droplet'],
  ] as const) {
    const runId = randomUUID();
    cloud.calls.length = 0;
    cloud.feel({ is: 'waiting' }, call, 1);
    expect((await ada.post(path, { ...input, runId })).status).toBe(200);
    await until(() => Promise.resolve(cloud.calls.some((one) => one.startsWith(call))));
    expect(await grace.post(path, { ...input, runId: randomUUID() })).toMatchObject({
      status: 409,
      body: {
        msg: `${label} is under way on busy, started by ada@example.org: wait for it to end, or cancel it`,
      },
    });
    cloud.go();
    expect((await ended(ground, runId)).state).toBe('succeeded');
    expect(cloud.calls.filter((one) => one.startsWith(call))).toHaveLength(1);
  }
  expect(cloud.account.droplets.has(droplet)).toBe(false);
  expect((await grace.post('digitalocean/droplet/delete', { id, name: 'busy' })).status).toBe(404);
});

test('a refresh of the token by two operators at once uses the refresh token once', async () => {
  const { body } = await ground.ada.get<{ url: string }>('digitalocean/url', CHANGES);
  const back = Object.fromEntries(ground.cloud.oauth.agree(body.url));
  expect((await ground.ada.post('digitalocean/redirect', back)).status).toBe(200);
  for (const held of ground.cloud.oauth.tokens.values()) held.isExpired = held.refresh !== undefined;
  ground.cloud.calls.length = 0;
  const answers = await Promise.all(both.map((who) => who.post('digitalocean/droplet/options', {})));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(ground.cloud.calls.filter((call) => call === 'POST /v1/oauth/token')).toHaveLength(1);
});

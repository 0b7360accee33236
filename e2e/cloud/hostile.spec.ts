/**
 * A provider that answers with anything, and tokens that may do little. Every failure is a sentence, each list fails for
 * itself, and what comes is shown as text. covers: CLOUD-01, CLOUD-02, CLOUD-03
 */
import type { CloudDatabaseView, DropletView } from '@quarterdeck/projections';
import { connect, type Ground, openGround, performed } from './ground';

let ground: Ground;
beforeAll(async () => {
  ground = await openGround();
  await connect(ground);
});
afterAll(() => ground?.end());
afterEach(() => {
  ground.cloud.feel({ is: 'well' });
  ground.cloud.undescribed.length = 0;
});

const refresh = async (): Promise<string | undefined> => {
  const { status, body } = await ground.ada.post<{ problem?: string }>('digitalocean/refresh', {});
  expect(status).toBe(200);
  await ground.world.backend.caughtUp();
  return body.problem;
};
const names = async (): Promise<string[]> =>
  (await ground.ada.get<DropletView[]>('digitalocean/droplet/list')).body.map(({ name }) => name);
/** A page of droplets as the provider would send it, with one that is different. */
const page = (more: object, times = 1): string => {
  const one = ground.cloud.account.addDroplet({ name: 'template' });
  ground.cloud.account.droplets.delete(one.id);
  return JSON.stringify({ droplets: Array.from({ length: times }, () => ({ ...one, ...more })) });
};

const UNREADABLE = 'DigitalOcean answered in a form that this console does not understand';
test.each<[string, number, () => string, string, Record<string, string>?]>([
  ['a page of HTML', 200, () => '<!doctype html><h1>Log in</h1>', UNREADABLE],
  ['a page of HTML and an error', 502, () => '<h1>Bad gateway</h1>', 'DigitalOcean answered with status 502'],
  ['nothing', 200, () => '', UNREADABLE],
  ['null', 200, () => 'null', UNREADABLE],
  ['nesting without end', 200, () => '['.repeat(4_000_000), UNREADABLE],
  ['another type', 200, () => '{"droplets":{"0":1}}', UNREADABLE],
  ['a wrong id', 200, () => page({ id: '1; drop table' }), UNREADABLE],
  ['a date that is none', 200, () => page({ created_at: 'yesterday' }), UNREADABLE],
  ['a price below zero', 200, () => page({ size: { price_monthly: -1, price_hourly: 1 } }), UNREADABLE],
  ['a name of a megabyte', 200, () => page({ name: 'a'.repeat(1_000_000) }), UNREADABLE],
  ['5,000 droplets on a page', 200, () => page({}, 5000), UNREADABLE],
  ['a redirect', 302, () => '', 'DigitalOcean answered with status 302', { location: 'http://127.0.0.1:1/' }],
  [
    'a pause of a year',
    429,
    () => '{}',
    'DigitalOcean limits the calls of this account: try again in 365 days',
    { 'retry-after': '31536000' },
  ],
])(
  'droplets: %s is told in a sentence, and the other lists are read',
  async (_, status, body, says, headers = {}) => {
    const { account } = ground.cloud;
    const name = `seen-${account.clusters.size}`;
    account.addCluster({ name });
    const before = await names();
    ground.cloud.feel({ is: 'failing', status, body: body(), headers }, 'GET /v2/droplets');
    expect(await refresh()).toBe(`droplets could not be read: ${says}`);
    expect(await names()).toEqual(before);
    const { body: all } = await ground.ada.get<CloudDatabaseView[]>('digitalocean/databases/list');
    expect(all.map((one) => one.name)).toContain(name);
  },
);

test('what cannot be stored is replaced, and markup stays text', async () => {
  const odd = `<img src=x onerror=alert(1)>\u0000\ud800\u001b[2J`;
  const made = ground.cloud.account.addDroplet({ name: odd, tags: [odd] });
  ground.cloud.feel(
    { is: 'failing', status: 403, body: JSON.stringify({ id: 'x', message: odd }) },
    'GET /v2/domains',
  );
  expect(await refresh()).toBe(
    'domains could not be read: DigitalOcean does not allow this token to do that: <img src=x onerror=alert(1)>\ufffd\ufffd\ufffd[2J',
  );
  expect(await names()).toContain('<img src=x onerror=alert(1)>\ufffd\ufffd\ufffd[2J');
  ground.cloud.account.droplets.delete(made.id);
});

test('a token that is pasted with spaces and line breaks around it is the same token', async () => {
  const { ada, cloud } = ground;
  const paste = (token: string) => ada.post('digitalocean/token/update', { token });
  expect((await paste(` \n\t${cloud.token}\r\n `)).status).toBe(200);
  const broken = await paste(`${cloud.token.slice(0, 8)}\n${cloud.token.slice(8)}`);
  expect(broken).toMatchObject({ status: 400, body: { data: { token: expect.any(String) } } });
  expect((await paste(`Bearer ${cloud.token}`)).body).toMatchObject({
    data: { token: 'a token of the provider is expected, such as dop_v1_…' },
  });
});

test('a token that may only read connects, and a change with it says why it fails and leaves nothing', async () => {
  const { ada, cloud } = ground;
  cloud.oauth.tokens.set('dop_v1_readonly', { scopes: ['read'] });
  expect((await ada.post('digitalocean/token/update', { token: 'dop_v1_readonly' })).status).toBe(200);
  const [droplets, keys] = [cloud.account.droplets.size, cloud.account.keys.size];
  const run = await performed(ground, 'digitalocean/droplet/create', { name: 'not-allowed' });
  expect(run).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('DigitalOcean does not allow this token to do that'),
  });
  expect([cloud.account.droplets.size, cloud.account.keys.size]).toEqual([droplets, keys]);
  const fields = { domain: 'example.org', type: 'A', name: 'shop', data: '203.0.113.7' };
  cloud.addDomain('example.org');
  const added = await ada.post<{ msg: string }>('digitalocean/domain/record/insert', fields);
  expect(added.body.msg).toContain('does not allow this token to do that');
  await connect(ground);
});

test('a token without the scope of the account connects, and one without that of passwords says so', async () => {
  const { ada, cloud } = ground;
  cloud.feel({ is: 'failing', status: 403 }, 'GET /v2/account', 1);
  await connect(ground);
  const stored = cloud.account.addCluster({ name: 'no-credentials' });
  const { user: _, password: __, ...seen } = stored.connection ?? {};
  cloud.feel(
    { is: 'failing', status: 200, body: JSON.stringify({ databases: [{ ...stored, connection: seen }] }) },
    'GET /v2/databases',
    1,
  );
  expect(await refresh()).toBeUndefined();
  const { body } = await ada.get<(CloudDatabaseView & { connection: object })[]>(
    'digitalocean/databases/list',
  );
  const found = body.find(({ name }) => name === 'no-credentials');
  expect(found?.connection).toMatchObject({ host: stored.connection?.host, port: 25_060 });
  expect(found?.connection).not.toHaveProperty('user');
  const path = `GET /v2/databases/${stored.id}`;
  cloud.feel(
    {
      is: 'failing',
      status: 200,
      body: JSON.stringify({ database: { ...stored, connection: seen }, ca: { certificate: 'AAAA' } }),
    },
    path,
  );
  const shown = await ada.post<{ msg: string }>('digitalocean/databases/password', { id: found?.id });
  expect(shown.body.msg).toContain('make a token with the scope database:view_credentials');
});

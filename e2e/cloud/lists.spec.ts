/** Lists, actions, orphans, costs, databases and domains of an account. covers: CLOUD-02, CLOUD-03, CLOUD-04, CLOUD-05 */
import type { CloudDatabaseView, DropletView } from '@quarterdeck/projections';
import { testAuthority } from '../../testing/test-authority';
import { until } from '../../testing/patience';
import { idleKey } from '../backend/world';
import { CHANGES, connect, ended, type Ground, openGround, outcomes, performed } from './ground';

let ground: Ground;
beforeAll(async () => {
  ground = await openGround();
  await connect(ground);
});
afterAll(() => ground?.end());
beforeEach(() => ground.cloud.feel({ is: 'well' }));
afterEach(() => expect(ground.cloud.undescribed.splice(0)).toEqual([]));

const refreshed = async (): Promise<void> => {
  const { status, body } = await ground.ada.post<{ problem?: string }>('digitalocean/refresh', {});
  expect({ status, problem: body.problem }).toEqual({ status: 200, problem: undefined });
  await ground.world.backend.caughtUp();
};
const droplets = async (): Promise<DropletView[]> => {
  await refreshed();
  return (await ground.ada.get<DropletView[]>('digitalocean/droplet/list')).body;
};
const named = async (name: string): Promise<DropletView> => {
  const found = (await droplets()).find((one) => one.name === name);
  if (!found) throw new Error(`there is no droplet ${name}`);
  return found;
};
const made = (name: string, address?: string) => {
  const droplet = ground.cloud.account.addDroplet({ name });
  if (address !== undefined) {
    ground.cloud.account.addAddress(droplet.id, '10.0.0.9', 'private');
    ground.cloud.account.addAddress(droplet.id, address);
  }
  return droplet;
};

test('droplets are listed with their addresses and prices, and a change is seen', async () => {
  const stored = made('shop', '203.0.113.7');
  expect(await named('shop')).toMatchObject({
    droplet: stored.id,
    status: 'active',
    networks: { v4: [{ ip_address: '10.0.0.9' }, { ip_address: '203.0.113.7' }] },
    priceMonthly: 6,
  });
  const before = ground.cloud.calls.length;
  ground.cloud.account.addAddress(stored.id, '203.0.113.70');
  expect((await named('shop')).networks.v4.at(-1)?.ip_address).toBe('203.0.113.70');
  // Lists of droplets, databases and domains: one call each, whatever their length.
  expect(ground.cloud.calls.slice(before)).toHaveLength(3);
});

test('only what the provider has is offered, with its prices; a size that it no longer has is refused', async () => {
  const { ada } = ground;
  const { body } = await ada.post<{ sizes: object[]; regions: object[] }>('digitalocean/droplet/options', {});
  expect(body.sizes).toMatchObject([
    { slug: 's-1vcpu-1gb', priceMonthly: 6 },
    { slug: 's-1vcpu-2gb', priceMonthly: 12 },
  ]);
  expect(body.regions).toMatchObject([{ slug: 'fra1' }, { slug: 'nyc1' }]);
  const old = { name: 'old-size', size: '512mb' };
  const run = await performed(ground, 'digitalocean/droplet/create', old);
  expect(run.state).toBe('failed');
  expect(JSON.stringify(run)).toContain('Size is not available in this region.');
  expect([...ground.cloud.account.keys.values()]).toEqual([]);
});

test('a droplet whose key nobody gave is associated with one, once, and not before it is active', async () => {
  const stored = made('plain', '203.0.113.8');
  const { id } = await named('plain');
  const without = await ground.ada.post('digitalocean/droplet/associate', { id });
  expect(without).toMatchObject({ status: 400, body: { data: { privateKey: expect.any(String) } } });
  stored.status = 'off';
  await refreshed();
  const early = await ground.ada.post('digitalocean/droplet/associate', { id, privateKey: idleKey() });
  expect(early).toMatchObject({ status: 409, body: { msg: 'Server still initializing' } });
  stored.status = 'active';
  await refreshed();
  const { body } = await ground.ada.post<{ id: string }>('digitalocean/droplet/associate', {
    id,
    privateKey: idleKey(),
  });
  expect((await ground.ada.post('server/detail', { id: body.id })).body).toMatchObject({
    host: '203.0.113.8',
  });
  expect(await named('plain')).toMatchObject({ server: { id: body.id } });
  expect((await ground.ada.post('server/delete', { id: body.id, alias: 'plain' })).status).toBe(200);
  expect((await named('plain')).server).toBeUndefined();
});

test.each([['power_off', 'off'] as const, ['reboot', 'active'] as const])(
  '%s is a run that ends when the provider has really done it',
  async (type, status) => {
    const stored = made(`for-${type}`);
    const { id } = await named(`for-${type}`);
    ground.cloud.account.looks = 3;
    const run = await performed(ground, 'digitalocean/droplet/act', { id, type });
    ground.cloud.account.looks = 1;
    expect(outcomes(run)).toEqual(['requestAction succeeded', 'awaitAction succeeded']);
    expect(stored.status).toBe(status);
    expect((await named(`for-${type}`)).status).toBe(status);
  },
);

test('a resize, a new name and a snapshot are recorded; a refused one says why', async () => {
  const stored = made('grows');
  const { id } = await named('grows');
  const resize = { id, type: 'resize', size: 's-1vcpu-2gb' };
  expect(await performed(ground, 'digitalocean/droplet/act', resize)).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('must be powered off'),
  });
  await performed(ground, 'digitalocean/droplet/act', { id, type: 'shutdown' });
  await performed(ground, 'digitalocean/droplet/act', resize);
  await performed(ground, 'digitalocean/droplet/act', { id, type: 'power_on' });
  await performed(ground, 'digitalocean/droplet/act', { id, type: 'rename', newName: 'grown' });
  await performed(ground, 'digitalocean/droplet/act', { id, type: 'snapshot', newName: 'before-upgrade' });
  expect(stored.snapshot_ids).toHaveLength(1);
  expect(await named('grown')).toMatchObject({ id, size: 's-1vcpu-2gb', priceMonthly: 12 });
  const refused = await performed(ground, 'digitalocean/droplet/act', { id, type: 'power_on' });
  expect(refused).toMatchObject({ state: 'failed', reason: expect.stringContaining('already powered on') });
  const unconfirmed = { id, type: 'rebuild', image: 'debian-12-x64', name: 'other' };
  expect((await ground.ada.post('digitalocean/droplet/act', unconfirmed)).status).toBe(400);
});

test('with the answer about an action lost, the action is found and not asked for again', async () => {
  const stored = made('lost-action');
  const { id } = await named('lost-action');
  const path = `POST /v2/droplets/${stored.id}/actions`;
  ground.cloud.feel({ is: 'losing' }, path, 1);
  const run = await performed(ground, 'digitalocean/droplet/act', { id, type: 'reboot' });
  expect(run.state).toBe('succeeded');
  expect(
    [...ground.cloud.account.actions.values()].filter((one) => one.resource_id === stored.id),
  ).toHaveLength(1);
});

test('with a request that never arrived, the run says so, and only a person asks again', async () => {
  const stored = made('never');
  const { id } = await named('never');
  const path = `POST /v2/droplets/${stored.id}/actions`;
  ground.cloud.feel({ is: 'failing', status: 500 }, path, 1);
  const run = await performed(ground, 'digitalocean/droplet/act', { id, type: 'reboot' });
  expect(run).toMatchObject({ state: 'failed', code: 'unknownOutcome' });
  expect(ground.cloud.calls.filter((call) => call === path)).toHaveLength(1);
  expect((await ground.ada.post('run/retry', { id: run.id })).status).toBe(200);
  expect((await ended(ground, run.id)).state).toBe('succeeded');
  expect(ground.cloud.calls.filter((call) => call === path)).toHaveLength(2);
});

test('a deletion whose answer is lost deletes once, and the droplet stays known with its costs', async () => {
  const stored = made('old');
  const { id } = await named('old');
  expect((await ground.ada.post('digitalocean/droplet/delete', { id, name: 'new' })).status).toBe(400);
  ground.cloud.feel({ is: 'losing' }, 'DELETE /v2/droplets', 1);
  const run = await performed(ground, 'digitalocean/droplet/delete', { id, name: 'old' });
  expect(run.state).toBe('succeeded');
  expect(ground.cloud.account.droplets.has(stored.id)).toBe(false);
  expect((await droplets()).some((one) => one.id === id)).toBe(false);
  const gone = await ground.ada.post<DropletView>('digitalocean/droplet/detail', { id });
  expect(gone.body.goneAt).toBeDefined();
  const month = new Date().toISOString().slice(0, 7);
  const { body } = await ground.ada.post<{ products: { droplets: { id: string; gone: boolean }[] }[] }>(
    'digitalocean/costs',
    { month },
  );
  expect(body.products.flatMap((one) => one.droplets).find((one) => one.id === id)?.gone).toBe(true);
});

test('what a droplet cost a product stays with its name after both are deleted, and no other month has it', async () => {
  const { ada, cloud } = ground;
  const stored = made('costly', '203.0.113.21');
  const { id } = await named('costly');
  const { body: product } = await ada.post<{ id: string }>('product/insert', { data: { name: 'Bookshop' } });
  const of = { id, privateKey: idleKey(), product: { id: product.id } };
  expect((await ada.post('digitalocean/droplet/associate', of)).status).toBe(200);
  await cloud.account.removeDroplet(stored.id);
  await refreshed();
  const { body: droplet } = await ada.post<DropletView>('digitalocean/droplet/detail', { id });
  const month = droplet.goneAt?.slice(0, 7) ?? '';
  interface Costs {
    total: number;
    products: { name?: string; droplets: { id: string }[] }[];
  }
  const costsIn = (asked: string) => ada.post<Costs>('digitalocean/costs', { month: asked });
  const ofProduct = async () =>
    (await costsIn(month)).body.products.find((one) => one.droplets.some((it) => it.id === id));
  const cost = { amount: 0.01, droplets: [{ id, name: 'costly', amount: 0.01, gone: true }] };
  expect(await ofProduct()).toEqual({ product: product.id, name: 'Bookshop', gone: false, ...cost });
  expect((await ada.post('product/delete', { id: product.id, name: 'Bookshop' })).status).toBe(200);
  await ground.world.backend.caughtUp();
  expect(await ofProduct()).toEqual({ product: product.id, name: 'Bookshop', gone: true, ...cost });
  for (const other of ['0000-01', '0001-01', '0026-11', '2999-01', '9999-12'])
    expect((await costsIn(other)).body).toEqual({ month: other, total: 0, products: [] });
  for (const wrong of ['2026-13', '2026-00', '2026-1', '10000-01', '2026-11-01', ''])
    expect(await costsIn(wrong)).toMatchObject({
      status: 400,
      body: { data: { month: expect.any(String) } },
    });
});

test('orphans are told both ways: a droplet without a server, and a server without its droplet', async () => {
  const { ada, cloud } = ground;
  const stored = made('both-ways', '203.0.113.20');
  cloud.account.addKey('quarterdeck-0193f0a0-0000-7000-8000-00000000aaaa', `ssh-ed25519 ${'A'.repeat(68)}`);
  const { id } = await named('both-ways');
  const orphans = async () =>
    (await ada.post<{ droplets: { id: string }[]; servers: object[] }>('digitalocean/orphans', {})).body;
  expect((await orphans()).droplets.map((one) => one.id)).toContain(id);
  const { body } = await ada.post<{ id: string }>('digitalocean/droplet/associate', {
    id,
    privateKey: idleKey(),
  });
  expect((await orphans()).droplets.map((one) => one.id)).not.toContain(id);
  // Deleted by somebody else: told here, and nothing is deleted here by that.
  cloud.account.droplets.delete(stored.id);
  await refreshed();
  expect((await orphans()).servers).toContainEqual(
    expect.objectContaining({ id: body.id, name: 'both-ways', droplet: id }),
  );
  expect((await ada.post('server/detail', { id: body.id })).status).toBe(200);
});

test('the life of a droplet has its runs and its changes, also after its deletion', async () => {
  const { ada } = ground;
  made('lived');
  const { id } = await named('lived');
  const name = 'lived';
  for (const action of [
    { type: 'reboot' },
    { type: 'snapshot', newName: 'kept' },
    { type: 'rebuild', image: 'debian-12-x64', name },
  ])
    await performed(ground, 'digitalocean/droplet/act', { id, ...action });
  await performed(ground, 'digitalocean/droplet/delete', { id, name });
  await ground.world.backend.caughtUp();
  const { body } = await ada.post<{ events: { type: string; says: string }[] }>('history/list', {
    subject: { category: 'droplet', id, parts: true },
  });
  const life = body.events.filter(({ type }) => type === 'RunRequested' || type.startsWith('Droplet'));
  expect(life.map(({ says }) => says).toReversed()).toEqual([
    expect.stringMatching(/^found at DigitalOcean/),
    'requested Reboot on lived',
    'requested Snapshot on lived',
    'requested Rebuild on lived',
    'requested Delete droplet on lived',
    'is no longer in the account',
  ]);
  const alone = await ada.post<{ events: object[] }>('history/list', {
    subject: { category: 'droplet', id },
  });
  expect(alone.body.events).toHaveLength(2);
});

test('a list that the provider cannot give changes nothing, and says why', async () => {
  const before = await droplets();
  ground.cloud.feel({ is: 'failing', status: 403 }, 'GET /v2/droplets');
  const { body } = await ground.ada.post<{ problem?: string }>('digitalocean/refresh', {});
  expect(body.problem).toContain('not allow');
  expect((await ground.ada.get<DropletView[]>('digitalocean/droplet/list')).body).toEqual(before);
});

const databases = async (): Promise<(CloudDatabaseView & { db_names?: string[]; connection?: object })[]> => {
  await refreshed();
  return (await ground.ada.get<CloudDatabaseView[]>('digitalocean/databases/list')).body;
};

test('a database is created as a run, once, and its password is shown on demand only', async () => {
  const { ada, cloud } = ground;
  cloud.feel({ is: 'losing' }, 'POST /v2/databases', 1);
  const run = await performed(ground, 'digitalocean/databases/create', { name: 'shop-db', engine: 'pg' });
  expect(run.state).toBe('succeeded');
  expect([...cloud.account.clusters.values()]).toHaveLength(1);
  const [found] = await databases();
  expect(found).toMatchObject({
    name: 'shop-db',
    engine: 'pg',
    db_names: ['defaultdb'],
    connection: { user: 'doadmin', port: 25_060, password: '*******' },
  });
  const [stored] = cloud.account.clusters.values();
  const password = stored?.connection?.password ?? '';
  const shown = await ada.post('digitalocean/databases/password', { id: found?.id });
  expect(shown.body).toEqual({ user: 'doadmin', password });
  const history = await ada.post<{ entries: { type: string }[] }>('history/list', {
    subject: { category: 'clouddatabase', id: found?.id },
  });
  expect(JSON.stringify(history.body)).toContain('CloudDatabasePasswordRevealed');
  expect(JSON.stringify(history.body)).not.toContain(password);
  const second = await performed(ground, 'digitalocean/databases/create', { name: 'shop-db' });
  expect(second.state).toBe('failed');
  expect(JSON.stringify(second)).toContain('cluster name is not available');
  expect([...cloud.account.clusters.values()]).toHaveLength(1);
});

test('a database becomes one of a product, by its real engine and with its authority, and is tested', async () => {
  const { ada, cloud } = ground;
  const product = { id: String((await ada.post('product/insert', { data: { name: 'Shop' } })).body.id) };
  const [found] = await databases();
  const authority = await testAuthority();
  cloud.account.authority = authority.root;
  const input = { id: found?.id, product };
  const { status, body } = await ada.post<{ id: string; runId: string }>(
    'digitalocean/databases/associate',
    input,
  );
  expect([status, body]).toMatchObject([200, { id: expect.any(String) }]);
  const detail = (await ada.post('database/detail', { id: body.id })).body;
  expect(detail).toMatchObject({
    name: 'defaultdb',
    username: 'doadmin',
    port: 25_060,
    dbType: 2,
    env: { id: 1 },
    certificate: cloud.account.authority.trim(),
  });
  expect((await ended(ground, body.runId)).kind).toBe('testDatabase');
  expect((await databases())[0]).toMatchObject({ product, database: body.id });
  // Deleted here, it is free, and becomes another one.
  expect((await ada.post('database/delete', { id: body.id })).status).toBe(200);
  expect((await databases())[0]).not.toHaveProperty('product');
  const again = await ada.post<{ id: string }>('digitalocean/databases/associate', input);
  expect((await databases())[0]).toMatchObject({ product, database: again.body.id });
  const gone = await ground.ada.get(`digitalocean/databases/delete?uuid=${found?.id}&name=other`, CHANGES);
  expect(gone.status).toBe(400);
  const removal = await ada.get<{ runId: string }>(
    `digitalocean/databases/delete?uuid=${found?.id}&name=shop-db`,
    CHANGES,
  );
  expect((await ended(ground, removal.body.runId)).state).toBe('succeeded');
  expect(await databases()).toEqual([]);
  expect((await ada.post('database/detail', { id: again.body.id })).status).toBe(200);
});

test('records of a domain are added, changed and removed once, also if an answer is lost', async () => {
  const { ada, cloud } = ground;
  cloud.addDomain('example.org');
  const fields = { domain: 'example.org', type: 'A', name: 'shop', data: '203.0.113.7' };
  cloud.feel({ is: 'losing' }, 'POST /v2/domains', 1);
  const added = await ada.post<{ record: number }>('digitalocean/domain/record/insert', fields);
  expect(added).toMatchObject({ status: 200, body: { host: 'shop.example.org', ttl: 1800 } });
  expect((await ada.post('digitalocean/domain/record/insert', fields)).status).toBe(409);
  const { record } = added.body;
  const change = { ...fields, record, data: '203.0.113.9' };
  cloud.feel({ is: 'losing' }, 'PUT /v2/domains', 1);
  expect((await ada.post('digitalocean/domain/record/update', change)).status).toBe(200);
  expect(cloud.records('example.org').filter(({ type }) => type === 'A')).toMatchObject([
    { data: '203.0.113.9' },
  ]);
  // A change that had no effect is not taken for one that had.
  cloud.feel({ is: 'failing', status: 500 }, 'PUT /v2/domains', 1);
  expect((await ada.post('digitalocean/domain/record/update', { ...change, ttl: 60 })).status).toBe(502);
  await refreshed();
  const { body } = await ada.get<object[]>('digitalocean/domain/list');
  expect(body).toMatchObject([
    {
      name: 'example.org',
      ttl: 1800,
      zone_file: expect.stringContaining('$ORIGIN example.org.'),
      records: [{ host: 'shop.example.org', ttl: 1800, ip: '203.0.113.9' }],
    },
  ]);
  cloud.feel({ is: 'losing' }, 'DELETE /v2/domains', 1);
  const removed = await ada.post('digitalocean/domain/record/delete', { domain: 'example.org', record });
  expect(removed.status).toBe(200);
  expect(cloud.records('example.org').filter(({ type }) => type === 'A')).toEqual([]);
});

test.each([
  [
    { type: 'A', name: 'shop', data: '999.1.1.1' },
    { data: 'an IPv4 address is expected, such as 203.0.113.7' },
  ],
  [{ type: 'AAAA', name: 'shop', data: '203.0.113.7' }, { data: expect.stringMatching(/^an IPv6 address/) }],
  [{ type: 'CNAME', name: 'shop', data: 'x y' }, { data: expect.stringMatching(/^a host name is expected/) }],
  [{ type: 'A', name: 'a..b', data: '203.0.113.7' }, { name: expect.stringMatching(/^the name below/) }],
  [
    { type: 'A', name: 'shop.example.net', data: '203.0.113.7' },
    { name: 'the domain is appended: enter shop' },
  ],
  [{ type: 'TXT', name: 'Example.net', data: 'x' }, { name: 'the domain is appended: enter @' }],
  [{ type: 'TXT', name: 'shop', data: 'x', ttl: 5 }, { ttl: expect.stringMatching(/30/) }],
])('a record %j is refused at its field, and the provider is not asked', async (record, data) => {
  const { ada, cloud } = ground;
  cloud.calls.splice(0);
  expect(
    await ada.post('digitalocean/domain/record/insert', { domain: 'example.net', ...record }),
  ).toMatchObject({ status: 400, body: { data } });
  expect(cloud.calls).toEqual([]);
});

test('records are compared with what their names resolve to', async () => {
  const { ada, cloud } = ground;
  const domain = 'zone.localhost';
  cloud.addDomain(domain);
  for (const [name, data] of [
    ['www', '127.0.0.1'],
    ['*', '127.0.0.1'],
    ['old', '203.0.113.7'],
  ] as const)
    cloud.addRecord(domain, { type: 'A', name, data });
  cloud.addRecord(domain, { type: 'TXT', name: 'text', data: 'x' });
  const compared = async () => (await ada.post<object[]>('digitalocean/domain/difference', { domain })).body;
  const here = { expected: ['127.0.0.1'], resolved: ['127.0.0.1'], same: true };
  expect(await compared()).toEqual([
    { host: `www.${domain}`, ...here },
    { host: `*.${domain}`, ...here },
    { host: `old.${domain}`, expected: ['203.0.113.7'], resolved: ['127.0.0.1'], same: false },
  ]);
  // Names beyond the limit are listed as not looked up.
  for (let nth = 0; nth < 200; nth += 1)
    cloud.addRecord(domain, { type: 'A', name: `n${nth}`, data: '127.0.0.1' });
  const all = await compared();
  expect(all).toHaveLength(203);
  expect(all.at(199)).toEqual({ host: `n196.${domain}`, ...here });
  expect(all.at(200)).toMatchObject({
    host: `n197.${domain}`,
    same: false,
    problem: 'not looked up: only the first 200 names are compared',
  });
});

test('a process that ends between a request and its record leaves a run that does not ask again', async () => {
  const stored = made('died');
  const { id } = await named('died');
  const path = `POST /v2/droplets/${stored.id}/actions`;
  const other = await ground.another();
  const there = await other.signIn({ email: 'ada@example.org' });
  // The request has its effect, and no answer comes before the process ends.
  ground.cloud.feel({ is: 'silent' }, path, 1);
  const asked = () => ground.cloud.calls.filter((call) => call === path);
  const { body } = await there.post<{ runId: string }>('digitalocean/droplet/act', { id, type: 'reboot' });
  await until(() => Promise.resolve(asked().length === 1));
  await other.close();
  expect((await ended(ground, body.runId)).state).toBe('succeeded');
  expect(asked()).toHaveLength(1);
});

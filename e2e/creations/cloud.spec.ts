/** Sections that get a database or a server from the workspace's cloud provider. covers: WIZ-01, CLOUD-02, CLOUD-03 */
import { randomUUID } from 'node:crypto';
import { startDigitalOcean, type DigitalOceanPeer } from '../../testing/digitalocean';
import { testAuthority } from '../../testing/test-authority';
import { hurry } from '../cloud/ground';
import { markOf } from '../../apps/backend/src/cloud/provider';
import { clusterRun, dropletRun } from '../../apps/backend/src/creations/cloud-sections';
import { until } from '../../testing/patience';
import { begin, begun, complete, detailOf, sectionOf, settled, start, undo, type Sent } from './creating';
import { only, openCreations, type CreationGround } from './shop';

let cloud: DigitalOceanPeer;
let ground: CreationGround;
let { ada, grace, valuesOf } = {} as CreationGround;

beforeAll(async () => {
  cloud = await startDigitalOcean();
  cloud.account.authority = (await testAuthority()).root;
  // Tests make more calls in a minute than a person.
  Object.assign(cloud.limits, { minute: 100_000, hour: 100_000, keyLists: 100_000 });
  ground = await openCreations(cloud.env);
  ({ ada, grace, valuesOf } = ground);
  hurry(ground.world.backend);
  expect(await ada.post('digitalocean/token/update', { token: cloud.token })).toMatchObject({ status: 200 });
});
afterAll(async () => {
  await ground?.end();
  await cloud?.stop();
});
beforeEach(() => {
  cloud.feel({ is: 'well' });
  delete cloud.loses;
});
afterEach(() => expect(cloud.undescribed.splice(0)).toEqual([]));

const newCluster = (name: string) => ({ name, engine: 'mysql', region: 'fra1', size: 'db-s-1vcpu-1gb' });
const newDroplet = (name: string) => ({
  name,
  region: 'fra1',
  size: 's-1vcpu-1gb',
  image: 'debian-12-x64',
  backups: true,
});
const clusters = (name: string) => [...cloud.account.clusters.values()].filter((one) => one.name === name);
const droplets = (name: string) => [...cloud.account.droplets.values()].filter((one) => one.name === name);

/** A creation whose product is done. */
const begunWith = async (values: Record<string, Sent>): Promise<string> => {
  const id = await begin(ada, 'product', values['product']);
  await begun(ada, id);
  return id;
};
/** Up to the section Server. */
const withRepository = async (values: Record<string, Sent> = valuesOf()): Promise<string> => {
  const id = await begunWith(values);
  await complete(ada, id, only(values, 'database', 'repository'));
  return id;
};
const asked = (section: string, name: string | undefined, id: string) =>
  ada.post('creation/section/undo', { id, section, name });

test('a database is created at the provider, registered with the product, and deleted by its name', async () => {
  const name = `db-${randomUUID().slice(0, 8)}`;
  const id = await begunWith(valuesOf());
  await complete(ada, id, { database: { create: newCluster(name) } });
  const { made } = await sectionOf(ada, id, 'database');
  expect(made).toMatchObject([
    { kind: 'clouddatabase', name },
    { kind: 'database', name },
  ]);
  const product = (await sectionOf(ada, id, 'product')).made[0]?.id ?? '';
  const { body } = await ada.post('database/list', { product: { id: product } });
  expect(body).toMatchObject([{ id: made[1]?.id, name: 'defaultdb', port: 25_060, username: 'doadmin' }]);
  const [cluster] = clusters(name);
  const password = cluster?.connection?.password ?? 'none';
  expect(JSON.stringify(await detailOf(ada, id))).not.toContain(password);

  for (const typed of [undefined, 'another'])
    expect(await asked('database', typed, id)).toMatchObject({
      status: 400,
      body: { data: { name: `type ${name} to confirm: its content is deleted at the provider` } },
    });
  expect(clusters(name)).toHaveLength(1);
  await undo(ada, id, ['database'], { database: name });
  expect(clusters(name)).toEqual([]);
  expect((await ada.post('database/list', { product: { id: product } })).body).toEqual([]);
});

test('the undo keeps a database that another product uses by now', async () => {
  const name = `used-${randomUUID().slice(0, 8)}`;
  const id = await begunWith(valuesOf());
  await complete(ada, id, { database: { create: newCluster(name) } });
  const { made } = await sectionOf(ada, id, 'database');
  const other = await ada.post<{ id: string }>('product/insert', { data: { name: `of-${name}` } });
  await ada.post('database/delete', { id: made[1]?.id });
  const associated = { id: made[0]?.id, product: { id: other.body.id } };
  expect(await ada.post('digitalocean/databases/associate', associated)).toMatchObject({ status: 200 });
  await ada.post('creation/section/undo', { id, section: 'database', name });
  expect(await settled(ada, id, 'database')).toMatchObject({
    state: 'failed',
    reason: expect.stringMatching(`${name} is a database of the product of-${name}, which this creation did`),
  });
  expect(clusters(name)).toHaveLength(1);
});

test('a database that the account has is only registered, and stays when that is undone', async () => {
  const { id: cluster, name } = cloud.account.addCluster({ name: `theirs-${randomUUID().slice(0, 8)}` });
  await ada.post('digitalocean/refresh');
  const { body } = await ada.get<{ id: string; name: string }[]>('digitalocean/databases/list');
  const found = body.find((one) => one.name === name)?.id ?? '';
  const id = await begunWith(valuesOf());
  await complete(ada, id, { database: { cloudDatabase: { id: found } } });
  expect((await sectionOf(ada, id, 'database')).made).toMatchObject([{ kind: 'database', name }]);
  const other = await begunWith(valuesOf());
  await start(ada, other, 'database', { cloudDatabase: { id: found } });
  expect(await settled(ada, other, 'database')).toMatchObject({
    state: 'failed',
    reason: expect.stringMatching(`${name} is a database of the product .* already`),
  });
  await undo(ada, id, ['database']);
  expect(cloud.account.clusters.has(cluster)).toBe(true);
});

test.each([
  ['its creation', 'POST /v2/databases'],
  ['its list', 'GET /v2/databases'],
])('with the answer about %s lost once, one database is made', async (_, call) => {
  const name = `lost-${randomUUID().slice(0, 8)}`;
  const id = await begunWith(valuesOf());
  cloud.feel({ is: 'losing' }, call, 1);
  await start(ada, id, 'database', { create: newCluster(name) });
  const first = await settled(ada, id, 'database');
  if (first.state === 'failed') {
    await ada.post('creation/section/retry', { id, section: 'database' });
    expect(await settled(ada, id, 'database')).toMatchObject({ state: 'done', attempt: 1 });
  }
  expect(clusters(name)).toHaveLength(1);
  cloud.feel({ is: 'losing' }, 'DELETE /v2/databases', 1);
  await undo(ada, id, ['database'], { database: name });
  expect(clusters(name)).toEqual([]);
});

test('two operators at once create one database', async () => {
  const name = `both-${randomUUID().slice(0, 8)}`;
  const id = await begunWith(valuesOf());
  const values = { create: newCluster(name) };
  const both = await Promise.all([start(ada, id, 'database', values), start(grace, id, 'database', values)]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  expect(both[0].body.runId).toBe(both[1].body.runId);
  expect(await settled(ada, id, 'database')).toMatchObject({ state: 'done', attempt: 1 });
  expect(clusters(name)).toHaveLength(1);
});

test('a droplet that the provider could not create is named, and deleted by the undo', async () => {
  const name = `errored-${randomUUID().slice(0, 8)}`;
  const id = await withRepository();
  cloud.account.errored.add('create');
  await start(ada, id, 'server', { create: newDroplet(name) });
  const failed = await settled(ada, id, 'server');
  cloud.account.errored.delete('create');
  expect(failed).toMatchObject({
    state: 'failed',
    made: [{ kind: 'droplet', name }],
    reason: expect.stringMatching(/could not create the droplet/),
  });
  expect([...cloud.account.keys.values()]).toEqual([]);
  // Nothing else is created while it exists.
  expect(await start(ada, id, 'server', { create: newDroplet(`${name}-2`) })).toMatchObject({ status: 409 });
  await undo(ada, id, ['server'], { server: name });
  expect(droplets(name)).toEqual([]);
});

test('the undo of a droplet that somebody deleted at the provider meanwhile finds it gone', async () => {
  const name = `unmarked-${randomUUID().slice(0, 8)}`;
  const id = await withRepository();
  cloud.account.errored.add('create');
  await start(ada, id, 'server', { create: newDroplet(name) });
  await settled(ada, id, 'server');
  cloud.account.errored.delete('create');
  const [droplet] = droplets(name);
  expect(droplet).toBeDefined();
  // Somebody deletes it at the provider, in the middle.
  await cloud.account.removeDroplet(droplet?.id ?? 0);
  await undo(ada, id, ['server'], { server: name });
  expect(droplets(name)).toEqual([]);
});

test('a name that a server has already is refused before anything is created', async () => {
  const id = await withRepository();
  cloud.calls.splice(0);
  await start(ada, id, 'server', { create: newDroplet('web-1') });
  expect(await settled(ada, id, 'server')).toMatchObject({
    state: 'failed',
    made: [],
    reason: 'there is a server web-1 already',
  });
  expect(cloud.calls.filter((one) => one.startsWith('POST'))).toEqual([]);
});

test('a droplet whose request has an unknown outcome is looked for before another one is asked for', async () => {
  const name = `unknown-${randomUUID().slice(0, 8)}`;
  const id = await withRepository();
  cloud.calls.splice(0);
  const asked = () => cloud.calls.filter((one) => one === 'POST /v2/droplets').length;
  cloud.feel({ is: 'failing', status: 500 }, 'POST /v2/droplets', 1);
  await start(ada, id, 'server', { create: newDroplet(name) });
  const failed = await settled(ada, id, 'server');
  expect(failed).toMatchObject({ state: 'failed', code: 'unknownOutcome', made: [] });
  expect(await start(ada, id, 'server', { create: newDroplet(`${name}-2`) })).toMatchObject({
    status: 409,
    body: { msg: 'Server may have made something: retry it, which looks first, or undo it first' },
  });
  // The request had its effect after all, late.
  const late = cloud.account.addDroplet({ name, tags: [markOf(dropletRun(failed.run ?? ''))] });
  await ada.post('creation/section/retry', { id, section: 'server' });
  await until(() => cloud.calls.includes(`GET /v2/droplets/${late.id}`));
  await cloud.account.removeDroplet(late.id);
  expect(await settled(ada, id, 'server')).toMatchObject({
    state: 'failed',
    reason: `The droplet ${late.id} was deleted meanwhile.`,
  });
  expect(asked()).toBe(1);
  expect([...cloud.account.keys.values()]).toEqual([]);
});

/** What a section asks the provider for: its values, the call, and what exists there by that name. */
const ASKED = [
  ['database', newCluster, 'databases', clusters, begunWith],
  ['server', newDroplet, 'droplets', droplets, withRepository],
] as const;
const outputOf = async (runId: string | undefined): Promise<string> =>
  JSON.stringify((await ada.post('run/output', { id: runId })).body);
/** The answer to the request is lost, and lists do not show what it made. */
const loseCreation = (path: 'databases' | 'droplets'): void => {
  cloud.loses = (call) => {
    if (call !== `POST /v2/${path}`) return false;
    const body = JSON.stringify({ [path]: [], links: {}, meta: { total: 0 } });
    cloud.feel({ is: 'failing', status: 200, body }, `GET /v2/${path}`);
    return true;
  };
};

test.each(ASKED)(
  'the undo of a %s of unknown outcome looks for the mark, and deletes what it finds once its name was typed',
  async (section, wanted, path, existing, ready) => {
    const name = `sought-${randomUUID().slice(0, 8)}`;
    const id = await ready(valuesOf());
    loseCreation(path);
    await start(ada, id, section, { create: wanted(name) });
    const lost = { state: 'failed', code: 'unknownOutcome', made: [] };
    expect(await settled(ada, id, section)).toMatchObject(lost);
    expect(existing(name)).toHaveLength(1);

    // A second attempt that is refused changes nothing about the first one.
    delete cloud.loses;
    const hidden = JSON.stringify({ [path]: [], links: {}, meta: { total: 0 } });
    cloud.feel({ is: 'failing', status: 200, body: hidden }, `GET /v2/${path}`);
    cloud.loses = (call) => {
      if (call === `POST /v2/${path}`) cloud.limits.hour = 0;
      return false;
    };
    await ada.post('creation/section/retry', { id, section });
    expect(await settled(ada, id, section)).toMatchObject(lost);
    cloud.limits.hour = 100_000;
    delete cloud.loses;

    cloud.feel({ is: 'well' });
    for (const typed of [undefined, 'another'])
      expect(await asked(section, typed, id)).toMatchObject({
        status: 400,
        body: { data: { name: `type ${name} to confirm: its content is deleted at the provider` } },
      });
    // Without the provider nothing is known, and the section stays as it is.
    cloud.feel({ is: 'failing', status: 403 }, `GET /v2/${path}`);
    expect(await asked(section, name, id)).toMatchObject({ status: 200 });
    expect(await settled(ada, id, section)).toMatchObject({
      state: 'failed',
      made: [],
      reason: expect.stringMatching(/^DigitalOcean could not be asked what this section made there: /),
    });
    expect(await start(ada, id, section, { create: wanted(`${name}-2`) })).toMatchObject({ status: 409 });
    expect(existing(name)).toHaveLength(1);

    cloud.feel({ is: 'well' });
    await undo(ada, id, [section], { [section]: name });
    expect(existing(name)).toEqual([]);
    expect([...cloud.account.keys.values()]).toEqual([]);
  },
);

test.each(ASKED)(
  'the undo of a %s whose request never arrived says that nothing was made',
  async (section, wanted, path, existing, ready) => {
    const name = `never-${randomUUID().slice(0, 8)}`;
    const id = await ready(valuesOf());
    cloud.feel({ is: 'failing', status: 500 }, `POST /v2/${path}`, 1);
    await start(ada, id, section, { create: wanted(name) });
    expect(await settled(ada, id, section)).toMatchObject({ state: 'failed', code: 'unknownOutcome' });
    const { body } = await ada.post<{ runId: string }>('creation/section/undo', { id, section, name });
    expect(await settled(ada, id, section)).toMatchObject({ state: 'idle', made: [] });
    expect(await outputOf(body.runId)).toContain('DigitalOcean has nothing with the mark of this section.');
    expect(existing(name)).toEqual([]);
  },
);

test.each(ASKED)(
  'a %s that is cancelled while the provider makes it is found by the undo',
  async (section, wanted, path, existing, ready) => {
    const name = `cancelled-${randomUUID().slice(0, 8)}`;
    const id = await ready(valuesOf());
    cloud.calls.splice(0);
    cloud.feel({ is: 'silent' }, `POST /v2/${path}`, 1);
    const { body } = await start(ada, id, section, { create: wanted(name) });
    await until(() => existing(name).length === 1);
    expect(await ada.post('run/cancel', { id: body.runId })).toMatchObject({ status: 200 });
    const cancelled = await settled(ada, id, section);
    expect(cancelled).toMatchObject({ state: 'failed', reason: expect.stringMatching(/^cancelled/) });
    expect(await start(ada, id, section, { create: wanted(`${name}-2`) })).toMatchObject({ status: 409 });
    await undo(ada, id, [section], { [section]: name });
    expect(existing(name)).toEqual([]);
    expect([...cloud.account.keys.values()]).toEqual([]);
  },
);

test('what a refused request made nevertheless is named by the undo before it is deleted', async () => {
  const name = `refused-${randomUUID().slice(0, 8)}`;
  const id = await begunWith(valuesOf());
  cloud.feel({ is: 'failing', status: 422 }, 'POST /v2/databases', 1);
  await start(ada, id, 'database', { create: newCluster(name) });
  const { run = '', ...failed } = await settled(ada, id, 'database');
  expect(failed).toMatchObject({ state: 'failed', code: 'upstream', made: [] });
  cloud.account.addCluster({ name, tags: [markOf(clusterRun(run))] });
  await asked('database', undefined, id);
  expect(await settled(ada, id, 'database')).toMatchObject({
    state: 'failed',
    made: [{ kind: 'clouddatabase', name }],
    reason: `DigitalOcean has ${name}, which this section made: undo it again, and type the name`,
  });
  await undo(ada, id, ['database'], { database: name });
  expect(clusters(name)).toEqual([]);
});

test('of two creations with one name for their droplets at once, the second asks for none', async () => {
  const name = `same-${randomUUID().slice(0, 8)}`;
  const [first, second] = [await withRepository(), await withRepository()];
  cloud.calls.splice(0);
  cloud.account.errored.add('create');
  cloud.feel({ is: 'waiting' }, 'POST /v2/droplets', 1);
  await start(ada, first, 'server', { create: newDroplet(name) });
  await until(() => cloud.calls.includes('POST /v2/droplets'));
  const taken = {
    state: 'failed',
    made: [],
    reason: `another creation makes the droplet ${name}: choose another name, or wait until it has ended`,
  };
  await start(grace, second, 'server', { create: newDroplet(name.toUpperCase()) });
  expect(await settled(grace, second, 'server')).toMatchObject({
    ...taken,
    reason: taken.reason.replace(name, name.toUpperCase()),
  });
  cloud.go();
  expect(await settled(ada, first, 'server')).toMatchObject({ state: 'failed', made: [{ name }] });
  // The name is taken as long as the droplet exists.
  await start(grace, second, 'server', { create: newDroplet(name) });
  expect(await settled(grace, second, 'server')).toMatchObject(taken);
  expect(cloud.calls.filter((one) => one === 'POST /v2/droplets')).toHaveLength(1);
  await undo(ada, first, ['server'], { server: name });
  await start(grace, second, 'server', { create: newDroplet(name) });
  expect(await settled(grace, second, 'server')).toMatchObject({ state: 'failed', made: [{ name }] });
  cloud.account.errored.delete('create');
  await undo(grace, second, ['server'], { server: name });
});

test('a droplet without a key of the console is refused with what to do', async () => {
  const { name } = cloud.account.addDroplet({ name: `foreign-${randomUUID().slice(0, 8)}` });
  await ada.post('digitalocean/refresh');
  const { body } = await ada.get<{ id: string; name: string }[]>('digitalocean/droplet/list');
  const droplet = { id: body.find((one) => one.name === name)?.id ?? '' };
  const id = await withRepository();
  await start(ada, id, 'server', { droplet });
  expect(await settled(ada, id, 'server')).toMatchObject({
    state: 'failed',
    made: [],
    reason: `this console has no key for ${name}: associate it on the page of the cloud account first`,
  });
});

test('the plan names what is created with its price, and what is not offered', async () => {
  const planned = async (values: Sent) =>
    (await ada.post<Sent[]>('creation/plan', { kind: 'product', sections: values })).body;
  expect(
    await planned({ database: { create: newCluster('shop') }, server: { create: newDroplet('shop') } }),
  ).toEqual([
    {
      section: 'database',
      creates: [
        { kind: 'cloud database', name: 'shop (mysql, db-s-1vcpu-1gb, fra1)' },
        { kind: 'database', name: 'shop' },
      ],
      exists: [],
      problems: {},
    },
    {
      section: 'server',
      creates: [
        {
          kind: 'droplet',
          name: 'shop (s-1vcpu-1gb, fra1, debian-12-x64, 6 USD a month, with backups)',
        },
        { kind: 'server', name: 'shop' },
      ],
      exists: [],
      problems: {},
    },
  ]);
  expect(
    await planned({ server: { create: { ...newDroplet('web-1'), size: 's-64vcpu-1tb' } } }),
  ).toMatchObject([
    {
      problems: {
        'create.size': 'DigitalOcean does not offer this size in fra1',
        'create.name': 'there is a server web-1 already',
      },
    },
  ]);
  cloud.account.addCluster({ name: 'theirs' });
  expect(await planned({ database: { create: newCluster('theirs') } })).toEqual([
    {
      section: 'database',
      creates: [],
      exists: [{ kind: 'cloud database', name: 'theirs' }],
      problems: {
        'create.name': 'DigitalOcean has a database theirs already: choose another name, or use that one',
      },
    },
  ]);
});

test.each<[string, string, Sent, string]>([
  ['two ways at once', 'server', { server: { id: randomUUID() }, create: newDroplet('a') }, 'values.create'],
  ['none of them', 'server', {}, 'values.server'],
  ['a nested field', 'server', { create: { ...newDroplet('-') } }, 'values.create.name'],
  [
    'an unknown engine',
    'database',
    { create: { ...newCluster('shop'), engine: 'redis' } },
    'values.create.engine',
  ],
  ['a field too many', 'database', { create: { ...newCluster('shop'), tag: 'x' } }, 'values.create.tag'],
])('%s is refused at its field', async (_, section, values, field) => {
  const id = await begunWith(valuesOf());
  const { status, body } = await start(ada, id, section, values);
  expect([status, Object.keys((body as { data?: object }).data ?? {})]).toEqual([400, [field]]);
});

test('what belongs to another workspace cannot be chosen', async () => {
  const { name } = cloud.account.addCluster({ name: `hidden-${randomUUID().slice(0, 8)}` });
  await ada.post('digitalocean/refresh');
  const { body } = await ada.get<{ id: string; name: string }[]>('digitalocean/databases/list');
  const cloudDatabase = { id: body.find((one) => one.name === name)?.id ?? '' };
  const eve = await ground.world.backend.signIn({ email: `${randomUUID()}@example.org`, workspace: 'other' });
  const id = await begin(eve, 'product', { name: 'Theirs' });
  await begun(eve, id);
  await start(eve, id, 'database', { cloudDatabase });
  expect(await settled(eve, id, 'database')).toMatchObject({ state: 'failed', made: [] });
});

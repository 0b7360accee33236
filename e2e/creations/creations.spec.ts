/** A product is created section by section, and handed over. covers: WIZ-01 */
import { randomUUID } from 'node:crypto';
import { begin, begun, complete, detailOf, sectionOf, settled, start, undo, type Sent } from './creating';
import { nowhere } from '../backend/world';
import { only, openCreations, PASSWORD, type CreationGround } from './shop';

let ground: CreationGround;
let { ada, github, grace, world, valuesOf } = {} as CreationGround;

beforeAll(async () => {
  ground = await openCreations();
  ({ ada, github, grace, world, valuesOf } = ground);
});
afterAll(() => ground?.end());

test('a product is created in sections by two operators, and undone in reverse', async () => {
  const values = valuesOf();
  const { name } = values.product;
  const id = await begin(ada, 'product', values.product);
  const first = await settled(ada, id, 'product');
  expect(first).toMatchObject({ state: 'done', values: { name, structure: true } });
  expect(first.made.map(({ kind }) => kind)).toEqual(['product', 'version']);
  const product = first.made[0]?.id ?? '';
  expect((await ada.post('product/detail', { id: product })).body).toMatchObject({ name });

  expect(await start(ada, id, 'server', values['server'])).toMatchObject({
    status: 409,
    body: { msg: 'Database has to be done before Server' },
  });
  await complete(ada, id, only(values, 'database'));
  // Another operator goes on, with a token of their own.
  github.calls.splice(0);
  await complete(grace, id, only(values, 'repository', 'server', 'service'));
  expect(github.repository('acme', name)?.history()).toEqual([
    `Initialize ${name}`,
    'Add version 1 of the data model',
    'Initial commit',
  ]);
  expect(github.repository('acme', `${name}-client`)?.files()['README.md']).toBe(`# ${name} client\n`);
  const service = (await sectionOf(ada, id, 'service')).made;
  expect(service.map(({ kind }) => kind)).toEqual(['service', 'client']);
  const variables = await ada.post('env-var/list', {
    product: { id: product },
    service: { id: service[0]?.id ?? '' },
    env: 1,
  });
  expect(JSON.stringify(variables.body)).toMatch(/INSTANCE_NAME.*main/);
  expect(JSON.stringify(variables.body)).toContain('INSTANCE_UUID');
  await complete(ada, id, only(values, 'domain'));

  // The server cannot be reached, so the site cannot be applied.
  expect(await start(ada, id, 'deploy', values['deploy'])).toMatchObject({ status: 200 });
  const failed = await settled(ada, id, 'deploy');
  expect(failed).toMatchObject({ state: 'failed', reason: expect.stringMatching(/\w/) });
  expect(failed.made).toMatchObject([{ kind: 'location' }, { kind: 'location' }]);
  expect(await start(ada, id, 'product', values['product'])).toMatchObject({ status: 409 });
  expect(await ada.post('creation/section/undo', { id, section: 'domain' })).toMatchObject({
    status: 409,
    body: { msg: 'Deploy comes after Domain: undo it first' },
  });
  await undo(grace, id, ['deploy', 'domain', 'service', 'server', 'repository', 'database', 'product']);
  expect(await ada.post('product/detail', { id: product })).toMatchObject({ status: 404 });
  expect(github.repository('acme', name)).toBeUndefined();
  expect(github.repository('acme', `${name}-client`)).toBeUndefined();
  expect(await ada.post('creation/abandon', { id })).toMatchObject({ status: 200 });
  expect((await detailOf(ada, id)).state).toBe('abandoned');
});

test('what is in the way is planned before anything is made, and nothing is changed', async () => {
  const values = valuesOf();
  const { name } = values.product;
  github.add('acme', `${name}-client`, { 'README.md': '# Theirs\n' });
  const before = [...github.repositories.keys()];
  const { status, body } = await ada.post<{ section: string; creates: object[]; problems: Sent }[]>(
    'creation/plan',
    { kind: 'product', sections: { ...values, domain: { serverName: 'elsewhere.invalid' } } },
  );
  expect(status).toBe(200);
  const of = (section: string) => body.find((one) => one.section === section);
  expect(body.map(({ section }) => section)).toEqual(Object.keys(values));
  expect(of('product')).toMatchObject({ creates: [{ kind: 'product', name }, { kind: 'version' }] });
  expect(of('repository')).toMatchObject({
    creates: [{ name: `acme/${name}` }],
    exists: [{ name: `acme/${name}-client` }],
    problems: { repoFront: `acme/${name}-client exists already: choose another name` },
  });
  expect(of('domain')).toMatchObject({
    problems: { serverName: expect.stringMatching(/elsewhere\.invalid/) },
  });
  expect([...github.repositories.keys()]).toEqual(before);
  const wrong = await ada.post<{ problems: Sent }[]>('creation/plan', {
    kind: 'product',
    sections: { product: {}, database: { host: 'x' } },
  });
  expect(wrong.body).toMatchObject([
    { problems: { name: 'This field is required' } },
    { problems: { port: 'This field is required' } },
  ]);
});

test('a version of a product that exists is planned only if one would be generated', async () => {
  const { product } = valuesOf();
  const id = await begin(ada, 'product', product);
  const [made] = (await settled(ada, id, 'product')).made;
  const planned = async (values: Sent) =>
    (await ada.post<object[]>('creation/plan', { kind: 'product', sections: { product: values } })).body[0];
  const chosen = { product: { id: made?.id }, structure: true, version: true };
  expect(await planned(chosen)).toMatchObject({
    creates: [],
    exists: [
      { kind: 'product', name: product.name },
      { kind: 'version', name: '1' },
    ],
    problems: {},
  });
  const other = await ada.post('product/insert', { data: { name: `${product.name} empty` } });
  const empty = { ...chosen, product: { id: String(other.body.id) } };
  expect(await planned(empty)).toMatchObject({ creates: [{ kind: 'version', name: '1' }] });
  expect(await planned({ ...empty, structure: false })).toMatchObject({
    creates: [],
    problems: { version: expect.any(String) },
  });
});

test('a domain whose address is not the host of the server fails, and another name is taken', async () => {
  const values = valuesOf();
  const { name } = values.product;
  const id = await begin(ada, 'product', values.product);
  await complete(ada, id, only(values, 'database', 'repository', 'server', 'service'));
  await start(ada, id, 'domain', { serverName: `${name}.invalid` });
  expect(await settled(ada, id, 'domain')).toMatchObject({
    state: 'failed',
    made: [],
    reason: expect.stringMatching(`${name}.invalid .*the server web-1 is at`),
  });
  await start(ada, id, 'domain', values['domain']);
  expect(await settled(ada, id, 'domain')).toMatchObject({ state: 'done', attempt: 2 });
});

test('a run of a section that was started anew since cannot be retried by itself', async () => {
  const values = valuesOf();
  const { name } = values.product;
  github.add('acme', name, { 'README.md': '# Theirs\n' });
  const id = await begin(ada, 'product', values.product);
  await complete(ada, id, only(values, 'database'));
  await start(ada, id, 'repository', values['repository']);
  const failed = await settled(ada, id, 'repository');
  expect(failed).toMatchObject({ state: 'failed', made: [] });
  const other = { organization: 'acme', repo: `${name}-2`, fromTemplate: { server: true, client: false } };
  await complete(ada, id, { repository: other });
  expect(await ada.post('run/retry', { id: failed.run })).toMatchObject({
    status: 422,
    body: { msg: expect.stringMatching(/has changed since: go on from the page of the creation/) },
  });
});

test('values are judged by field before anything begins', async () => {
  expect(await ada.post('creation/start', { kind: 'product', values: {} })).toMatchObject({
    status: 400,
    body: { data: { 'values.name': 'This field is required' } },
  });
  const id = await begin(ada, 'product', valuesOf().product);
  await settled(ada, id, 'product');
  expect(
    await ada.post('creation/section/start', { id, section: 'database', values: { host: 'db', extra: 1 } }),
  ).toMatchObject({ status: 400, body: { data: { 'values.extra': 'this key cannot be included' } } });
});

test('what the client part would get by default is refused at its field before anything begins', async () => {
  const values = valuesOf();
  const id = await begin(ada, 'product', values.product);
  await complete(ada, id, only(values, 'database', 'repository', 'server'));
  const service = { name: 'x'.repeat(94), port: 65_535, withDb: false };
  const refused = {
    nameFront: expect.stringMatching(/^left empty, .*at most 100 characters/),
    portFront: expect.stringMatching(/^left empty, this is 65536: a port is a number from 1 to 65535/),
  };
  const sections = { ...only(values, 'product', 'repository'), service };
  const plan = await ada.post<object[]>('creation/plan', { kind: 'product', sections });
  expect(plan.body[2]).toMatchObject({ section: 'service', problems: refused });
  expect(await start(ada, id, 'service', service)).toMatchObject({
    status: 400,
    body: { data: { 'values.nameFront': refused.nameFront, 'values.portFront': refused.portFront } },
  });
  expect(await sectionOf(ada, id, 'service')).toMatchObject({ state: 'idle', attempt: 0 });
  await complete(ada, id, { service: { ...service, nameFront: 'Web', portFront: 3999 } });
});

test('a name or a port that another service has is refused at its field before anything begins', async () => {
  const values = valuesOf();
  const { product } = values;
  const id = await begin(ada, 'product', product);
  const [made] = (await settled(ada, id, 'product')).made;
  await complete(ada, id, only(values, 'database', 'repository', 'server'));
  const port = 20_000 + Math.floor(Math.random() * 10_000) * 2;
  const { server } = values['server'] as { server: { id: string } };
  const added = await ada.post('service/insert', {
    product: { id: made?.id },
    data: {
      name: 'Web client',
      nameFront: '',
      organization: 'acme',
      repo: product.name,
      repoFront: '',
      server,
      port: port + 1,
      packageType: 'container',
      packageSubfolder: '',
      withDb: false,
      healthPath: '/',
    },
  });
  expect(added.status).toBe(200);
  await world.backend.caughtUp();
  const refused = {
    nameFront: 'left empty, this is Web client: there is a service Web client already',
    portFront: `left empty, this is ${port + 1}: the service Web client has the port ${port + 1} on web-1 already: choose another`,
  };
  const service = { name: 'Web', port, withDb: false };
  const sections = {
    ...only(values, 'repository', 'server'),
    product: { product: { id: made?.id } },
    service,
  };
  const planned = async () =>
    (
      await ada.post<{ section: string; problems: object }[]>('creation/plan', { kind: 'product', sections })
    ).body.find((one) => one.section === 'service')?.problems;
  expect(await planned()).toEqual(refused);
  expect(await start(ada, id, 'service', service)).toMatchObject({
    status: 400,
    body: { data: { 'values.nameFront': refused.nameFront, 'values.portFront': refused.portFront } },
  });
  const taken = { ...service, name: 'web CLIENT', nameFront: 'Page', port: port + 1, portFront: port };
  expect(await start(ada, id, 'service', taken)).toMatchObject({
    status: 400,
    body: {
      data: {
        'values.name': 'there is a service Web client already',
        'values.port': expect.stringMatching('choose another'),
      },
    },
  });
  expect(await sectionOf(ada, id, 'service')).toMatchObject({ state: 'idle', attempt: 0 });
  const free = { ...service, nameFront: 'Page', portFront: port };
  expect(await start(ada, id, 'service', { ...free, port: port + 2 })).toMatchObject({ status: 200 });
  expect(await settled(ada, id, 'service')).toMatchObject({ state: 'done' });
});

test('a name or a port that the container flow cannot have is refused at its field before anything begins', async () => {
  const parent = 'containers.localhost';
  expect(await ada.post('workspace/dns', { resolvers: [], parent, ttl: 60 })).toMatchObject({ status: 200 });
  github.packages.set('acme/box', [{ id: 1, digest: `sha256:${'a'.repeat(64)}`, tags: ['v1.0'] }]);
  const { server } = valuesOf()['server'] as { server: { id: string } };
  const product = {
    id: String((await ada.post('product/insert', { data: { name: randomUUID() } })).body.id),
  };
  const repo = { repoUrl: 'acme/box', product, server };
  const taken = { organization: 'acme', repo: 'box', packageType: 'container', server, withDb: false };
  const port = 20_001 + Math.floor(Math.random() * 10_000) * 2;
  expect(await ada.post('service/insert', { product, data: { ...taken, name: 'Box', port } })).toMatchObject({
    status: 200,
  });
  const known = { serverName: `known.${parent}`, server };
  expect(await ada.post('domain/insert', known)).toMatchObject({ status: 200 });
  await world.backend.caughtUp();
  const id = await begin(ada, 'container', repo);
  await begun(ada, id);

  const refusedAs = async (dns: Sent, problems: Record<string, string>) => {
    const plan = await ada.post<object[]>('creation/plan', { kind: 'container', sections: { repo, dns } });
    expect(plan.body[1]).toMatchObject({ section: 'dns', problems });
    const data = Object.fromEntries(Object.entries(problems).map(([field, why]) => [`values.${field}`, why]));
    expect(await start(ada, id, 'dns', dns)).toMatchObject({ status: 400, body: { data } });
    expect(await sectionOf(ada, id, 'dns')).toMatchObject({ state: 'idle', attempt: 0 });
  };
  await refusedAs(
    { subdomain: 'BOX', port },
    {
      subdomain: 'there is a service Box already',
      port: `the service Box has the port ${port} on web-1 already: choose another`,
    },
  );
  await refusedAs(
    { subdomain: 'Known', port: nowhere.port },
    {
      subdomain: `known.${parent} is a domain of this workspace already`,
      port: `web-1 itself answers SSH at port ${nowhere.port}: choose another, such as 3000`,
    },
  );
  // Without a provider, only a name that points to the server already can be had.
  const elsewhere = { resolvers: [], parent: 'containers.invalid', ttl: 60 };
  expect(await ada.post('workspace/dns', elsewhere)).toMatchObject({ status: 200 });
  await refusedAs(
    { subdomain: 'free', port: port + 1 },
    {
      subdomain: expect.stringMatching(
        /^free\.containers\.invalid .*; the server web-1 is at 127\.0\.0\.1, and a record cannot be added: no DNS provider is set up/,
      ) as unknown as string,
    },
  );
  expect(await ada.post('workspace/dns', { resolvers: [], parent, ttl: 60 })).toMatchObject({ status: 200 });
  expect(await start(ada, id, 'dns', { subdomain: 'free', port: port + 1 })).toMatchObject({ status: 200 });
  // The server cannot be reached, so the deploy fails. What came before it is there.
  const failed = await settled(ada, id, 'dns');
  expect(failed).toMatchObject({ state: 'failed', attempt: 1 });
  expect(failed.made.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['service', 'domain']));
});

test('a creation from a product that exists has the name of that product, also as of an instant', async () => {
  const name = `old-${randomUUID().slice(0, 8)}`;
  const { body } = await ada.post<{ id: string }>('product/insert', { data: { name } });
  const key = randomUUID();
  const from = { product: { id: body.id }, structure: false, version: false };
  const id = await begin(ada, 'product', from, { 'idempotency-key': key });
  await begun(ada, id);
  const then = await world.backend.resources.store.head();
  const newName = `${name}-renamed`;
  expect(await ada.post('product/update', { id: body.id, data: { name: newName } })).toMatchObject({
    status: 200,
  });
  // The same request again is the same creation, and a new one has the new name.
  expect(await begin(ada, 'product', from, { 'idempotency-key': key })).toBe(id);
  const other = await begin(ada, 'product', from);
  await begun(ada, other);
  const named = async (headers: Record<string, string>) =>
    (await ada.post<{ id: string; name: string }[]>('creation/list', { open: true }, headers)).body
      .filter((one) => one.id === id || one.id === other)
      .map((one) => one.name)
      .toSorted();
  expect(await named({})).toEqual([name, newName]);
  expect(await named({ 'x-at': then })).toEqual([name]);
});

test('a creation from a product that does not exist is refused at its field', async () => {
  expect(
    await ada.post('creation/start', { kind: 'product', values: { product: { id: randomUUID() } } }),
  ).toMatchObject({
    status: 400,
    body: { data: { 'values.product': 'this product does not exist, or does not exist any more' } },
  });
});

test('the address of a repository at another host is refused at its field', async () => {
  const other = 'https://gitlab.com/acme/shop';
  const why =
    'gitlab.com is not the source host of this console: the address of a repository at github.com is expected, such as https://github.com/acme/shop';
  github.calls.splice(0);
  expect(await ada.get(`github/container/list?repoUrl=${encodeURIComponent(other)}`)).toMatchObject({
    status: 400,
    body: { data: { repoUrl: why } },
  });
  const { body: product } = await ada.post('product/insert', { data: { name: randomUUID() } });
  const repo = { repoUrl: other, product: { id: product['id'] }, ...valuesOf()['server'] };
  expect(await ada.post('creation/start', { kind: 'container', values: repo })).toMatchObject({
    status: 400,
    body: { data: { 'values.repoUrl': why } },
  });
  const planned = await ada.post('creation/plan', { kind: 'container', sections: { repo } });
  expect(planned.body).toMatchObject([{ problems: { repoUrl: why } }]);
  expect(github.calls).toEqual([]);
});

test('two operators at once start one run, and so does a repeated request', async () => {
  const values = valuesOf();
  const { name } = values.product;
  const key = randomUUID();
  const [id, again] = [
    await begin(ada, 'product', values.product, { 'idempotency-key': key }),
    await begin(ada, 'product', values.product, { 'idempotency-key': key }),
  ];
  expect(again).toBe(id);
  await complete(ada, id, only(values, 'database'));
  const both = await Promise.all([
    start(ada, id, 'repository', values['repository']),
    start(grace, id, 'repository', values['repository']),
  ]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  expect(both[0].body.runId).toBe(both[1].body.runId);
  expect(await settled(ada, id, 'repository')).toMatchObject({ state: 'done', attempt: 1 });
  expect(github.repository('acme', name)?.history()).toEqual(['Initial commit']);
});

test('of two creations with one name at once, one makes the product and the other one fails', async () => {
  const { product } = valuesOf();
  const ids = await Promise.all([begin(ada, 'product', product), begin(grace, 'product', product)]);
  const ended = await Promise.all(ids.map((id) => settled(ada, id, 'product')));
  expect(ended.map(({ state }) => state).toSorted()).toEqual(['done', 'failed']);
  const failed = ended.find(({ state }) => state === 'failed');
  expect(failed).toMatchObject({ made: [], reason: expect.stringMatching(/already/) });
  const { body } = await ada.post<{ name: string }[]>('product/list', {});
  expect(body.filter(({ name }) => name === product.name)).toHaveLength(1);
});

test('no secret is in an answer, an event, a run or the vault once the section has it', async () => {
  const values = valuesOf();
  const id = await begin(ada, 'product', values.product);
  await complete(ada, id, only(values, 'database'));
  expect(JSON.stringify(await detailOf(ada, id))).not.toContain(PASSWORD);
  expect((await sectionOf(ada, id, 'database')).secrets).toEqual(['password']);
  const { rows } = await world.backend.resources.pool.query(
    `select count(*)::int as n from app.vault where kind = 'creation' and shredded_at is null`,
  );
  expect(rows[0]).toEqual({ n: 0 });
  const run = (await sectionOf(ada, id, 'database')).run ?? '';
  expect(JSON.stringify((await ada.post('run/detail', { id: run })).body)).not.toContain(PASSWORD);
});

test('what another workspace creates cannot be found', async () => {
  const id = await begin(ada, 'product', valuesOf().product);
  const stranger = await world.backend.signIn({ email: 'eve@example.org', workspace: 'other' });
  for (const path of ['creation/detail', 'creation/abandon'])
    expect(await stranger.post(path, { id })).toMatchObject({ status: 404 });
});

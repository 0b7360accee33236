/** A product is created section by section, handed over, carried on after a crash, and undone. covers: WIZ-01 */
import { randomUUID } from 'node:crypto';
import type { CreationSectionView, CreationView } from '@quarterdeck/projections';
import { Creations } from '../../apps/backend/src/creations';
import { fieldsOf, idleKey, nowhere } from '../backend/world';
import { openGround, SCOPES, type Ground } from '../repositories/ground';
import type { Operator } from '../../testing/operator';
import { until } from '../../testing/patience';

const GRACE_TOKEN = 'ghp_the-token-of-grace-that-nobody-may-see';
const PASSWORD = 'canary-of-the-database-password';

let ground: Ground;
let grace: Operator;
let server: { id: string };
let nth = 0;

beforeAll(async () => {
  ground = await openGround();
  const { ada, github, world } = ground;
  github.tokens.set(GRACE_TOKEN, { login: 'grace', scopes: SCOPES });
  github.organizations.get('acme')?.members.push('grace');
  grace = await world.backend.signIn({ email: 'grace@example.org' });
  await grace.post('profile/gh-token/update', { value: GRACE_TOKEN });
  const registered = await ada.post('server/insert', {
    ...fieldsOf('web-1', nowhere),
    privateKey: idleKey(),
  });
  server = { id: String(registered.body.id) };
});
afterAll(() => ground?.end());

type Sent = Record<string, unknown>;
const valuesOf = (name: string): Record<string, Sent> => ({
  product: { name, description: 'Sells books', structure: true, version: true },
  database: { host: 'db.example.org', name: 'shop', username: 'shop', password: PASSWORD, port: 3306 },
  repository: {
    organization: 'acme',
    repo: name,
    repoFront: `${name}-client`,
    fromTemplate: { server: true, client: true },
  },
  server: { server },
  service: {
    name,
    nameFront: `${name} client`,
    port: 4000 + nth * 2,
    portFront: 4001 + nth * 2,
    withDb: true,
  },
  domain: { serverName: `${name}.localhost` },
  deploy: { env: 1 },
});
const fresh = (): string => `shop-${(nth += 1)}-${randomUUID().slice(0, 4)}`;

const detail = async (id: string): Promise<CreationView> => {
  await ground.world.backend.caughtUp();
  return (await ground.ada.post<CreationView>('creation/detail', { id })).body;
};
const sectionOf = async (id: string, name: string): Promise<CreationSectionView> => {
  const found = (await detail(id)).sections.find(({ section }) => section === name);
  if (!found) throw new Error(`no section ${name}`);
  return found;
};
/** Waits until the section is no longer in progress. */
const settled = async (id: string, name: string): Promise<CreationSectionView> => {
  let found = await sectionOf(id, name);
  await until(async () => {
    found = await sectionOf(id, name);
    return found.state !== 'running' && found.state !== 'undoing';
  });
  return found;
};
const begin = async (name: string, by = ground.ada, key?: string): Promise<string> => {
  const body = { kind: 'product', values: valuesOf(name)['product'] };
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
  const answer = await by.post<{ id: string }>('creation/start', body, headers);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body.id;
};
const start = (id: string, section: string, name: string, by = ground.ada, more: Sent = {}) =>
  by.post<{ runId: string }>('creation/section/start', {
    id,
    section,
    values: { ...valuesOf(name)[section], ...more },
  });
const complete = async (id: string, sections: readonly string[], name: string, by = ground.ada) => {
  for (const section of sections) {
    expect(await start(id, section, name, by)).toMatchObject({ status: 200 });
    expect(await settled(id, section)).toMatchObject({ section, state: 'done' });
  }
};

test('a product is created in sections by two operators, and undone in reverse', async () => {
  const { ada, github } = ground;
  const name = fresh();
  const id = await begin(name);
  const first = await settled(id, 'product');
  expect(first).toMatchObject({ state: 'done', values: { name, structure: true } });
  expect(first.made.map(({ kind }) => kind)).toEqual(['product', 'version']);
  const product = first.made[0]?.id ?? '';
  expect((await ada.post('product/detail', { id: product })).body).toMatchObject({ name });

  expect(await start(id, 'server', name)).toMatchObject({
    status: 409,
    body: { msg: 'Database has to be done before Server' },
  });
  await complete(id, ['database'], name);
  // Another operator goes on, with a token of their own.
  github.calls.splice(0);
  await complete(id, ['repository', 'server', 'service'], name, grace);
  expect(github.repository('acme', name)?.history()).toEqual([
    `Initialize ${name}`,
    'Add version 1 of the data model',
    'Initial commit',
  ]);
  expect(github.repository('acme', `${name}-client`)?.files()['README.md']).toBe(`# ${name} client\n`);
  const service = (await sectionOf(id, 'service')).made;
  expect(service.map(({ kind }) => kind)).toEqual(['service', 'client']);
  const variables = await ada.post('env-var/list', {
    product: { id: product },
    service: { id: service[0]?.id ?? '' },
    env: 1,
  });
  expect(JSON.stringify(variables.body)).toMatch(/INSTANCE_NAME.*main/);
  expect(JSON.stringify(variables.body)).toContain('INSTANCE_UUID');
  await complete(id, ['domain'], name);

  // The server cannot be reached, so the site cannot be applied.
  expect(await start(id, 'deploy', name)).toMatchObject({ status: 200 });
  const failed = await settled(id, 'deploy');
  expect(failed).toMatchObject({ state: 'failed', reason: expect.stringMatching(/\w/) });
  expect(failed.made).toMatchObject([{ kind: 'location' }, { kind: 'location' }]);
  expect(await start(id, 'product', name)).toMatchObject({ status: 409 });
  expect(await ada.post('creation/section/undo', { id, section: 'domain' })).toMatchObject({
    status: 409,
    body: { msg: 'Deploy comes after Domain: undo it first' },
  });
  for (const section of ['deploy', 'domain', 'service', 'server', 'repository', 'database', 'product']) {
    expect(await grace.post('creation/section/undo', { id, section })).toMatchObject({ status: 200 });
    expect(await settled(id, section)).toMatchObject({ section, state: 'idle', made: [] });
  }
  expect(await ada.post('product/detail', { id: product })).toMatchObject({ status: 404 });
  expect(github.repository('acme', name)).toBeUndefined();
  expect(github.repository('acme', `${name}-client`)).toBeUndefined();
  expect(await ada.post('creation/abandon', { id })).toMatchObject({ status: 200 });
  expect((await detail(id)).state).toBe('abandoned');
});

test('what is in the way is planned before anything is made, and nothing is changed', async () => {
  const { ada, github } = ground;
  const name = fresh();
  github.add('acme', `${name}-client`, { 'README.md': '# Theirs\n' });
  const before = [...github.repositories.keys()];
  const { status, body } = await ada.post<{ section: string; creates: object[]; problems: Sent }[]>(
    'creation/plan',
    { kind: 'product', sections: { ...valuesOf(name), domain: { serverName: 'elsewhere.invalid' } } },
  );
  expect(status).toBe(200);
  const of = (section: string) => body.find((one) => one.section === section);
  expect(body.map(({ section }) => section)).toEqual(Object.keys(valuesOf(name)));
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

test('a domain whose address is not the host of the server fails, and another name is taken', async () => {
  const name = fresh();
  const id = await begin(name);
  await settled(id, 'product');
  await complete(id, ['database', 'repository', 'server', 'service'], name);
  await start(id, 'domain', name, ground.ada, { serverName: `${name}.invalid` });
  expect(await settled(id, 'domain')).toMatchObject({
    state: 'failed',
    made: [],
    reason: expect.stringMatching(`${name}.invalid .*the server web-1 is at`),
  });
  await start(id, 'domain', name);
  expect(await settled(id, 'domain')).toMatchObject({ state: 'done', attempt: 2 });
});

test('values are judged by field before anything begins', async () => {
  const { ada } = ground;
  expect(await ada.post('creation/start', { kind: 'product', values: {} })).toMatchObject({
    status: 400,
    body: { data: { 'values.name': 'This field is required' } },
  });
  const id = await begin(fresh());
  await settled(id, 'product');
  expect(
    await ada.post('creation/section/start', { id, section: 'database', values: { host: 'db', extra: 1 } }),
  ).toMatchObject({ status: 400, body: { data: { 'values.extra': 'this key cannot be included' } } });
});

test('two operators at once start one run, and so does a repeated request', async () => {
  const { ada, github } = ground;
  const name = fresh();
  const key = randomUUID();
  const [id, again] = [await begin(name, ada, key), await begin(name, ada, key)];
  expect(again).toBe(id);
  await settled(id, 'product');
  await complete(id, ['database'], name);
  const both = await Promise.all([start(id, 'repository', name), start(id, 'repository', name, grace)]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  expect(both[0].body.runId).toBe(both[1].body.runId);
  expect(await settled(id, 'repository')).toMatchObject({ state: 'done', attempt: 1 });
  expect(github.repository('acme', name)?.history()).toEqual(['Initial commit']);
});

test('a section whose process died between its record and its run is carried on', async () => {
  const { ada, world } = ground;
  const name = fresh();
  const id = await begin(name);
  await settled(id, 'product');
  const { app } = world.backend;
  const creations = app.get(Creations, { strict: false });
  const resume = jest.spyOn(creations, 'resume').mockRejectedValueOnce(new Error('the process died'));
  expect(await start(id, 'database', name)).toMatchObject({ status: 500 });
  resume.mockRestore();
  expect(await sectionOf(id, 'database')).toMatchObject({ state: 'running', attempt: 1 });
  expect(await settled(id, 'database')).toMatchObject({ state: 'done' });
  const { body } = await ada.post('database/list', {
    product: { id: (await sectionOf(id, 'product')).made[0]?.id ?? '' },
  });
  expect(body).toHaveLength(1);
});

test('a repository of somebody else is never deleted, and its section says that it stays', async () => {
  const { ada, github } = ground;
  const name = fresh();
  const id = await begin(name);
  await settled(id, 'product');
  await complete(id, ['database', 'repository'], name);
  const theirs = github.repository('acme', name);
  if (!theirs) throw new Error('it was not created');
  theirs.is.description = 'Renamed by somebody else';
  const { runId } = (
    await ada.post<{ runId: string }>('creation/section/undo', { id, section: 'repository' })
  ).body;
  expect(await settled(id, 'repository')).toMatchObject({ state: 'idle' });
  expect(github.repository('acme', name)).toBeDefined();
  expect(github.repository('acme', `${name}-client`)).toBeUndefined();
  const { body } = await ada.post('run/output', { id: runId });
  expect(JSON.stringify(body)).toContain('was not created by this section: it stays');
});

test('a product that got more since is not deleted, and the undo can be asked for again', async () => {
  const { ada } = ground;
  const name = fresh();
  const id = await begin(name);
  const { made } = await settled(id, 'product');
  const product = { id: made[0]?.id ?? '' };
  const { password: _, ...rest } = valuesOf(name)['database'] as Sent;
  const own = { ...rest, password: 'another', env: { id: 1 }, dbType: 1, certificate: '', server: null };
  const other = await ada.post('database/insert', { data: { ...own, encryption: 'automatic' }, product });
  expect(other.status).toBe(200);
  await ada.post('creation/section/undo', { id, section: 'product' });
  expect(await settled(id, 'product')).toMatchObject({
    state: 'failed',
    reason: expect.stringMatching(/has the database shop, which this creation did not make/),
    made: [{ kind: 'product' }],
  });
  await ada.post('database/delete', { id: String(other.body['id']) });
  await ada.post('creation/section/undo', { id, section: 'product' });
  expect(await settled(id, 'product')).toMatchObject({ state: 'idle', made: [] });
});

test('no secret is in an answer, an event, a run or the vault once the section has it', async () => {
  const { ada, world } = ground;
  const name = fresh();
  const id = await begin(name);
  await settled(id, 'product');
  await complete(id, ['database'], name);
  expect(JSON.stringify(await detail(id))).not.toContain(PASSWORD);
  expect((await sectionOf(id, 'database')).secrets).toEqual(['password']);
  const { rows } = await world.backend.resources.pool.query(
    `select count(*)::int as n from app.vault where kind = 'creation' and shredded_at is null`,
  );
  expect(rows[0]).toEqual({ n: 0 });
  const run = (await sectionOf(id, 'database')).run ?? '';
  expect(JSON.stringify((await ada.post('run/detail', { id: run })).body)).not.toContain(PASSWORD);
});

test('what another workspace creates cannot be found', async () => {
  const id = await begin(fresh());
  const stranger = await ground.world.backend.signIn({ email: 'eve@example.org', workspace: 'other' });
  for (const path of ['creation/detail', 'creation/abandon'])
    expect(await stranger.post(path, { id })).toMatchObject({ status: 404 });
});

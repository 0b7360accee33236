/** A service is created with its repositories as a run. covers: SVC-01, SVC-02 */
import { randomUUID } from 'node:crypto';
import type { RunView } from '@quarterdeck/projections';
import { fieldsOf, idleKey, nowhere } from '../backend/world';
import type { Answer } from '../../testing/operator';
import { RunEngine } from '../../apps/backend/src/runs';
import { openGround, SCOPES, TOKEN, type Ground } from './ground';

let ground: Ground;
let product: { id: string };
let server: { id: string };
let nth = 0;

beforeAll(async () => {
  ground = await openGround();
  const { ada } = ground;
  product = { id: String((await ada.post('product/insert', { data: { name: 'Shop' } })).body.id) };
  const registered = await ada.post('server/insert', {
    ...fieldsOf('web-1', nowhere),
    privateKey: idleKey(),
  });
  server = { id: String(registered.body.id) };
  await ada.post('data-model/entity/insert', { data: { name: 'Order', isUuid: true }, product });
  await ada.post('data-model/version/create', { id: product.id });
});
afterAll(() => ground?.end());
beforeEach(() => {
  ground.github.feel({ is: 'well' });
  ground.github.tokens.set(TOKEN, { login: 'ada', scopes: SCOPES });
});
afterEach(() => {
  expect(ground.github.undescribed.splice(0)).toEqual([]);
});

const dataOf = (name: string, more: object = {}) => ({
  name,
  nameFront: `${name} client`,
  organization: 'acme',
  repo: name,
  repoFront: `${name}-client`,
  // Two services of a server never have the same port.

  server,
  port: 3000 + Number(/\d+$/.exec(name)?.[0]),
  packageType: 'container',
  packageSubfolder: '',
  withDb: true,
  ...more,
});
const create = (data: object, more: object = {}) =>
  ground.ada.post<{ id: string; runId: string }>('service/create', {
    data,
    product,
    runId: randomUUID(),
    ...more,
  });
const ended = async ({ body }: Answer<{ runId: string }>): Promise<RunView> => {
  const { app } = ground.world.backend;
  const { workspace } = (
    await ground.ada.post<RunView & { workspace: string }>('run/detail', { id: body.runId })
  ).body;
  await app.get(RunEngine, { strict: false }).ended(body.runId, workspace);
  await ground.world.backend.caughtUp();
  return (await ground.ada.post<RunView>('run/detail', { id: body.runId })).body;
};
const fresh = (): string => `made-${++nth}`;
const outcomes = ({ steps }: RunView): string[] => steps.map(({ step, state }) => `${step} ${state}`);
const whole = ['create', 'createFront', 'upgradeDataModel', 'init', 'initFront', 'addEnvVar'].map(
  (step) => `${step} succeeded`,
);

test('both repositories come from the templates, with their names and the data model', async () => {
  const { ada, github } = ground;
  const name = fresh();
  const started = await create(dataOf(name));
  expect(started.status).toBe(200);
  const run = await ended(started);
  expect(run).toMatchObject({ state: 'succeeded', subject: { kind: 'service', id: started.body.id, name } });
  expect(outcomes(run)).toEqual(whole);
  const repository = github.repository('acme', name);
  expect(repository?.history()).toEqual([
    `Initialize ${name}`,
    'Add version 1 of the data model',
    'Initial commit',
  ]);
  expect(github.repository('acme', `${name}-client`)?.files()['README.md']).toBe(`# ${name} client\n`);
  expect((await ada.post('service/detail', { id: started.body.id })).body).toMatchObject({
    name,
    repo: name,
  });
  const variables = await ada.post<{ key: string; value: string; env: number }[]>('env-var/list', {
    product,
    service: { id: started.body.id },
  });
  expect(JSON.stringify(variables.body)).toMatch(/INSTANCE_NAME.*main/);
  expect(JSON.stringify(variables.body).match(/"PORT"/g)).toHaveLength(3);
  // A repeated request finds the existing service and run.
  const again = await create(dataOf(name), { runId: started.body.runId });
  expect(again.body).toMatchObject({ id: started.body.id, runId: started.body.runId });
  expect(repository?.history()).toHaveLength(3);
});

test('existing repositories are found, and changed only by the data model', async () => {
  const { github } = ground;
  const name = fresh();
  github.add('acme', name, { 'README.md': '# Old\n' });
  const parts = { fromTemplate: { server: false, client: false } };
  const run = await ended(await create(dataOf(name, { repoFront: '' }), parts));
  expect(outcomes(run)).toEqual(['create succeeded', 'upgradeDataModel succeeded', 'addEnvVar succeeded']);
  expect(github.repository('acme', name)?.files()['README.md']).toBe('# Old\n');
  expect(await create(dataOf(fresh(), { repoFront: '' }), parts)).toMatchObject({
    status: 400,
    body: { data: { 'data.repo': expect.stringMatching(/could not be found at the source host/) } },
  });
});

test('a name that is taken is refused before anything is created', async () => {
  const before = ground.github.repositories.size;
  const answer = await create(dataOf(fresh(), { repo: 'server-template' }));
  expect(answer).toMatchObject({
    status: 400,
    body: { data: { 'data.repo': 'acme/server-template exists already: choose another name' } },
  });
  expect(ground.github.repositories.size).toBe(before);
});

test('if the token is revoked during the run, the run lists what exists, and continues with another token', async () => {
  const { ada, github } = ground;
  const name = fresh();
  github.feel({ is: 'waiting' }, new RegExp(`/repos/acme/${name}/git/trees`), 1);
  const started = await create(dataOf(name));
  while (!github.calls.some((call) => call.includes(`/repos/acme/${name}/git/trees`)))
    await new Promise((done) => setTimeout(done, 5));
  github.tokens.delete(TOKEN);
  github.go();
  const failed = await ended(started);
  expect(failed).toMatchObject({
    state: 'failed',
    reason: expect.stringMatching(
      `does not accept your token.* Created so far: the service ${name}, acme/${name}, acme/${name}-client\\.`,
    ),
  });
  expect(outcomes(failed)).toEqual([...whole.slice(0, 2), 'upgradeDataModel failed']);
  github.tokens.set(TOKEN, { login: 'ada', scopes: SCOPES });
  expect((await ada.post('run/retry', { id: started.body.runId })).status).toBe(200);
  const run = await ended(started);
  expect(run.state).toBe('succeeded');
  expect(github.repository('acme', name)?.history()).toHaveLength(3);
});

test('a clean-up removes what a failed creation left, and nothing else', async () => {
  const { ada, github } = ground;
  const name = fresh();
  github.feel({ is: 'failing', status: 503 }, new RegExp(`name|/repos/acme/${name}-client/git/ref`));
  const started = await create(dataOf(name));
  expect((await ended(started)).state).toBe('failed');
  github.feel({ is: 'well' });
  const { id } = started.body;
  const cleaning = await ada.post<{ runId: string }>('service/clean-up', { id });
  expect(cleaning.status).toBe(200);
  expect(await ended(cleaning)).toMatchObject({ state: 'succeeded' });
  expect(github.repository('acme', name)).toBeUndefined();
  expect(github.repository('acme', `${name}-client`)).toBeUndefined();
  expect((await ada.post('service/detail', { id })).status).toBe(404);
  expect((await ada.post('service/clean-up', { id })).status).toBe(404);
});

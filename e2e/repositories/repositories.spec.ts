/** The calls at the source-code host, with an operator's own token. covers: SVC-02, PROD-05 */
import { serverFiles, openGround, SCOPES, TOKEN, type Ground } from './ground';

let ground: Ground;

beforeAll(async () => {
  ground = await openGround();
});
afterAll(() => ground?.end());
beforeEach(() => ground.github.feel({ is: 'well' }));
afterEach(() => {
  // Every request and answer so far was as GitHub describes it.
  expect(ground.github.undescribed.splice(0)).toEqual([]);
});

const place = { organization: 'acme', repo: 'shop' };
const post = (path: string, body: object) => ground.ada.post(path, body);
const said = async (): Promise<string[]> => {
  const { body } = await ground.ada.post<{ entries: { words: string }[] }>('history/list', {
    subject: { category: 'repository' },
  });
  return JSON.stringify(body).match(/"Repository\w+"/g) ?? [];
};

test('a repository is created from the template, named, and gets its workflow', async () => {
  const { github } = ground;
  expect(await post('github/repo/cloneFromTemplate', { ...place, clientOrServer: 'server' })).toMatchObject({
    status: 200,
    body: { ...place, url: 'https://github.com/acme/shop' },
  });
  const shop = github.repository('acme', 'shop');
  expect(shop?.files()).toEqual(serverFiles);
  expect(shop?.is.private).toBe(true);

  const named = await post('github/repo/init', { ...place, name: 'The shop' });
  expect(named).toMatchObject({ status: 200, body: { changed: true, commit: shop?.head } });
  expect(shop?.files()).toMatchObject({
    'package.json': '{\n  "name": "shop",\n  "version": "0.0.0",\n  "description": "The shop"\n}\n',
    'README.md': '# The shop\n\nHow to start.\n',
  });
  const again = await post('github/repo/init', { ...place, name: 'The shop' });
  expect(again.body).toMatchObject({ changed: false, commit: shop?.head });

  expect((await post('gh-action/server/publish-package', { org: 'acme', repo: 'shop' })).status).toBe(200);
  expect(shop?.files()['.github/workflows/publish-package.yml']).toContain(
    'ghcr.io/${{ github.repository }}',
  );
  expect(shop?.history()).toEqual(['Publish the container package', 'Initialize The shop', 'Initial commit']);
  expect(await said()).toEqual(
    expect.arrayContaining(['"RepositoryCreated"', '"RepositoryInitialized"', '"RepositoryPublishingAdded"']),
  );
});

test('a name that is taken is refused by its field', async () => {
  expect(
    await post('github/repo/cloneFromTemplate', {
      ...place,
      repo: 'client-template',
      clientOrServer: 'server',
    }),
  ).toMatchObject({
    status: 400,
    body: { data: { repo: 'acme/client-template exists already: choose another name' } },
  });
  expect(
    await post('github/repo/cloneFromTemplate', {
      organization: 'nobody',
      repo: 'shop',
      clientOrServer: 'server',
    }),
  ).toMatchObject({
    status: 400,
    body: {
      data: {
        organization:
          'nobody could not be found at the source host, or your token may not create repositories there',
      },
    },
  });
});

test('releases count up from the newest tag; that of an npm package is also in its file', async () => {
  const { github } = ground;
  const lib = github.add('acme', 'lib', { 'package.json': '{ "name": "lib", "version": "1.9.0" }' });
  for (const tag of ['v1.9.0', 'v1.10.0', 'nightly']) lib.tags.set(tag, lib.head ?? '');
  const where = { organization: 'acme', repo: 'lib' };
  expect((await post('github/release/new', where)).body).toEqual({
    tag: 'v1.10.1',
    url: 'https://github.com/acme/lib/releases/tag/v1.10.1',
  });
  expect((await post('github/release/new', { ...where, isNpm: true })).body).toMatchObject({
    tag: 'v1.10.2',
  });
  expect(JSON.parse(lib.files()['package.json'] ?? '')).toEqual({ name: 'lib', version: '1.10.2' });
  expect(lib.tags.get('v1.10.2')).toBe(lib.head);
});

test('the data model of a product is committed once per version', async () => {
  const { ada, github } = ground;
  const { id } = (await ada.post('product/insert', { data: { name: 'Shop' } })).body;
  const product = { id };
  const where = { organization: 'acme', repo: 'model' };
  const repository = github.add('acme', 'model', { 'README.md': '# Model\n' });
  expect(await post('github/repo/data-model/add', { ...where, product })).toMatchObject({
    status: 422,
    body: { msg: 'the product has no version of its data model: generate one first' },
  });
  await ada.post('data-model/entity/insert', { data: { name: 'Order', isUuid: true }, product });
  expect((await ada.post('data-model/version/create', { id })).status).toBe(200);
  expect((await post('github/repo/data-model/add', { ...where, product })).body).toMatchObject({
    changed: true,
    version: 1,
  });
  const files = repository.files();
  expect(Object.keys(files)).toEqual(
    expect.arrayContaining(['README.md', 'data-model/types.d.ts', 'data-model/model.js']),
  );
  expect(Object.keys(files).filter((path) => /^data-model\/mysql\/V1_.*\.sql$/.test(path))).not.toEqual([]);
  expect((await post('github/repo/data-model/add', { ...where, product })).body).toMatchObject({
    changed: false,
  });
});

test('the number of calls that the source host still accepts is reported', async () => {
  const { ada, github } = ground;
  const { body } = await ada.get<{ remaining: number }>('github/limit');
  expect(body).toEqual({
    limit: 5000,
    remaining: 5000 - github.calls.length,
    resetAt: expect.stringMatching(/Z$/),
  });
});

test('container packages are listed with their image and digest', async () => {
  const { ada, github } = ground;
  github.packages.set('acme/shop', [
    { id: 9, digest: 'sha256:cc', tags: [] },
    { id: 8, digest: 'sha256:bb', tags: ['latest', 'v1.2.0'] },
  ]);
  const list = (query: string) => ada.get(`github/container/list?${query}`);
  const found = await list(`repoUrl=${encodeURIComponent('https://github.com/acme/shop.git')}`);
  expect(found.body).toEqual({
    packages: [
      {
        id: '8',
        version: 'v1.2.0',
        ...place,
        image: 'ghcr.io/acme/shop:v1.2.0',
        digest: 'sha256:bb',
        createdAt: expect.any(String),
      },
    ],
  });
  expect((await list('repoUrl=acme/shop&dockerName=nothing')).status).toBe(422);
  expect((await list('repoUrl=nothing')).body).toMatchObject({
    data: { repoUrl: expect.stringMatching(/address of a repository/) },
  });
});

test('workflows of a service are listed with their last run, and triggered on master by default', async () => {
  const { ada, github } = ground;
  const product = { id: (await ada.post('product/insert', { data: { name: 'Workflows' } })).body.id };
  const data = { name: 'Flows', ...place, repo: 'server-template', port: 3000, packageType: 'container' };
  const server = await serverOf();
  const inserted = await ada.post('service/insert', { data: { ...data, server, withDb: false }, product });
  const serviceId = String(inserted.body.id);
  const list = async () =>
    (
      await ada.get<{ workflows: { id: number; name: string; lastRun?: object }[] }>(
        `service/workflows/${serviceId}/list`,
      )
    ).body.workflows;
  const [ci] = await list();
  expect(ci).toMatchObject({ name: 'CI', repo: 'server-template' });
  expect(ci).not.toHaveProperty('lastRun');
  const trigger = (more: object = {}) =>
    post('service/workflows/trigger', { serviceId, workflowId: ci?.id, ...more });
  expect((await trigger()).body).toEqual({ ref: 'master' });
  expect((await list())[0]?.lastRun).toMatchObject({ status: 'queued', conclusion: null, ref: 'master' });
  expect(await trigger({ ref: 'main' })).toMatchObject({
    status: 502,
    body: { msg: expect.stringContaining('No ref found for: main') },
  });
  expect((await post('service/workflows/trigger', { serviceId, workflowId: 1 })).status).toBe(404);
  const stranger = await ground.world.backend.signIn({ workspace: 'elsewhere', email: 'eve@example.org' });
  expect(await stranger.get(`service/workflows/${serviceId}/list`)).toMatchObject({
    status: 404,
    body: { msg: 'service could not be found' },
  });
  expect(github.repository('acme', 'server-template')?.runs).toHaveLength(1);
});

const serverOf = async (): Promise<{ id: string }> => {
  const { fieldsOf, idleKey, nowhere } = await import('../backend/world');
  const fields = { ...fieldsOf('flows-1', nowhere), privateKey: idleKey() };
  return { id: String((await ground.ada.post('server/insert', fields)).body.id) };
};

describe('problems at the source host', () => {
  const release = () => post('github/release/new', { organization: 'acme', repo: 'client-template' });

  test.each([
    [{ is: 'failing', status: 503 } as const, 502, /failed with status 503/],
    [{ is: 'failing', status: 429, headers: { 'retry-after': '90' } } as const, 429, /try again in 90 s/],
    [
      { is: 'failing', status: 403, headers: { 'x-ratelimit-remaining': '0' } } as const,
      ...([429, /takes no more calls/] as const),
    ],
  ])('%j is reported', async (mood, status, words) => {
    ground.github.feel(mood);
    expect(await release()).toMatchObject({ status, body: { msg: expect.stringMatching(words) } });
    ground.github.go();
  });

  test('an answer that is no JSON is reported', async () => {
    ground.github.feel({ is: 'saying', text: '<html>Sign in to the proxy</html>' });
    expect(await release()).toMatchObject({
      status: 502,
      body: { msg: expect.stringContaining('answered with status 200, but not with JSON') },
    });
    ground.github.go();
    ground.github.feel({ is: 'well' });
  });

  test.each(['a/..', 'a/.', 'https://github.com/a/..', 'a/...git'])('%s is no repository', async (url) => {
    expect(await ground.ada.get(`github/container/list?repoUrl=${encodeURIComponent(url)}`)).toMatchObject({
      status: 400,
      body: { data: { repoUrl: expect.stringContaining('the address of a repository is expected') } },
    });
  });

  test('a missing answer is reported', async () => {
    const { github, patience } = ground;
    const usual = patience.callMs;
    patience.callMs = 2000;
    github.feel({ is: 'waiting' });
    const answer = await release();
    patience.callMs = usual;
    github.go();
    const msg = expect.stringMatching(/did not answer within 2 seconds/);
    expect(answer).toMatchObject({ status: 502, body: { msg } });
  });

  test('a short pause that the host requests is waited for', async () => {
    const { github } = ground;
    const said = 'You have exceeded a secondary rate limit.';
    github.feel({ is: 'failing', status: 403, headers: { 'retry-after': '1' }, message: said }, /tags/, 1);
    expect((await release()).status).toBe(200);
  });

  test('a token that was revoked, lacks a scope or single sign-on, or was never given, is reported', async () => {
    const { github, world } = ground;
    github.organizations.set('bank', { members: ['ada'], sso: true });
    github.add('bank', 'vault', { 'README.md': '# Vault\n' }, { private: true });
    expect(
      (await post('github/repo/init', { organization: 'bank', repo: 'vault', name: 'V' })).body.msg,
    ).toMatch(/single sign-on: authorize your token for it at https:\/\/github.com\/orgs\/bank\/sso/);
    github.tokens.set(TOKEN, { login: 'ada', scopes: ['repo'] });
    expect(
      (await post('gh-action/publish-package', { org: 'acme', repo: 'client-template' })).body.msg,
    ).toMatch(/lacks the scope workflow/);
    expect((await ground.ada.get('github/container/list?repoUrl=acme/shop')).body.msg).toMatch(
      /lacks the scope read:packages/,
    );
    github.tokens.delete(TOKEN);
    expect((await release()).body.msg).toMatch(/does not accept your token/);
    github.tokens.set(TOKEN, { login: 'ada', scopes: SCOPES });
    const bo = await world.backend.signIn({ email: 'bo@example.org' });
    expect(await bo.post('github/release/new', place)).toMatchObject({
      status: 422,
      body: { msg: 'No GitHub token is stored: store one in your profile settings' },
    });
    expect((await post('github/release/new', { ...place, repo: 'unknown' })).body.msg).toMatch(
      /could not be found at the source host, or your token may not see it/,
    );
  });

  test('the token is in no event and no log line', async () => {
    const { backend } = ground.world;
    const { rows } = await backend.db.query<{ text: string }>(
      `select coalesce(string_agg(e::text, ''), '') as text from log.events e`,
    );
    expect(rows[0]?.text).toContain('RepositoryCreated');
    expect(rows[0]?.text).not.toContain(TOKEN);
    expect(backend.logs.join('\n')).not.toContain(TOKEN);
  });
});

/** covers: API-01, API-02, API-03, API-04 */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { answerWith } from '../../testing/network';
import { press } from '../../testing/presses';
import { renderPage, sessionOf } from '../../testing/render';
import { ApiInstances } from '.';
import { SERVING } from './serving';

const [INSTANCE, ENDPOINT, PRODUCT] = ['a1', 'a2', 'a3'].map(
  (end) => `01930000-0000-7000-8000-0000000000${end}`,
);
const record = {
  workspace: 'main',
  addedAt: '2026-11-20T10:00:00.000Z',
  addedBy: 'x',
  changedAt: '2026-11-20T10:00:00.000Z',
  changedBy: 'x',
  revision: 0,
  position: '7',
};
const instance = {
  ...record,
  id: INSTANCE,
  uuid: INSTANCE,
  product: PRODUCT,
  name: 'shop',
  title: 'Shop API',
  env: 1,
  description: '',
  firstName: 'Grace',
  lastName: 'Hopper',
  email: 'grace@example.org',
  github: 'grace',
  multiTenant: false,
  servers: [],
  token: { ref: 'x' },
  oAuthParams: [],
};
const endpoint = {
  ...record,
  id: ENDPOINT,
  uuid: ENDPOINT,
  apiInstance: INSTANCE,
  method: 'GET',
  path: '/books',
  permissions: ['admin'],
  statusOut: 200,
  tag: '',
  bodyShape: null,
  routeChainMap: null,
  blocks: [{ type: 'list', entity: 'Book' }],
};
const model = {
  dialect: 'postgresql',
  entities: [
    {
      id: 'b',
      name: 'Book',
      isUuid: false,
      attributes: [{ id: 't', name: 'Title', type: 'String', optional: false }],
    },
  ],
  optionSets: [],
};
const missing = { status: 404, body: { msg: 'could not be found' } };

const trafficOf = (samples: number) => ({
  since: '2026-11-20T10:00:00.000Z',
  endpoints: [{ endpoint: ENDPOINT, requests: 9, refused: 0, failed: 0, p50: 4, p99: 90, samples }],
  requests: [],
});

const open = (at: string, more: object = {}) => {
  const network = answerWith({
    'GET /api/session': { body: sessionOf('admin') },
    'POST /api/person/list': { body: [] },
    'POST /api/person/names': { body: [] },
    'POST /api/history/list': { body: { events: [] } },
    'POST /api/product/backend/list': { body: [] },
    'POST /api/product/backend/model': { body: model },
    'POST /api/product/backend/instance/detail': { body: instance },
    'POST /api/product/backend/endpoint/list': { body: [endpoint] },
    'POST /api/product/backend/endpoint/detail': { body: endpoint },
    'POST /api/product/backend/refresh': { body: { endpoints: 1, problems: [] } },
    'POST /api/data-model/entity/list': { body: [] },
    'POST /api/product/backend/traffic': { body: trafficOf(0) },
    ...more,
  } as never);
  renderPage(<ApiInstances base="/api" product={PRODUCT ?? ''} />, { at, session: sessionOf('admin') });
  return network;
};

test.each<[string, string, object]>([
  ['/detail', 'uuid param undefined', {}],
  [`/${INSTANCE}/detail`, 'uuid not found', { 'POST /api/product/backend/instance/detail': missing }],
  [`/${INSTANCE}/add`, 'uuid not found', { 'POST /api/product/backend/instance/detail': missing }],
  [
    `/${INSTANCE}/${ENDPOINT}/detail`,
    'endpoint not found',
    { 'POST /api/product/backend/endpoint/detail': missing },
  ],
])('%s says "%s"', async (at, says, answers) => {
  open(at, answers);
  expect(await screen.findByRole('heading', { name: says })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Back to the instances' })).toBeVisible();
});

test('an instance of another product is not found', async () => {
  open(`/${INSTANCE}/detail`, {
    'POST /api/product/backend/instance/detail': { body: { ...instance, product: 'another' } },
  });
  expect(await screen.findByRole('heading', { name: 'uuid not found' })).toBeVisible();
});

test('who is let in is said before anybody looks for a way to sign in', async () => {
  open('/');
  expect(await screen.findByText(SERVING)).toBeVisible();
});

test('an instance without servers says so', async () => {
  open(`/${INSTANCE}/detail/servers`);
  expect(await screen.findByText('No extra servers')).toBeVisible();
});

test('those who call it and those who serve it elsewhere find their files', async () => {
  open(`/${INSTANCE}/detail`);
  for (const name of ['OpenAPI document', 'TypeScript client', 'Folder with the server'])
    expect(await screen.findByRole('button', { name })).toBeEnabled();
});

test('traffic shows the counts of each endpoint, and says that there were no requests', async () => {
  const since = '2026-11-20T10:00:00.000Z';
  const counts = { requests: 1200, refused: 3, failed: 1, p50: 4, p99: 90, samples: 2 };
  open(`/${INSTANCE}/detail/traffic`, {
    'POST /api/product/backend/traffic': {
      body: {
        since,
        endpoints: [
          { endpoint: ENDPOINT, ...counts },
          { endpoint: '', ...counts, requests: 7 },
        ],
        requests: [],
      },
    },
  });
  expect(await screen.findByRole('row', { name: 'GET /books 1,200 3 1 4.0 ms 90 ms' })).toBeVisible();
  // Users signing in are among them.
  expect(screen.getByRole('row', { name: /^\/auth, and paths without an endpoint 7 / })).toBeVisible();
  expect(screen.getByText(/^Counted since .*: the last seven days at most\./)).toBeVisible();
});

test('an instance that nobody has asked says so', async () => {
  open(`/${INSTANCE}/detail/traffic`, {
    'POST /api/product/backend/traffic': {
      body: { endpoints: [], requests: [] },
    },
  });
  expect(await screen.findByText('No requests yet')).toBeVisible();
});

test('a request that may change rows is sent after a question, as somebody with the permission', async () => {
  const writing = {
    ...endpoint,
    method: 'PUT',
    path: '/books/:id',
    bodyShape: { title: { type: 'String' } },
    blocks: [{ type: 'update', entity: 'Book', filters: { id: { $: 'params.id' } }, data: {} }],
  };
  const network = open(`/${INSTANCE}/${ENDPOINT}/detail`, {
    'POST /api/product/backend/endpoint/detail': { body: writing },
    'POST /api/product/backend/try': {
      body: { status: 200, headers: { 'x-definition': '9' }, body: '{"changed":1}', isCut: false, ms: 12 },
    },
  });
  await press(() => screen.getByRole('tab', { name: 'Try it' }));
  expect(screen.getByLabelText('Act as')).toHaveValue('admin');
  expect(screen.getByLabelText('Body')).toHaveValue('{\n  "title": ""\n}');
  fireEvent.change(screen.getByLabelText(/^id/), { target: { value: '7' } });
  await press(() => screen.getByRole('button', { name: 'Send request' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Send PUT /books/:id?' }));
  await press(() => dialog.getByRole('button', { name: 'Send request' }));
  expect(await screen.findByRole('heading', { name: 'Answer: 200 in 12 ms' })).toBeVisible();
  expect(screen.getByText('x-definition: 9')).toBeVisible();
  expect(network.calls.find(({ path }) => path === '/api/product/backend/try')?.body).toMatchObject({
    as: 'admin',
    params: { id: '7' },
    query: {},
    body: { title: '' },
  });
});

test('a request is answered by the definition of an instant, without a question', async () => {
  const writing = { ...endpoint, blocks: [{ type: 'snippet', ts: 'return 1;' }] };
  const network = open(`/${INSTANCE}/${ENDPOINT}/detail`, {
    'POST /api/product/backend/endpoint/detail': { body: writing },
    'POST /api/product/backend/try': {
      body: { status: 200, headers: { 'x-definition': '7' }, body: '[]', isCut: false, ms: 12 },
    },
  });
  await press(() => screen.getByRole('tab', { name: 'Try it' }));
  fireEvent.change(screen.getByLabelText('As it was at'), { target: { value: '2026-11-20T12:00:00' } });
  expect(screen.getByText('It answers with the rows of today, and only if it reads.')).toBeVisible();
  await press(() => screen.getByRole('button', { name: 'Send request' }));
  expect(await screen.findByText('x-definition: 7')).toBeVisible();
  expect(network.calls.find(({ path }) => path === '/api/product/backend/try')?.body).toMatchObject({
    at: new Date('2026-11-20T12:00:00').toISOString(),
  });
});

test('endpoints are checked again, which is said with the word of the specification', async () => {
  open(`/${INSTANCE}/detail/endpoints`);
  await screen.findByRole('link', { name: '/books' });
  await press(() => screen.getByRole('button', { name: 'Refresh' }));
  expect(await screen.findByText('refreshed')).toBeVisible();
});

test('before an instance is deleted, the question is that of the specification', async () => {
  open(`/${INSTANCE}/detail`);
  await press(() => screen.getByRole('button', { name: 'Actions' }));
  await press(() => screen.getByRole('menuitem', { name: 'Delete API instance' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete shop?' }));
  expect(
    dialog.getByText(
      /^Are you sure you would like to delete the user management\. This will delete all associated users irreversibly!/,
    ),
  ).toBeVisible();
});

const deletion = async () => {
  await press(() => screen.getByRole('button', { name: 'Actions' }));
  await press(() => screen.getByRole('menuitem', { name: 'Delete API instance' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete shop?' }));
  fireEvent.change(dialog.getByRole('textbox'), { target: { value: 'shop' } });
  await press(() => dialog.getByRole('button', { name: 'Delete API instance' }));
};
const REMOVAL = '/api/product/backend/delete';

test('an instance is deleted with its users', async () => {
  const network = open(`/${INSTANCE}/detail`, {
    [`POST ${REMOVAL}`]: { body: { id: INSTANCE, uuid: INSTANCE } },
  });
  await deletion();
  expect(await screen.findByText('shop was deleted.')).toBeVisible();
  expect(network.calls.filter(({ path }) => path === REMOVAL).map(({ body }) => body)).toEqual([
    { productId: PRODUCT, instance: { uuid: INSTANCE }, name: 'shop' },
  ]);
});

test('while the database of its users is away, an instance is deleted only if their rows may stay there', async () => {
  const away = 'the database of this API cannot be reached: Nothing listens at db port 1.';
  const network = open(`/${INSTANCE}/detail`, { [`POST ${REMOVAL}`]: { status: 502, body: { msg: away } } });
  const question = async () =>
    within(await screen.findByRole('dialog', { name: 'Delete shop without its users?' }));
  await deletion();
  expect((await question()).getByText(new RegExp(`^Nothing was deleted: ${away}`))).toBeVisible();
  await press(() => screen.getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByText('shop could not be deleted')).toBeVisible();
  await deletion();
  const dialog = await question();
  await press(() => dialog.getByRole('button', { name: 'Leave the users there' }));
  await waitFor(() =>
    expect(network.calls.findLast(({ path }) => path === REMOVAL)?.body).toMatchObject({ leaveUsers: true }),
  );
});

describe('users', () => {
  const USERS = '/api/product/backend/user/list';
  const ada = {
    id: '01930000-0000-7000-8000-0000000000b1',
    email: 'ada@example.org',
    permission: 'app',
    tenant: null,
    addedAt: '2026-11-20T10:00:00.000Z',
    signedInAt: null,
    lockedAt: null,
    sessions: 0,
  };
  const bob = { ...ada, id: '01930000-0000-7000-8000-0000000000b2', email: 'bob@example.org', sessions: 2 };
  const openUsers = (users: object, more: object = {}, search = '') =>
    open(`/${INSTANCE}/detail/users${search}`, { [`POST ${USERS}`]: users, ...more });
  const actionOf = async (email: string, label: string) => {
    await press(() => screen.getByRole('button', { name: `Actions for ${email}` }));
    await press(() => screen.getByRole('menuitem', { name: label }));
  };

  test('are searched in the database, and shown with their state', async () => {
    const network = openUsers(
      { body: { users: [ada, { ...bob, lockedAt: '2026-11-21T10:00:00.000Z' }] } },
      {},
      '?q=example',
    );
    const row = (name: string) => within(screen.getByRole('row', { name: new RegExp(`^${name}`) }));
    expect(await screen.findByRole('table', { name: 'Users' })).toBeVisible();
    expect(row('ada').getByText('active')).toBeVisible();
    expect(row('ada').getByText('never')).toBeVisible();
    expect(row('bob').getByText('locked')).toBeVisible();
    expect(screen.queryByRole('columnheader', { name: 'Tenant' })).toBeNull();
    expect(network.calls.find(({ path }) => path === USERS)?.body).toEqual({
      instance: { uuid: INSTANCE },
      search: 'example',
    });
  });

  test('appear here after they sign up', async () => {
    openUsers({ body: { users: [] } });
    expect(await screen.findByRole('heading', { name: 'No users yet' })).toBeVisible();
  });

  test('cannot be shown while their database is away, which is said in words', async () => {
    const msg = 'the database of this API cannot be reached: Nothing listens at db port 1.';
    openUsers({ status: 502, body: { msg } });
    expect(await screen.findByText('Users could not be loaded')).toBeVisible();
    expect(screen.getByText(msg)).toBeVisible();
  });

  test.each([
    ['Lock…', bob, 'Lock bob@example.org?', 'Lock user', 'lock', { isLocked: true }],
    [
      'Sign out everywhere…',
      bob,
      'Sign bob@example.org out everywhere?',
      'Sign out everywhere',
      'sign-out',
      {},
    ],
    [
      'Give the permission admin…',
      bob,
      'Give bob@example.org the permission admin?',
      'Give admin',
      'permission',
      { permission: 'admin' },
    ],
    ['Delete…', bob, 'Delete bob@example.org?', 'Delete user', 'delete', {}],
    ['Unlock', { ...bob, lockedAt: '2026-11-21T10:00:00.000Z' }, '', '', 'lock', { isLocked: false }],
  ])('%s changes the user, and the users are read again', async (label, user, title, confirm, call, more) => {
    const network = openUsers(
      { body: { users: [ada, user] } },
      { [`POST /api/product/backend/user/${call}`]: { body: { id: user.id, uuid: user.id } } },
    );
    await screen.findByRole('table', { name: 'Users' });
    const asked = () => network.calls.filter(({ path }) => path === USERS).length;
    const before = asked();
    await actionOf(user.email, label);
    if (title !== '') {
      const dialog = within(await screen.findByRole('dialog', { name: title }));
      const typed = dialog.queryByRole('textbox');
      if (typed) fireEvent.change(typed, { target: { value: user.email } });
      await press(() => dialog.getByRole('button', { name: confirm }));
    }
    await waitFor(() => expect(asked()).toBeGreaterThan(before));
    expect(network.calls.find(({ path }) => path === `/api/product/backend/user/${call}`)?.body).toEqual({
      instance: { uuid: INSTANCE },
      user: { uuid: user.id },
      ...more,
    });
  });

  test('that a change was refused is said above the table', async () => {
    openUsers(
      { body: { users: [bob] } },
      {
        'POST /api/product/backend/user/sign-out': { status: 404, body: { msg: 'user could not be found' } },
      },
    );
    await screen.findByRole('table', { name: 'Users' });
    await actionOf(bob.email, 'Sign out everywhere…');
    const dialog = within(
      await screen.findByRole('dialog', { name: 'Sign bob@example.org out everywhere?' }),
    );
    await press(() => dialog.getByRole('button', { name: 'Sign out everywhere' }));
    expect(await screen.findByText('bob@example.org was not signed out')).toBeVisible();
  });
});

test('before an endpoint is deleted, the question is that of the specification', async () => {
  open(`/${INSTANCE}/${ENDPOINT}/detail`);
  await press(() => screen.getByRole('button', { name: 'Actions' }));
  await press(() => screen.getByRole('menuitem', { name: 'Delete endpoint' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete /books?' }));
  expect(dialog.getByText(/^Are you sure you want to delete the endpoint\?/)).toBeVisible();
});

test('a new block is an empty CRUD block, and is deleted after the question of the specification', async () => {
  open(`/${INSTANCE}/add`);
  await press(() => screen.getByRole('button', { name: 'Add block' }));
  const block = () => within(screen.getByRole('region', { name: 'Block 1' }));
  expect(block().getByLabelText('Type')).toHaveValue('list');
  expect(block().getByLabelText('Entity')).toHaveValue('');
  expect(block().getByLabelText('Filters')).toHaveValue('');
  await press(() => block().getByRole('button', { name: 'Delete block' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete block 1?' }));
  expect(dialog.getByText('Are you sure you would like to delete this block?')).toBeVisible();
  await press(() => dialog.getByRole('button', { name: 'Delete block' }));
  expect(await screen.findByText(/^What the endpoint does/)).toBeVisible();
});

test('an endpoint that nobody has changed is saved as it is', async () => {
  const { calls } = open(`/${INSTANCE}/${ENDPOINT}/detail`, {
    'POST /api/product/backend/endpoint/update': { body: { id: ENDPOINT, uuid: ENDPOINT } },
  });
  await screen.findByText(/"entity": "Book"/);
  await press(() => screen.getByRole('button', { name: 'Save endpoint' }));
  await screen.findByText('GET /books was saved.');
  const { method, path, permissions, statusOut, tag, bodyShape, routeChainMap, blocks } = endpoint;
  expect(calls.find((call) => call.path.endsWith('/endpoint/update'))?.body).toEqual({
    id: ENDPOINT,
    revision: 0,
    data: { method, path, permissions, statusOut, tag, bodyShape, routeChainMap, blocks },
  });
});

test('the text areas have the rows of the specification', async () => {
  open(`/${INSTANCE}/add`);
  await press(() => screen.getByRole('button', { name: 'Add block' }));
  for (const name of ['Filters', 'Projection', 'References', 'Order', 'Body shape'])
    expect(screen.getByLabelText(name)).toHaveAttribute('rows', '10');
  expect(screen.getByLabelText('Route chain map')).toHaveAttribute('rows', '6');
  expect(screen.getByLabelText('Block mapping')).toHaveAttribute('rows', '6');
});

test('what callers will notice is shown before the change is saved', async () => {
  open(`/${INSTANCE}/${ENDPOINT}/detail`);
  await screen.findByText(/"entity": "Book"/);
  expect(screen.queryByRole('heading', { name: 'What callers will notice' })).toBeNull();
  fireEvent.change(screen.getByLabelText('Status of the answer'), { target: { value: '203' } });
  expect(await screen.findByRole('heading', { name: 'What callers will notice' })).toBeVisible();
  expect(screen.getByRole('row', { name: 'GET /books it answers 203 instead of 200 break' })).toBeVisible();
});

const replayedWith = async (replay: object) => {
  const network = open(`/${INSTANCE}/${ENDPOINT}/detail`, {
    'POST /api/product/backend/traffic': { body: trafficOf(2) },
    'POST /api/product/backend/endpoint/replay': { body: replay },
  });
  await screen.findByText(/"entity": "Book"/);
  expect(screen.queryByRole('heading', { name: 'Replay' })).toBeNull();
  fireEvent.change(screen.getByLabelText('Status of the answer'), { target: { value: '203' } });
  await press(() => screen.getByRole('button', { name: 'Replay 2 sampled requests' }));
  return network;
};
const replayed = {
  request: 'GET /books?q=…',
  as: 'app',
  before: { status: 200, ms: 3 },
  after: { status: 203, ms: 20 },
  shape: [{ path: '[].title', before: 'string', after: 'absent' }],
  value: { path: '[0].id', before: '"1"', after: '"2"' },
};

test('sampled requests are replayed against what is typed, and the differences are a table', async () => {
  const network = await replayedWith({
    verdict: 'differs',
    message: '1 of 2 requests is answered differently.',
    requests: [replayed, { ...replayed, shape: [], value: undefined, unproven: 'both answers are empty' }],
  });
  expect(await screen.findByRole('status')).toHaveTextContent(
    'Differences 1 of 2 requests is answered differently.',
  );
  const [first] = screen.getAllByRole('row', { name: /^GET \/books\?q=…/ });
  expect(within(first as HTMLElement).getByRole('cell', { name: '200 → 203' })).toBeVisible();
  expect(within(first as HTMLElement).getByRole('cell', { name: '3.0 ms → 20 ms' })).toBeVisible();
  expect(within(first as HTMLElement).getByText('[].title: string → absent')).toBeVisible();
  expect(within(first as HTMLElement).getByText('value of [0].id: "1" → "2"')).toBeVisible();
  expect(screen.getByText('Proves nothing: both answers are empty.')).toBeVisible();
  expect(network.calls.find(({ path }) => path.endsWith('/replay'))?.body).toMatchObject({
    instance: { uuid: INSTANCE },
    endpoint: { uuid: ENDPOINT },
    data: { statusOut: 203, path: '/books' },
  });
  // It says nothing about what is typed since.
  fireEvent.change(screen.getByLabelText('Status of the answer'), { target: { value: '204' } });
  expect(screen.queryByRole('table', { name: 'Replayed requests' })).toBeNull();
});

test.each([
  ['same', 'good', 'No differences'],
  ['partly', 'info', 'Not all compared'],
  ['unproven', 'quiet', 'Nothing proved'],
])('a replay whose verdict is "%s" is shown in the tone %s', async (verdict, tone, label) => {
  await replayedWith({ verdict, message: 'Said by the server.', requests: [] });
  const badge = (await screen.findByText(label)).closest('[data-tone]');
  expect(badge).toHaveAttribute('data-tone', tone);
});

test('without sampled requests, the form says why and what to do', async () => {
  open(`/${INSTANCE}/${ENDPOINT}/detail`);
  await screen.findByText(/"entity": "Book"/);
  fireEvent.change(screen.getByLabelText('Status of the answer'), { target: { value: '203' } });
  expect(
    await screen.findByText(/^Nothing to replay: .* in the tab Try it, or wait for callers\.$/),
  ).toBeVisible();
});

test('an endpoint that writes is not replayed, and the form says so', async () => {
  open(`/${INSTANCE}/${ENDPOINT}/detail`, {
    'POST /api/product/backend/endpoint/detail': {
      body: {
        ...endpoint,
        method: 'POST',
        blocks: [{ type: 'insert', entity: 'Book', data: { title: 'x' } }],
      },
    },
  });
  await screen.findByText(/"entity": "Book"/);
  fireEvent.change(screen.getByLabelText('Status of the answer'), { target: { value: '203' } });
  expect(
    await screen.findByText('Only endpoints that read, with the method GET, can be replayed.'),
  ).toBeVisible();
});

test('the changes between two instants are shown on the page of the instance', async () => {
  const network = open(`/${INSTANCE}/detail/changes?from=2026-11-20T10:00:00.000Z`, {
    'POST /api/product/backend/changes': {
      body: {
        from: { position: '7', at: '2026-11-20T10:00:00.000Z' },
        to: { position: '9', at: '2026-11-21T10:00:00.000Z' },
        changes: [{ isBreaking: true, endpoint: 'GET /books', message: 'it is removed' }],
        more: 0,
      },
    },
  });
  expect(await screen.findByRole('row', { name: 'GET /books it is removed break' })).toBeVisible();
  expect(network.calls.find(({ path }) => path === '/api/product/backend/changes')?.body).toEqual({
    instance: { uuid: INSTANCE },
    from: '2026-11-20T10:00:00.000Z',
  });
});

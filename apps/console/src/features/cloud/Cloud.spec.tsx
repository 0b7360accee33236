// covers: CLOUD-01, CLOUD-02, CLOUD-03, CLOUD-04
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { routes } from '../../app/router';
import { answerWith, type Call } from '../../testing/network';
import { onNarrowScreen } from '../../testing/narrow-screen';
import { press } from '../../testing/presses';
import { renderRoutes, sessionOf } from '../../testing/render';

const at = '2026-11-20T12:00:00.000Z';
const by = sessionOf().profile.id;
const RUN = '01930000-0000-7000-8000-000000000e09';
const PRODUCT = '01930000-0000-7000-8000-000000000e11';
const DATABASE = '01930000-0000-7000-8000-000000000e12';
const FOREIGN = '01930000-0000-7000-8000-000000000e13';
const SERVER = '01930000-0000-7000-8000-000000000e10';
const recorded = { workspace: 'main', revision: 1, position: '4' };
const account = {
  id: '01930000-0000-7000-8000-000000000e01',
  cloud: 'digitalocean',
  by: 'oauth',
  fingerprint: 'SHA256:abc',
  scopes: ['read', 'write'],
  expiresAt: '2026-12-20T12:00:00.000Z',
  team: 'Example team',
  connectedAt: at,
  connectedBy: by,
  ...recorded,
};
const page = { canSignIn: true, tokenPage: 'https://cloud.example.test/account/api/tokens' };
const connected = {
  ...page,
  exists: true,
  account,
  seenAt: at,
  limits: { limit: 5000, remaining: 4990, resetAt: at },
};
const network = (...addresses: string[]) => ({
  v4: addresses.map((ip_address) => ({ ip_address, type: 'public' })),
});
const droplet = (id: string, name: string, more: object) => ({
  id,
  uuid: id,
  cloud: 'digitalocean',
  droplet: 7,
  name,
  status: 'active',
  networks: network(),
  size: 's-1vcpu-1gb',
  region: 'fra1',
  image: 'debian-12-x64',
  backups: false,
  priceMonthly: 6,
  priceHourly: 0.009,
  tags: [],
  createdAt: at,
  uses: [],
  ...recorded,
  ...more,
});
const hostKey = { fingerprint: 'SHA256:key', algorithm: 'ssh-ed25519' };
const droplets = [
  droplet('d1', 'web-1', { hostKey, networks: network('10.0.0.9', '203.0.113.7') }),
  droplet('d2', 'web-2', { status: 'new' }),
  droplet('d3', 'web-3', { server: { id: SERVER, alias: 'web-3' }, networks: network('203.0.113.9') }),
  droplet('d4', 'web-4', {}),
  droplet(FOREIGN, 'foreign', { networks: network('203.0.113.10') }),
];
const database = (id: string, name: string, more: object) => ({
  id,
  uuid: id,
  cloud: 'digitalocean',
  cluster: id,
  engine: 'pg',
  name,
  status: 'online',
  version: '17',
  size: 'db-s-1vcpu-1gb',
  region: 'fra1',
  tags: [],
  created_at: at,
  ...recorded,
  ...more,
});
const connection = {
  host: 'shop.db.example.test',
  database: 'defaultdb',
  user: 'doadmin',
  password: '*******',
  port: 25_060,
};
const databases = [
  database(DATABASE, 'shop-db', { db_names: ['defaultdb'], connection }),
  database('c2', 'new-db', { status: 'creating' }),
  database('c3', 'cache', { engine: 'redis', db_names: ['0'], connection }),
];
const zone = 'example.org. 1800 IN SOA ns1\nshop.example.org. 1800 IN A 203.0.113.7\n';
const domains = [
  {
    name: 'example.org',
    ttl: 1800,
    zone_file: zone,
    url: 'https://cloud.example.test/networking/domains/example.org',
    records: [{ host: 'shop.example.org', ttl: 1800, ip: '203.0.113.7' }],
  },
];
const run = {
  id: RUN,
  uuid: RUN,
  workspace: 'main',
  kind: 'deleteDroplet',
  label: 'Delete droplet',
  subject: { kind: 'droplet', id: 'd1', name: 'web-1' },
  subjectId: 'd1',
  serverId: '',
  input: {},
  state: 'succeeded',
  requestedBy: by,
  requestedAt: at,
  requestedPosition: '9',
  correlationId: RUN,
  parent: '',
  endedAt: at,
  steps: [],
  revision: 3,
  position: '12',
};
const shop = { id: PRODUCT, name: 'Shop', description: '' };

type Handlers = Parameters<typeof answerWith>[0];
const open = (handlers: Handlers = {}, address = '/app/do') => {
  const session = sessionOf('admin');
  const answers = answerWith({
    'GET /api/session': { body: session },
    'POST /api/person/list': { body: [] },
    'POST /api/run/list': { body: { runs: [] } },
    'POST /api/run/detail': { body: run },
    'POST /api/product/page': { body: { rows: [shop], found: 1, total: 1, options: {} } },
    'POST /api/product/detail': { body: shop },
    'GET /api/digitalocean/token/exists': { body: connected },
    'GET /api/digitalocean/droplet/list': { body: droplets },
    'GET /api/digitalocean/databases/list': { body: databases },
    'GET /api/digitalocean/domain/list': { body: domains },
    'POST /api/digitalocean/orphans': { body: { droplets: [], servers: [], keys: [], databases: [] } },
    'POST /api/digitalocean/costs': { body: { month: '2026-11', total: 0, products: [] } },
    ...handlers,
  });
  return { ...answers, ...renderRoutes(routes, { at: address, session }) };
};
const bodiesOf = (calls: readonly Call[], path: string): unknown[] =>
  calls.filter((call) => call.path === path).map(({ body }) => body);
const tableOf = (name: string) => screen.findByRole('table', { name });
const rowIn = (table: string, name: string): HTMLElement => {
  const row = within(screen.getByRole('table', { name: table }))
    .getByText(name)
    .closest('tr');
  if (!row) throw new Error(`${name} is in no row`);
  return row;
};
const rowOf = (table: string, name: string) => waitFor(() => rowIn(table, name));
const headersOf = (table: HTMLElement): (string | null)[] =>
  within(table)
    .getAllByRole('columnheader')
    .map(({ textContent }) => textContent);
const confirm = async (name: string, button: string): Promise<void> => {
  const dialog = await screen.findByRole('dialog');
  await userEvent.type(await within(dialog).findByRole('textbox'), name);
  await press(() => within(dialog).getByRole('button', { name: button }));
};

test('without a token there are a login prompt with its button, and a form for a personal token', async () => {
  const { calls } = open({
    'GET /api/digitalocean/token/exists': { body: { ...page, exists: false } },
    'POST /api/digitalocean/token/update': {
      status: 400,
      body: { msg: 'not accepted', data: { token: 'DigitalOcean does not accept this token' } },
    },
  });
  expect(await screen.findByRole('heading', { name: 'Log in to DigitalOcean' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Login with DigitalOcean' })).toBeEnabled();
  expect(screen.queryByRole('heading', { name: 'Droplets' })).toBeNull();
  await userEvent.type(
    screen.getByLabelText('Personal token', { selector: 'input, textarea' }),
    'dop_v1_wrong',
  );
  await press(() => screen.getByRole('button', { name: 'Use this token' }));
  expect(await screen.findByText('DigitalOcean does not accept this token')).toBeVisible();
  expect(bodiesOf(calls, '/api/digitalocean/token/update')).toEqual([{ token: 'dop_v1_wrong' }]);
});

test('where signing in is not set up, only the form is offered', async () => {
  open({ 'GET /api/digitalocean/token/exists': { body: { ...page, canSignIn: false, exists: false } } });
  expect(await screen.findByRole('button', { name: 'Use this token' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Login with DigitalOcean' })).toBeNull();
});

test('the answer of the provider is sent once, and its address does not stay', async () => {
  const { calls, router } = open(
    { 'POST /api/digitalocean/redirect': { body: { id: account.id, uuid: account.id } } },
    '/app/do?code=abc&state=once',
  );
  expect(await tableOf('Cloud droplets')).toBeVisible();
  expect(router.state.location).toMatchObject({ pathname: '/app/do', search: '' });
  expect(bodiesOf(calls, '/api/digitalocean/redirect')).toEqual([{ state: 'once', code: 'abc' }]);
});

test('a refused answer of the provider says why, and leads back', async () => {
  open(
    { 'POST /api/digitalocean/redirect': { status: 422, body: { msg: 'access was denied there' } } },
    '/app/do?error=access_denied&state=denied',
  );
  expect(await screen.findByText('access was denied there')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Back to cloud hosting' })).toHaveAttribute('href', '/app/do');
});

test('the account shows its scopes, its expiry and the limit; a token that is refused can be replaced', async () => {
  const { unmount } = open();
  expect(await screen.findByText('read, write')).toBeVisible();
  expect(screen.getByText('Example team')).toBeVisible();
  expect(screen.getByText('4,990 of 5,000 calls left this hour')).toBeVisible();
  unmount();
  open({
    'GET /api/digitalocean/token/exists': {
      body: { ...connected, account: { ...account, refused: 'Unable to authenticate you' } },
    },
  });
  expect(await screen.findByText('DigitalOcean no longer accepts the token')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Login with DigitalOcean' })).toBeVisible();
  expect(await tableOf('Cloud droplets')).toBeVisible();
});

test.each([
  ['refuses connections', 'api.digitalocean.com refused the connection'],
  ['does not answer', 'api.digitalocean.com did not answer within 15 seconds'],
  ['has an outage', 'DigitalOcean answered with status 503: The service is currently unavailable.'],
])('a provider that %s is told in words, with what to do, until the lists are read', async (_, problem) => {
  const { on } = open({ 'GET /api/digitalocean/token/exists': { body: { ...connected, problem } } });
  const told = await screen.findByRole('alert');
  expect(told).toHaveTextContent(
    `The lists may be out of date${problem.replace(/\.$/, '')}. The lists below are as they were last read. They are read again automatically. Press Refresh to read them now.`,
  );
  expect(await rowOf('Cloud droplets', 'web-1')).toBeVisible();
  on('GET /api/digitalocean/token/exists', { body: connected });
  on('POST /api/digitalocean/refresh', { body: { seenAt: at } });
  await press(() => screen.getByRole('button', { name: 'Refresh' }));
  await waitFor(() => expect(screen.queryByRole('alert')).not.toBeInTheDocument());
});

test('costs keep the name of a product that was deleted, and a month to come has none', async () => {
  const web = { id: 'd1', name: 'web-1', amount: 6, gone: true };
  const products = [
    { product: PRODUCT, name: 'Shop', gone: false, amount: 6, droplets: [web] },
    { product: DATABASE, name: 'Library', gone: true, amount: 6, droplets: [web] },
    { gone: false, amount: 6, droplets: [web] },
  ];
  const { on } = open({
    'POST /api/digitalocean/costs': { body: { month: '2026-11', total: 18, products } },
  });
  const table = within(await tableOf('Costs by product'));
  expect(table.getByRole('link', { name: 'Shop' })).toHaveAttribute('href', expect.stringContaining(PRODUCT));
  expect(table.getByText('Library (deleted)')).toBeVisible();
  expect(table.getByText('no product')).toBeVisible();
  expect(table.getAllByRole('cell', { name: 'web-1 (gone) $6.00' })).toHaveLength(3);
  on('POST /api/digitalocean/costs', { body: { month: '2999-01', total: 0, products: [] } });
  fireEvent.change(screen.getByLabelText('Month'), { target: { value: '2999-01' } });
  expect(await screen.findByText('This month has not begun.')).toBeVisible();
  fireEvent.change(screen.getByLabelText('Month'), { target: { value: '0001-01' } });
  expect(await screen.findByText('No droplets cost anything in this month.')).toBeVisible();
  fireEvent.change(screen.getByLabelText('Month'), { target: { value: '' } });
  expect(screen.getByText('Choose a month to see its costs.')).toBeVisible();
});

test('databases have the columns and words of the specification', async () => {
  open();
  const table = await tableOf('Cloud databases');
  expect(headersOf(table).slice(0, 9)).toEqual([
    'Name',
    'Engine',
    'created_at',
    'db_names',
    'Host',
    'Database',
    'User',
    'Password',
    'Port',
  ]);
  const row = await rowOf('Cloud databases', 'shop-db');
  expect(within(row).getByRole('button', { name: /^Associate/ })).toHaveTextContent(/^associate$/);
  const cache = within(await rowOf('Cloud databases', 'cache'));
  expect(cache.queryByRole('button', { name: /^Associate/ })).toBeNull();
  expect(cache.getByText('Products use MySQL and PostgreSQL only')).toBeVisible();
  expect(within(row).getByRole('button', { name: /^Delete/ })).toHaveTextContent(/^Delete$/);
  expect(row).toHaveTextContent(/PostgreSQL 17.*defaultdb.*shop\.db\.example\.test.*doadmin.*\*{7}.*25060/s);
  const initializing = await rowOf('Cloud databases', 'new-db');
  expect(initializing).toHaveTextContent('initiazlizing');
  expect(within(initializing).queryByRole('button', { name: /^Associate/ })).toBeNull();
});

test('domains have the words of the specification, and A records are read from the zone file', async () => {
  open();
  const domain = within(await screen.findByRole('listitem', { name: 'example.org' }));
  expect(domain.getByText('TTL 1800')).toBeVisible();
  expect(domain.getByRole('link', { name: 'example.org at DigitalOcean' })).toHaveAttribute(
    'target',
    '_blank',
  );
  for (const part of ['zone file', 'A records']) {
    await press(() => domain.getByRole('button', { name: `Show ${part}` }));
    expect(domain.getByRole('button', { name: `Hide ${part}` })).toHaveAttribute('aria-expanded', 'true');
  }
  expect(domain.getByRole('region', { name: 'Zone file of example.org' })).toHaveTextContent('IN SOA ns1');
  const records = within(domain.getByRole('table', { name: 'A records of example.org' }));
  const [, row] = records.getAllByRole('row');
  expect(row).toHaveTextContent(/^shop\.example\.org1800INA203\.0\.113\.7$/);
  await press(() => domain.getByRole('button', { name: 'Hide A records' }));
  expect(domain.getByRole('button', { name: 'Show A records' })).toHaveAttribute('aria-expanded', 'false');
});

test('the password of a database is shown on demand', async () => {
  const { calls } = open({
    'POST /api/digitalocean/databases/password': { body: { user: 'doadmin', password: 'AVNS_1' } },
  });
  await press(() =>
    within(rowIn('Cloud databases', 'shop-db')).getByRole('button', { name: 'Show the password of shop-db' }),
  );
  expect(await screen.findByText('AVNS_1')).toBeVisible();
  expect(bodiesOf(calls, '/api/digitalocean/databases/password')).toEqual([{ id: DATABASE }]);
  await press(() =>
    within(rowIn('Cloud databases', 'shop-db')).getByRole('button', { name: 'Hide the password of shop-db' }),
  );
  expect(screen.queryByText('AVNS_1')).toBeNull();
});

describe('on a narrow screen', () => {
  onNarrowScreen();

  test('the card of a database has what is needed to connect, with the password on demand', async () => {
    open({ 'POST /api/digitalocean/databases/password': { body: { user: 'doadmin', password: 'AVNS_1' } } });
    const cards = await screen.findByRole('list', { name: 'Cloud databases' });
    const [card] = within(cards).getAllByRole('listitem');
    for (const words of ['shop-db', 'shop.db.example.test', 'defaultdb', 'doadmin', '25060'])
      expect(card).toHaveTextContent(words);
    await press(() => within(cards).getByRole('button', { name: 'Show the password of shop-db' }));
    expect(await within(cards).findByText('AVNS_1')).toBeVisible();
  });
});

test('a database is associated with a product, and one that is gone is told in the words of the specification', async () => {
  const { calls, on } = open({
    'POST /api/digitalocean/databases/associate': {
      status: 404,
      body: { msg: 'product could not be found' },
    },
  });
  await press(() =>
    within(rowIn('Cloud databases', 'shop-db')).getByRole('button', { name: 'Associate shop-db' }),
  );
  const dialog = await screen.findByRole('dialog', { name: 'Associate shop-db' });
  const choice = await within(dialog).findByRole('combobox', { name: 'What is the product id?' });
  await within(choice).findByRole('option', { name: 'Shop' });
  await userEvent.selectOptions(choice, 'Shop');
  await press(() => within(dialog).getByRole('button', { name: 'Associate' }));
  expect(await within(dialog).findByText('coult not find product')).toBeVisible();

  on('POST /api/digitalocean/databases/associate', { body: { id: 'b1', uuid: 'b1', runId: RUN } });
  await press(() => within(dialog).getByRole('button', { name: 'Associate' }));
  expect(await screen.findByRole('list', { name: 'Started' })).toBeVisible();
  const sent = bodiesOf(calls, '/api/digitalocean/databases/associate');
  expect(sent).toMatchObject([
    { id: DATABASE, product: { id: PRODUCT } },
    { id: DATABASE, product: { id: PRODUCT } },
  ]);
});

test('a database is deleted once its name is typed, and created with a name', async () => {
  const { calls } = open({
    'GET /api/digitalocean/databases/delete': { body: { runId: RUN } },
    'POST /api/digitalocean/databases/create': { body: { runId: RUN } },
  });
  await press(() =>
    within(rowIn('Cloud databases', 'shop-db')).getByRole('button', { name: 'Delete shop-db' }),
  );
  expect(await screen.findByRole('dialog')).toHaveTextContent(
    'Are you sure you would like to delete the database and its content?',
  );
  await confirm('shop-db', 'Delete database');
  expect(await screen.findByRole('list', { name: 'Started' })).toBeVisible();
  const deleted = calls.find(({ path }) => path.startsWith('/api/digitalocean/databases/delete'));
  expect(new URLSearchParams(deleted?.path.split('?')[1]).get('uuid')).toBe(DATABASE);
  expect(new URLSearchParams(deleted?.path.split('?')[1]).get('name')).toBe('shop-db');

  await press(() => screen.getByRole('button', { name: 'Add a new database' }));
  const form = await screen.findByRole('form', { name: 'Add a new database' });
  await userEvent.type(within(form).getByRole('textbox', { name: 'Name' }), 'orders-db');
  await press(() => within(form).getByRole('button', { name: 'Submit' }));
  await waitFor(() =>
    expect(bodiesOf(calls, '/api/digitalocean/databases/create')).toMatchObject([
      { name: 'orders-db', engine: 'mysql', runId: expect.any(String) },
    ]),
  );
});

test('droplets show their last address and their association in the words of the specification', async () => {
  open();
  expect(headersOf(await tableOf('Cloud droplets')).slice(0, 3)).toEqual(['Name', 'Status', 'IP']);
  expect(screen.getByRole('button', { name: 'Add a new droplet' })).toBeEnabled();
  const ready = await rowOf('Cloud droplets', 'web-1');
  expect(ready).toHaveTextContent('203.0.113.7');
  expect(ready).not.toHaveTextContent('10.0.0.9');
  expect(within(ready).getByRole('button', { name: /^Associate/ })).toBeVisible();
  // One is active before its address is there: nothing could reach it.
  for (const early of [await rowOf('Cloud droplets', 'web-2'), await rowOf('Cloud droplets', 'web-4')]) {
    expect(early).toHaveTextContent('IP not ready yet');
    expect(early).toHaveTextContent('Server still initializing');
    expect(within(early).queryByRole('button', { name: /^Associate/ })).not.toBeInTheDocument();
  }
  const associated = within(await rowOf('Cloud droplets', 'web-3')).getByRole('link', {
    name: 'already associated',
  });
  expect(associated).toHaveAttribute('href', `/app/server/${SERVER}/detail`);
});

test('a droplet of the console is associated at once, and leads to its server', async () => {
  const { calls, router } = open({
    'POST /api/digitalocean/droplet/associate': { body: { id: SERVER, uuid: SERVER } },
  });
  await press(() =>
    within(rowIn('Cloud droplets', 'web-1')).getByRole('button', { name: 'Associate web-1' }),
  );
  await waitFor(() => expect(router.state.location.pathname).toBe(`/app/server/${SERVER}/detail`));
  expect(bodiesOf(calls, '/api/digitalocean/droplet/associate')).toEqual([{ id: 'd1' }]);
});

test('a droplet that the console created is associated without a key, and with one if it has none', async () => {
  const list = { body: [droplet('d1', 'web-1', { run: RUN, networks: network('203.0.113.7') })] };
  const { on, router } = open({
    'GET /api/digitalocean/droplet/list': list,
    'POST /api/digitalocean/droplet/associate': {
      status: 400,
      body: { code: 'invalid', msg: 'no key', data: { privateKey: 'enter the one that opens it' } },
    },
  });
  const associate = () =>
    press(() => within(rowIn('Cloud droplets', 'web-1')).getByRole('button', { name: 'Associate web-1' }));
  await associate();
  const dialog = within(await screen.findByRole('dialog', { name: 'Associate web-1' }));
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  await press(() => dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  on('POST /api/digitalocean/droplet/associate', { body: { id: SERVER, uuid: SERVER } });
  await associate();
  await waitFor(() => expect(router.state.location.pathname).toBe(`/app/server/${SERVER}/detail`));
});

test('a droplet that the console has no key for is associated with one', async () => {
  const { calls, router } = open({
    'POST /api/digitalocean/droplet/associate': { body: { id: SERVER, uuid: SERVER } },
  });
  await press(() =>
    within(rowIn('Cloud droplets', 'foreign')).getByRole('button', { name: 'Associate foreign' }),
  );
  const dialog = await screen.findByRole('dialog', { name: 'Associate foreign' });
  await userEvent.type(await within(dialog).findByLabelText('Private key'), 'a key');
  await press(() => within(dialog).getByRole('button', { name: 'Associate' }));
  await waitFor(() => expect(router.state.location.pathname).toBe(`/app/server/${SERVER}/detail`));
  expect(bodiesOf(calls, '/api/digitalocean/droplet/associate')).toEqual([
    { id: FOREIGN, privateKey: 'a key' },
  ]);
});

/** An answer that is given when the test says so. */
const waiting = (body: object) => {
  let answer = (): void => undefined;
  const said = new Promise<{ body: object }>((resolve) => {
    answer = () => resolve({ body });
  });
  return { handler: () => said, answer };
};

test('what is being sent cannot be sent twice, and only its row waits', async () => {
  const [deleted, started] = [waiting({ runId: RUN }), waiting({ runId: PRODUCT })];
  const { calls } = open({
    'POST /api/digitalocean/droplet/delete': deleted.handler,
    'POST /api/digitalocean/droplet/act': started.handler,
  });
  const button = (name: string) => screen.getByRole('button', { name });
  await press(() => button('Delete web-1'));
  await confirm('web-1', 'Delete droplet');
  await waitFor(() => expect(button('Delete web-1')).toBeDisabled());
  expect(button('Actions of web-1')).toBeDisabled();
  expect(button('Delete web-3')).toBeEnabled();
  await press(() => button('Actions of web-3'));
  await press(() => screen.getByRole('menuitem', { name: 'Reboot' }));
  await press(() => within(screen.getByRole('dialog')).getByRole('button', { name: 'Reboot' }));
  await waitFor(() => expect(button('Actions of web-3')).toBeDisabled());
  deleted.answer();
  await waitFor(() => expect(button('Delete web-1')).toBeEnabled());
  expect(button('Delete web-3')).toBeDisabled();
  started.answer();
  await waitFor(() => expect(button('Actions of web-3')).toBeEnabled());
  expect(bodiesOf(calls, '/api/digitalocean/droplet/delete')).toHaveLength(1);
  expect(bodiesOf(calls, '/api/digitalocean/droplet/act')).toHaveLength(1);
});

test('the choice of an image waits for the provider, and says why there is none', async () => {
  const options = waiting({
    regions: [],
    sizes: [],
    images: [{ slug: 'debian-12-x64', name: '12 x64', distribution: 'Debian' }],
    defaults: {},
  });
  const { on } = open({
    'POST /api/digitalocean/droplet/options': {
      status: 502,
      body: { code: 'upstream', msg: 'DigitalOcean answered with status 503' },
    },
  });
  await press(() => screen.getByRole('button', { name: 'Actions of web-1' }));
  await press(() => screen.getByRole('menuitem', { name: 'Rebuild' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Rebuild web-1' }));
  expect(await dialog.findByText(/DigitalOcean answered with status 503/)).toBeVisible();
  expect(dialog.queryByRole('button', { name: 'Rebuild' })).not.toBeInTheDocument();
  on('POST /api/digitalocean/droplet/options', options.handler);
  await press(() => dialog.getByRole('button', { name: 'Try again' }));
  options.answer();
  expect(await dialog.findByRole('option', { name: /Debian 12/ })).toBeInTheDocument();
  expect(dialog.getByRole('button', { name: 'Rebuild' })).toBeEnabled();
});

/** covers: WIZ-01 */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { act } from 'react';
import type { CreationView } from '@quarterdeck/projections';
import { Route, Routes } from 'react-router';
import { CREATION, creationOf, doneSection, RUN, sectionOf } from '../../testing/creation';
import { answerWith } from '../../testing/network';
import { renderPage, sessionOf } from '../../testing/render';
import { serverOf } from '../../testing/server';
import { CreationPage, NewCreation } from './CreationPage';
import { initialOf } from './section-forms';

const PRODUCT = '01930000-0000-7000-8000-000000000a01';
const product = doneSection('product', {
  values: { name: 'Bookshop', structure: true, version: false },
  made: [{ kind: 'product', id: PRODUCT, name: 'Bookshop' }],
});
const none = { body: { rows: [], total: 0, found: 0, options: {} } };

const answers = (creation: CreationView): Parameters<typeof answerWith>[0] => ({
  'POST /api/workspace/detail': { body: { sourceHost: { organization: 'acme' }, containerFlow: {} } },
  'GET /api/digitalocean/token/exists': {
    body: { exists: false, canSignIn: false, tokenPage: 'https://cloud.example' },
  },
  'POST /api/creation/list': { body: [] },
  'POST /api/creation/detail': { body: creation },
  'POST /api/creation/start': { body: { id: CREATION, uuid: CREATION, runId: RUN } },
  'POST /api/creation/section/start': { body: { runId: RUN } },
  'POST /api/creation/section/retry': { body: { runId: RUN } },
  'POST /api/creation/section/undo': { body: { runId: RUN } },
  'POST /api/product/page': none,
  'POST /api/database/page': none,
  'POST /api/domain/page': none,
});

const openNew = (more: Parameters<typeof answerWith>[0] = {}) => {
  const network = answerWith({ ...answers(creationOf('product', [product])), ...more });
  renderPage(<NewCreation kind="product" />, {
    at: '/app/create',
    session: sessionOf('admin'),
    others: [{ path: '/app/create/:id', element: <CreationPage kind="product" /> }],
  });
  return network;
};

const open = (creation: CreationView, more: Parameters<typeof answerWith>[0] = {}) => {
  const network = answerWith({ ...answers(creation), ...more });
  const page = <Route path="/app/create/:id" element={<CreationPage kind="product" />} />;
  renderPage(<Routes>{page}</Routes>, { at: `/app/create/${CREATION}`, session: sessionOf('admin') });
  return network;
};

const region = (name: string) => screen.findByRole('region', { name });

test('a creation begins with its first section, and the next one follows once that is done', async () => {
  const { calls } = openNew();
  const first = within(await region('Product'));
  expect(screen.queryByRole('region', { name: 'Database' })).not.toBeInTheDocument();
  await userEvent.click(await first.findByRole('button', { name: 'Start Product' }));
  await waitFor(() => expect(first.getByRole('textbox', { name: 'Name' })).toBeInvalid());
  expect(calls.filter(({ path }) => path === '/api/creation/start')).toEqual([]);
  await userEvent.type(first.getByRole('textbox', { name: 'Name' }), 'Bookshop');
  await userEvent.click(first.getByRole('button', { name: 'Start Product' }));
  expect(await within(await region('Database')).findByRole('textbox', { name: 'Host' })).toBeVisible();
  expect(calls.find(({ path }) => path === '/api/creation/start')?.body).toEqual({
    kind: 'product',
    values: { name: 'Bookshop', structure: true, version: true },
  });
  // What is done is read-only.
  const done = within(await region('Product'));
  expect(done.getByText('product Bookshop')).toBeVisible();
  expect(done.queryByRole('textbox')).not.toBeInTheDocument();
});

test('what the call refuses is told at its field', async () => {
  openNew({
    'POST /api/creation/start': {
      status: 400,
      body: { code: 'invalid', msg: 'too short', data: { 'values.name': 'is taken by another product' } },
    },
  });
  const first = within(await region('Product'));
  await userEvent.type(await first.findByRole('textbox', { name: 'Name' }), 'Bookshop');
  await userEvent.click(first.getByRole('button', { name: 'Start Product' }));
  expect(await first.findByText('is taken by another product')).toBeVisible();
  await waitFor(() => expect(first.getByRole('textbox', { name: 'Name' })).toBeInvalid());
});

test('the preview names what would be created, and sends no password', async () => {
  const { calls, on } = open(creationOf('product', [product]));
  on('POST /api/creation/plan', {
    body: [
      {
        section: 'database',
        creates: [{ kind: 'database', name: 'shop' }],
        exists: [],
        problems: { name: 'there is a database shop already' },
      },
    ],
  });
  const database = within(await region('Database'));
  await userEvent.type(await database.findByRole('textbox', { name: 'Name' }), 'shop');
  await userEvent.type(database.getByLabelText('Password'), 'canary');
  await userEvent.click(database.getByRole('button', { name: 'Preview' }));
  expect(await database.findByText('This would fail')).toBeVisible();
  expect(database.getByText('Name: there is a database shop already')).toBeVisible();
  const asked = calls.find(({ path }) => path === '/api/creation/plan')?.body;
  expect(asked).toMatchObject({ sections: { product: { name: 'Bookshop' }, database: { name: 'shop' } } });
  expect(JSON.stringify(asked)).not.toContain('canary');
});

test('a failed section that made something is retried or undone, and one that made nothing is filled in again', async () => {
  const failed = sectionOf('database', {
    state: 'failed',
    attempt: 1,
    run: RUN,
    reason: 'no route to the host',
  });
  const { calls, on } = open(creationOf('product', [product, failed]));
  const database = within(await region('Database'));
  expect(await database.findByText('no route to the host')).toBeVisible();
  expect(await database.findByRole('button', { name: 'Start Database' })).toBeEnabled();
  expect(database.queryByRole('button', { name: 'Retry' })).not.toBeInTheDocument();
  // The section before made something, and nothing that stays came after it.
  const undo = await within(await region('Product')).findByRole('button', { name: 'Undo Product' });
  await userEvent.click(undo);
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/^This removes product Bookshop\./)).toBeVisible();
  on('POST /api/creation/detail', {
    body: creationOf('product', [{ ...product, state: 'undoing', undoRun: RUN, undos: 1 }]),
  });
  await userEvent.click(dialog.getByRole('button', { name: 'Undo Product' }));
  expect(await within(await region('Product')).findByText('being undone')).toBeVisible();
  expect(calls.find(({ path }) => path === '/api/creation/section/undo')?.body).toEqual({
    id: CREATION,
    section: 'product',
  });
});

test.each([
  ['failed halfway', { made: [{ kind: 'database', id: PRODUCT, name: 'shop' }] }],
  ['may have made something', { code: 'unknownOutcome' }],
])('a section that %s offers no form', async (_, more) => {
  const failed = sectionOf('database', { state: 'failed', attempt: 1, run: RUN, reason: 'cut off', ...more });
  const { calls } = open(creationOf('product', [product, failed]));
  const database = within(await region('Database'));
  expect(screen.getByRole('alert', { name: 'Database needs you' })).toHaveTextContent(
    'It failed halfway: retry or undo it.',
  );
  await userEvent.click(await database.findByRole('button', { name: 'Retry' }));
  await waitFor(() =>
    expect(calls.find(({ path }) => path === '/api/creation/section/retry')?.body).toEqual({
      id: CREATION,
      section: 'database',
    }),
  );
  expect(database.getByRole('button', { name: 'Undo Database' })).toBeVisible();
  expect(database.queryByRole('textbox')).not.toBeInTheDocument();
});

test('the undo of a request of unknown outcome asks for the name of what may exist', async () => {
  const values = { create: { name: 'shop-db', engine: 'mysql', region: 'fra1', size: 'db-s-1vcpu-1gb' } };
  const lost = { state: 'failed', attempt: 1, run: RUN, reason: 'cut off', code: 'unknownOutcome' } as const;
  const { calls } = open(creationOf('product', [product, sectionOf('database', { ...lost, values })]));
  await userEvent.click(
    await within(await region('Database')).findByRole('button', { name: 'Undo Database' }),
  );
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/^The answer of the provider was lost\. If shop-db exists there/)).toBeVisible();
  await userEvent.type(dialog.getByRole('textbox'), 'shop-db');
  await userEvent.click(dialog.getByRole('button', { name: 'Undo Database' }));
  await waitFor(() =>
    expect(calls.find(({ path }) => path === '/api/creation/section/undo')?.body).toEqual({
      id: CREATION,
      section: 'database',
      name: 'shop-db',
    }),
  );
});

test('a finished creation links what it made and can be undone', async () => {
  const sections = ['database', 'repository', 'server', 'service', 'domain', 'deploy'].map((one) =>
    doneSection(one),
  );
  open(creationOf('product', [product, ...sections], { state: 'finished' }));
  const success = within(await screen.findByRole('status', { name: /Success/ }));
  expect(success.getByRole('link', { name: 'Product' })).toHaveAttribute(
    'href',
    expect.stringContaining(`/${PRODUCT}`),
  );
  expect(await within(await region('Deploy')).findByRole('button', { name: 'Undo Deploy' })).toBeEnabled();
  expect(screen.queryByRole('button', { name: 'Undo Domain' })).not.toBeInTheDocument();
});

test('an abandoned creation keeps what it made, and nothing of it can be started or undone', async () => {
  open(creationOf('product', [product], { state: 'abandoned' }));
  expect(await screen.findByText('What its sections made stays.')).toBeVisible();
  expect(await region('Product')).toBeVisible();
  expect(screen.queryByRole('button', { name: /Undo|Start|Abandon/ })).not.toBeInTheDocument();
});

test.each([
  ['without a repository of the client part', {}, 'Server part'],
  ['with one', { repoFront: 'shop-client' }, 'Client part, Server part'],
])('the parts that are created from templates are named, %s', async (_, more, expected) => {
  const fromTemplate = { client: true, server: true };
  const values = { organization: 'acme', repo: 'shop', fromTemplate, ...more };
  open(creationOf('product', [product, doneSection('database'), doneSection('repository', { values })]));
  expect(await within(await region('Github repo')).findByText(expected)).toBeVisible();
});

const options = {
  regions: [{ slug: 'fra1', name: 'Frankfurt 1' }],
  sizes: [
    {
      slug: 's-1vcpu-1gb',
      description: 'Basic',
      memory: 1024,
      vcpus: 1,
      disk: 25,
      priceMonthly: 6,
      priceHourly: 0.00893,
      regions: ['fra1'],
    },
  ],
  images: [{ slug: 'debian-12-x64', name: '12 x64', distribution: 'Debian' }],
  defaults: { region: 'fra1', size: 's-1vcpu-1gb', image: 'debian-12-x64' },
};
const account = { exists: true, canSignIn: false, tokenPage: 'https://cloud.example' };
const withAccount = {
  'GET /api/digitalocean/token/exists': { body: account },
  'POST /api/digitalocean/droplet/options': { body: options },
  'POST /api/server/page': none,
};
const DROPLET = '01930000-0000-7000-8000-000000000d01';
const dropletOf = (name: string, more: object = {}) => ({
  id: DROPLET,
  name,
  status: 'active',
  networks: { v4: [{ ip_address: '203.0.113.7', type: 'public' }] },
  hostKey: { algorithm: 'ssh-ed25519', fingerprint: 'SHA256:x' },
  ...more,
});
const upToServer = ['database', 'repository'].map((one) => doneSection(one));

test('a new droplet is chosen by its size with the price, and only what belongs to it is sent', async () => {
  const { calls, on } = open(creationOf('product', [product, ...upToServer]), {
    ...withAccount,
    'GET /api/digitalocean/droplet/list': { body: [] },
  });
  on('POST /api/creation/section/start', { body: { runId: RUN } });
  const server = within(await region('Server'));
  await userEvent.selectOptions(await server.findByRole('combobox', { name: 'Use' }), 'A new droplet');
  await userEvent.type(server.getByRole('textbox', { name: 'Name of the droplet' }), 'web-1');
  expect(server.getByRole('option', { name: /: 6 USD a month/ })).toBeInTheDocument();
  await userEvent.click(server.getByRole('button', { name: 'Start Server' }));
  await waitFor(() =>
    expect(calls.find(({ path }) => path === '/api/creation/section/start')?.body).toEqual({
      id: CREATION,
      section: 'server',
      values: { create: { name: 'web-1', ...options.defaults, backups: false }, initialize: true },
    }),
  );
});

test('a provider that is away is told where something would be created there', async () => {
  open(creationOf('product', [product, ...upToServer]), {
    ...withAccount,
    'GET /api/digitalocean/droplet/list': { body: [] },
    'POST /api/digitalocean/droplet/options': {
      status: 502,
      body: { code: 'upstream', msg: 'DigitalOcean answered with status 503: The service is unavailable.' },
    },
  });
  const use = await within(await region('Server')).findByRole('combobox', { name: 'Use' });
  expect(use).toHaveAccessibleDescription(
    'Nothing new can be created in the cloud account now: DigitalOcean answered with status 503: The service is unavailable. It is asked again automatically.',
  );
  expect(within(use).queryByRole('option', { name: 'A new droplet' })).not.toBeInTheDocument();
  expect(within(use).getByRole('option', { name: 'An existing server' })).toBeInTheDocument();
});

test('a droplet that cannot be chosen is named with the reason, and one that can has to be chosen', async () => {
  const { calls } = open(creationOf('product', [product, ...upToServer]), {
    ...withAccount,
    'GET /api/digitalocean/droplet/list': {
      body: [dropletOf('web-1'), dropletOf('web-2', { id: PRODUCT, status: 'new' })],
    },
  });
  const server = within(await region('Server'));
  await userEvent.selectOptions(await server.findByRole('combobox', { name: 'Use' }), 'An existing droplet');
  const droplet = server.getByRole('combobox', { name: 'Droplet' });
  expect(droplet).toHaveAccessibleDescription('web-2: Server still initializing');
  await userEvent.click(server.getByRole('button', { name: 'Start Server' }));
  await waitFor(() => expect(server.getByRole('combobox', { name: 'Droplet' })).toBeInvalid());
  expect(calls.filter(({ path }) => path === '/api/creation/section/start')).toEqual([]);
  await userEvent.selectOptions(server.getByRole('combobox', { name: 'Droplet' }), 'web-1 (203.0.113.7)');
  await userEvent.click(server.getByRole('button', { name: 'Start Server' }));
  await waitFor(() =>
    expect(calls.find(({ path }) => path === '/api/creation/section/start')?.body).toMatchObject({
      values: { droplet: { id: DROPLET }, initialize: true },
    }),
  );
});

test('the undo of a section that created a droplet sends the name that was typed', async () => {
  const made = [
    { kind: 'droplet', id: DROPLET, name: 'web-1' },
    { kind: 'server', id: PRODUCT, name: 'web-1' },
  ];
  const { calls } = open(creationOf('product', [product, ...upToServer, doneSection('server', { made })]));
  const server = within(await region('Server'));
  await userEvent.click(await server.findByRole('button', { name: 'Undo Server' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/^This removes server web-1, droplet web-1\./)).toBeVisible();
  expect(dialog.getByRole('button', { name: 'Undo Server' })).toBeDisabled();
  await userEvent.type(dialog.getByRole('textbox'), 'web-1');
  await userEvent.click(dialog.getByRole('button', { name: 'Undo Server' }));
  await waitFor(() =>
    expect(calls.find(({ path }) => path === '/api/creation/section/undo')?.body).toEqual({
      id: CREATION,
      section: 'server',
      name: 'web-1',
    }),
  );
});

test('a failed section is named at the top, from where the focus goes to it', async () => {
  const failed = sectionOf('database', { state: 'failed', attempt: 1, run: RUN, reason: 'cut off' });
  open(creationOf('product', [product, failed]));
  const told = within(await screen.findByRole('alert', { name: 'Database needs you' }));
  await userEvent.click(told.getByRole('button', { name: 'Go to Database' }));
  expect(await region('Database')).toHaveFocus();
  const list = within(screen.getByRole('list', { name: 'Sections' }));
  await userEvent.click(list.getByRole('button', { name: 'Product' }));
  expect(await region('Product')).toHaveFocus();
  expect(list.queryByRole('button', { name: 'Deploy' })).not.toBeInTheDocument();
});

test('the link pre-fills what is created at the provider, if the workspace has an account there', () => {
  const create = { name: 'shop', region: 'nyc1', size: 's-1vcpu-2gb', image: 'debian-12-x64', backups: true };
  const state = { database: {}, server: { create, initialize: false } };
  const defaults = { region: 'fra1', size: 's-1vcpu-1gb', image: 'debian-12-x64' };
  const options = { regions: [], sizes: [], images: [], defaults };
  const choices = { options, droplets: [], databases: [] };
  expect(initialOf('server', state, '', choices)).toEqual({
    from: 'create',
    server: '',
    create,
    initialize: false,
  });
  expect(initialOf('server', state, '')).toMatchObject({ from: 'server' });
  expect(initialOf('database', state, '', choices)).toMatchObject({
    from: 'connection',
    create: { engine: 'mysql', region: 'fra1' },
  });
});

const textbox = (name: string) => (card: HTMLElement) => within(card).findByRole('textbox', { name });
const combobox = (name: string) => (card: HTMLElement) => within(card).findByRole('combobox', { name });

test.each([
  ['Product', textbox('Name'), 'Bookshop'],
  ['Database', textbox('Host'), 'db.example.org'],
  ['Github repo', textbox('Repository'), 'shop'],
  ['Server', combobox('Server'), PRODUCT],
  ['Service', textbox('Name'), 'shop-api'],
  ['Domain', textbox('Domain'), 'shop.example.org'],
  ['Deploy', combobox('Environment'), '3'],
] as const)(
  'Back in the middle of %s asks first, and a reload opens it again',
  async (label, find, value) => {
    const labels = ['Product', 'Database', 'Github repo', 'Server', 'Service', 'Domain', 'Deploy'];
    const names = ['product', 'database', 'repository', 'server', 'service', 'domain', 'deploy'];
    const before = labels.indexOf(label);
    const creation = creationOf(
      'product',
      names.slice(0, before).map((name) => (name === 'product' ? product : doneSection(name))),
    );
    const { calls } = answerWith({
      ...answers(creation),
      'POST /api/server/page': {
        body: { rows: [serverOf(PRODUCT, 'web-1')], total: 1, found: 1, options: {} },
      },
    });
    const page = (
      <Routes>
        <Route path="/app" element={<p>Home</p>} />
        <Route path="/app/create" element={<NewCreation kind="product" />} />
        <Route path="/app/create/:id" element={<CreationPage kind="product" />} />
      </Routes>
    );
    const { router, go, unmount } = renderPage(page, { at: '/app', session: sessionOf('admin') });
    await go(`/app/create/${CREATION}`);
    const enter = async (): Promise<HTMLElement> => {
      const field = await find(await region(label));
      if (field instanceof HTMLSelectElement) {
        await waitFor(() => expect([...field.options].map((one) => one.value)).toContain(value));
        await userEvent.selectOptions(field, value);
      } else await userEvent.type(field, value);
      return field;
    };
    const back = (): Promise<void> => act(async () => void router.navigate(-1));
    const isReadOnly = async (): Promise<void> => {
      for (const done of labels.slice(0, before)) {
        const card = within(await region(done));
        expect(card.getByText('done')).toBeVisible();
        for (const role of ['textbox', 'combobox', 'checkbox'])
          expect(card.queryByRole(role)).not.toBeInTheDocument();
      }
      for (const later of labels.slice(before + 1))
        expect(screen.queryByRole('region', { name: later })).not.toBeInTheDocument();
    };
    await enter();
    await back();
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Stay' }));
    expect(await find(await region(label))).toHaveValue(value);
    await isReadOnly();
    await back();
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Leave' }));
    expect(await screen.findByText('Home')).toBeVisible();
    unmount();

    renderPage(page, { at: `/app/create/${CREATION}`, session: sessionOf('admin') });
    expect(await find(await region(label))).toBeEnabled();
    await isReadOnly();
    expect(calls.filter(({ path }) => /creation\/(start|section)/.test(path))).toEqual([]);
  },
);

// covers: PROD-01, PROD-02, PROD-03
import { product } from '@quarterdeck/events';
import { plainColumns } from '@quarterdeck/projections';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { routes } from '../../app/router';
import { answerWith, type Call, type Reply } from '../../testing/network';
import { pagesOf } from '../../testing/pages';
import { renderRoutes, sessionOf } from '../../testing/render';
import { serverOf } from '../../testing/server';
import Products from '.';

const ID = '01930000-0000-7000-8000-000000000a01';
const at = '2026-11-20T12:00:00.000Z';
const shop = {
  id: ID,
  name: 'Shop',
  description: 'Where customers order',
  addedAt: at,
  addedBy: sessionOf().profile.id,
  changedAt: at,
  changedBy: sessionOf().profile.id,
  revision: 3,
  position: '5',
  workspace: 'main',
};

type Handlers = Parameters<typeof answerWith>[0];
const open = (address: string, handlers: Handlers = {}, role: 'admin' | 'member' = 'admin') => {
  const session = role === 'admin' ? sessionOf('admin') : sessionOf();
  const network = answerWith({
    'GET /api/session': { body: session },
    'POST /api/person/list': { body: [] },
    'POST /api/person/names': { body: [] },
    'POST /api/run/list': { body: { runs: [] } },
    'POST /api/product/page': pagesOf(plainColumns(product), [
      { ...shop, id: `${ID}2`, name: 'Billing', description: '' },
      shop,
    ]),
    'POST /api/product/detail': { body: shop },
    ...handlers,
  });
  return { ...network, ...renderRoutes(routes, { at: address, session }) };
};
const bodyOf = (calls: readonly Call[], path: string): unknown =>
  calls.find((call) => call.path === path)?.body;
const cardsFound = async () => within(await screen.findByRole('list', { name: 'Products' }));
const cards = () => within(screen.getByRole('list', { name: 'Products' }));

describe('the product list', () => {
  test('shows a card for each, with links to its data model, settings, user management and history', async () => {
    open('/app/product');
    expect(await screen.findByRole('link', { name: 'Shop' })).toHaveAttribute(
      'href',
      `/app/product/${ID}/detail`,
    );
    expect(cards().getByText('Where customers order')).toBeVisible();
    const links = within(cards().getByRole('navigation', { name: 'Shop' })).getAllByRole('link');
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Data model', `/app/product/${ID}/detail/data-model`],
      ['Settings', `/app/product/${ID}/detail/settings`],
      ['User management', `/app/product/${ID}/detail/user-management`],
      ['History', `/app/product/${ID}/detail/history`],
    ]);
    expect(screen.getByRole('link', { name: 'Create Product' })).toHaveAttribute('href', '/app/product/add');
  });

  test('says of each product which of its services run, and how', async () => {
    const running = {
      id: 'r',
      product: ID,
      service: { id: 's', name: 'Orders' },
      server: { id: 'v', name: 'web' },
      package: { id: 'p', version: 'v3', image: '' },
      env: { id: 3 },
      state: 'served',
      serves: true,
      last: true,
      served: { at },
      date: at,
      by: sessionOf().profile.id,
    };
    const newest = {
      server: 'v',
      at: '2026-11-20T12:01:00.000Z',
      ok: true,
      tookMs: 1,
      services: { s: 'answers 500' },
    };
    open('/app/product', {
      'POST /api/deploy/release/running': { body: [running] },
      'POST /api/health/list': { body: [newest] },
    });
    expect(await cardsFound().then((list) => list.findByText('answers 500'))).toBeVisible();
    expect(cards().getByText(/Orders v3/)).toBeVisible();
  });

  test('is searched by name, ignoring case, with the search text in the URL', async () => {
    const { router } = open('/app/product');
    await screen.findByRole('link', { name: 'Shop' });
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search products by name' }), 'bILL');
    await waitFor(() => expect(cards().queryByRole('link', { name: 'Shop' })).toBeNull());
    expect(cards().getByRole('link', { name: 'Billing' })).toBeVisible();
    expect(router.state.location.search).toBe('?q=bILL');
    await userEvent.type(screen.getByRole('searchbox'), 'x');
    expect(await screen.findByText('No products were found')).toBeVisible();
  });

  test('offers to create a product if there is none', async () => {
    open('/app/product', { 'POST /api/product/page': pagesOf(plainColumns(product), []) });
    expect(await screen.findByText('No products were found')).toBeVisible();
    expect(screen.getAllByRole('link', { name: 'Create Product' })).toHaveLength(2);
  });

  test('shows members no button to create products and no links to administrator tabs', async () => {
    open('/app/product', {}, 'member');
    await screen.findByRole('link', { name: 'Shop' });
    expect(screen.queryByRole('link', { name: 'Create Product' })).toBeNull();
    expect(cards().queryByRole('navigation')).toBeNull();
  });
});

describe('adding a product', () => {
  test('sends the fields and opens the page of the new product', async () => {
    const { calls, router } = open('/app/product/add', {
      'POST /api/product/insert': { body: { id: ID, uuid: ID } },
    });
    expect(await screen.findByRole('heading', { name: 'Create a new product' })).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Save product' }));
    expect(await screen.findByText('This field is required')).toBeVisible();
    await userEvent.type(screen.getByLabelText('Name'), 'Shop');
    await userEvent.click(screen.getByRole('button', { name: 'Save product' }));
    await waitFor(() => expect(router.state.location.pathname).toBe(`/app/product/${ID}/detail`));
    expect(bodyOf(calls, '/api/product/insert')).toEqual({ data: { name: 'Shop', description: '' } });
  });

  test('says under the field that the name is already taken', async () => {
    open('/app/product/add', {
      'POST /api/product/insert': {
        status: 400,
        body: { msg: 'taken', data: { name: 'another product already has this name' } },
      },
    });
    await userEvent.type(await screen.findByLabelText('Name'), 'Shop');
    await userEvent.click(screen.getByRole('button', { name: 'Save product' }));
    expect(await screen.findByText('another product already has this name')).toBeVisible();
  });

  test('is for administrators', async () => {
    open('/app/product/add', {}, 'member');
    expect(await screen.findByText('Administrators only')).toBeVisible();
  });
});

describe('a product', () => {
  const shownTabs = async () => (await screen.findAllByRole('tab')).map(({ textContent }) => textContent);

  test('shows the tabs for the role', async () => {
    const { unmount } = open(`/app/product/${ID}/detail`);
    expect(await shownTabs()).toEqual([
      'Overview',
      'User management',
      'Data model',
      'Option sets',
      'Databases',
      'Versions',
      'Services',
      'Email',
      'I18n',
      'CMS',
      'Notifications',
      'Tokens',
      'Settings',
      'History',
    ]);
    expect(screen.getByRole('link', { name: 'Products' })).toHaveAttribute('href', '/app/product');
    unmount();
    open(`/app/product/${ID}/detail`, {}, 'member');
    expect(await shownTabs()).toEqual(['Overview', 'I18n', 'CMS', 'Notifications']);
    expect(screen.queryByRole('button', { name: 'Actions' })).toBeNull();
  });

  test('says what runs, which version is the newest, and what waits for the next one', async () => {
    const change = { words: 'adds the entity Book' };
    const { unmount } = open(`/app/product/${ID}/detail`, {
      'POST /api/service/list': { body: [] },
      'POST /api/deploy/release/list': { body: [] },
      'POST /api/deploy/release/running': { body: [] },
      'POST /api/data-model/version/pending': { body: { last: 4, changes: [change, change] } },
    });
    const fact = async (label: string) => (await screen.findByText(label)).nextElementSibling;
    await waitFor(async () => expect(await fact('Newest version')).toHaveTextContent('4'));
    expect(await fact('Running')).toHaveTextContent('Nothing yet');
    expect(screen.getByRole('link', { name: '2 pending changes' })).toHaveAttribute(
      'href',
      `/app/product/${ID}/detail/version`,
    );
    unmount();
    // A member may not ask for them.
    open(`/app/product/${ID}/detail`, {}, 'member');
    expect(await screen.findByText('Last changed')).toBeVisible();
  });

  test('shows tabs of other features in the specified order, unknown ones after them', async () => {
    const tabs = () => [
      { id: 'database', label: 'Databases', content: () => 'Two databases' },
      { id: 'note', label: 'Notes', content: () => 'Three notes' },
    ];
    answerWith({
      'POST /api/person/list': { body: [] },
      'POST /api/product/detail': { body: shop },
    });
    renderRoutes([{ path: '/app/product/*', element: <Products tabs={tabs} /> }], {
      at: `/app/product/${ID}/detail/database`,
      session: sessionOf('admin'),
    });
    expect(await screen.findByText('Two databases')).toBeVisible();
    expect((await shownTabs()).slice(1, 4)).toEqual(['Databases', 'Notes', 'Settings']);
  });

  test('shows the verdict of a server by its newest probe, as on the server page', async () => {
    const server = serverOf('s1', 'web-1', { health: { state: 'reachable', since: at } });
    const service = {
      id: 'v1',
      name: 'api',
      port: 80,
      packageType: 'jar',
      server: { id: 's1', name: 'web-1' },
    };
    const { calls } = open(`/app/product/${ID}/detail`, {
      'POST /api/service/list': { body: [service] },
      'POST /api/domain/location/listByService': { body: [] },
      'POST /api/server/detail': { body: server },
      'POST /api/health/list': { body: [{ server: 's1', at, ok: true, tookMs: 20, load1: 9, cores: 2 }] },
    });
    expect(await screen.findByText('overloaded')).toBeVisible();
    // A busy product has thousands of deploys: the newest are shown, and those that serve.
    const product = { id: ID };
    expect(bodyOf(calls, '/api/deploy/release/list')).toEqual({ product, limit: 5 });
    expect(bodyOf(calls, '/api/deploy/release/running')).toEqual({ product });
  });

  test('opens a tab by its URL, and shows "Page Not Found" for a tab of another role', async () => {
    const { router, unmount } = open(`/app/product/${ID}/settings/`);
    expect(await screen.findByRole('tab', { name: 'Settings' })).toHaveAttribute('aria-selected', 'true');
    expect(router.state.location.pathname).toBe(`/app/product/${ID}/detail/settings`);
    unmount();
    open(`/app/product/${ID}/detail/settings`, {}, 'member');
    expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeVisible();
  });

  test('is edited in its settings, and sends the revision it was loaded with', async () => {
    const { calls } = open(`/app/product/${ID}/detail/settings`, {
      'POST /api/product/update': { body: { id: ID, uuid: ID } },
    });
    const description = await screen.findByLabelText(/^Description/);
    await userEvent.clear(description);
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Shop was saved.')).toBeVisible();
    expect(bodyOf(calls, '/api/product/update')).toEqual({
      id: ID,
      data: { name: 'Shop', description: '' },
      revision: 3,
    });
  });

  test('can be saved again after its own change arrived during further typing', async () => {
    const { calls, on, store } = open(`/app/product/${ID}/detail/settings`);
    const description = await screen.findByLabelText(/^Description/);
    on('POST /api/product/update', { body: { id: ID, uuid: ID } });
    const saved = new Promise<(reply: Reply) => void>((asked) => {
      on('POST /api/product/detail', () => new Promise(asked));
    });
    await userEvent.type(description, '!');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('Shop was saved.');
    await userEvent.type(description, '!');
    (await saved)({ body: { ...shop, description: 'Where customers order!', revision: 4 } });
    const kept = () => Object.values(store.getState().api.queries).map((query) => query?.data);
    await waitFor(() => expect(kept()).toContainEqual(expect.objectContaining({ id: ID, revision: 4 })));
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    const sent = () => calls.filter(({ path }) => path === '/api/product/update').map(({ body }) => body);
    await waitFor(() => expect(sent()).toHaveLength(2));
    expect(sent()[1]).toMatchObject({ revision: 4, data: { description: 'Where customers order!!' } });
  });

  test('shows the other value of a field in conflict', async () => {
    open(`/app/product/${ID}/detail/settings`, {
      'POST /api/product/update': {
        status: 409,
        body: { msg: 'changed', current: { ...shop, description: 'Orders', revision: 4 } },
      },
    });
    await userEvent.type(await screen.findByLabelText(/^Description/), ' and pay');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Orders')).toBeVisible();
  });

  test('is deleted after its name is typed, and the list opens', async () => {
    const { calls, router } = open(`/app/product/${ID}/detail/settings`, {
      'POST /api/product/delete': { body: { id: ID, uuid: ID } },
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Delete product' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete Shop?' }));
    expect(dialog.getByText(/Are you sure you would like to delete this product\?/)).toBeVisible();
    await userEvent.type(dialog.getByRole('textbox'), 'Shop');
    await userEvent.click(dialog.getByRole('button', { name: 'Delete product' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/product'));
    expect(bodyOf(calls, '/api/product/delete')).toEqual({ id: ID, name: 'Shop' });
    expect(await screen.findByRole('button', { name: 'Undo…' })).toBeVisible();
  });
});

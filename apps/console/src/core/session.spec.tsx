import { sessions } from '@quarterdeck/contract';
/** covers: AUTH-05, SHELL-01 */
import { act, screen, waitFor } from '@testing-library/react';
import { useRouteError } from 'react-router';
import { answerWith } from '../testing/network';
import { renderRoutes, sessionOf } from '../testing/render';
import { confirmAction } from '../ui/confirm';
import { ask } from './calls';
import { routes } from '../app/router';
import { allows, useSession } from './session';
import { recallSession, sessionEnded, sessionKey, sessionStarted } from './session-state';
import { createStore } from '../app/store';

beforeEach(() => localStorage.clear());

describe('the session', () => {
  test('is kept in the store and in the browser together, and cleared together', () => {
    const store = createStore();
    store.dispatch(sessionStarted(sessionOf('admin')));
    expect(JSON.parse(localStorage.getItem(sessionKey) ?? '')).toEqual(sessionOf('admin'));
    expect(createStore().getState().session.value).toEqual(sessionOf('admin'));
    store.dispatch(sessionEnded());
    expect(localStorage.getItem(sessionKey)).toBeNull();
    expect(store.getState().session).toEqual({});
  });

  test('keeps the first reason for its end, even when more calls are refused afterwards', () => {
    const store = createStore();
    store.dispatch(sessionStarted(sessionOf('admin')));
    store.dispatch(sessionEnded('Your session was ended.'));
    store.dispatch(sessionEnded('Your session has ended. Sign in again.'));
    expect(store.getState().session).toEqual({ endedBecause: 'Your session was ended.' });
  });

  test('is ignored when its stored value is invalid', () => {
    localStorage.setItem(sessionKey, '{"profile":');
    expect(recallSession()).toEqual({});
    localStorage.setItem(sessionKey, '"yes"');
    expect(recallSession()).toEqual({});
  });

  test('clears the cached answers when it ends', () => {
    const store = createStore();
    store.dispatch(sessionStarted(sessionOf('admin')));
    store.dispatch({ type: 'api/config/focused' });
    store.dispatch(sessionEnded());
    expect(store.getState().api.queries).toEqual({});
  });

  test('is an error where a page asks for it and nobody is signed in', () => {
    const logged = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const Page = () => useSession().profile.email;
    renderRoutes([{ path: '/', element: <Page />, ErrorBoundary: () => String(useRouteError()) }]);
    expect(screen.getByText('Error: profile undefined')).toBeVisible();
    logged.mockRestore();
  });

  test('allows what its roles or lower roles may do', () => {
    expect(allows([], 'member')).toBe(true);
    expect(allows(['member'], 'admin')).toBe(false);
    expect(allows(['superadmin'], 'admin')).toBe(true);
    expect(allows(['emperor'], 'admin')).toBe(false);
  });
});

describe('addresses', () => {
  test('an unknown address outside /app leads to login', async () => {
    answerWith({});
    const { router } = renderRoutes(routes, { at: '/nowhere/at/all' });
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
  });

  test('without a session, a page of the console leads to login and keeps the return address', async () => {
    answerWith({ 'GET /api/session': { status: 401, body: { msg: 'not signed in' } } });
    const { router } = renderRoutes(routes, { at: '/app/profile?tab=x' });
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
    expect(new URLSearchParams(router.state.location.search).get('return')).toBe('/app/profile?tab=x');
    expect(screen.queryByText(/has ended/)).toBeNull();
  });

  test('a browser without a stored session asks the server who is signed in', async () => {
    answerWith({ 'GET /api/session': { body: sessionOf() } });
    renderRoutes(routes, { at: '/app' });
    expect(await screen.findByText('Welcome to harbour')).toBeVisible();
    expect(localStorage.getItem(sessionKey)).not.toBeNull();
  });

  test('a session that ends on any page leads to login, which says so', async () => {
    const network = answerWith({ 'GET /api/session': { body: sessionOf() } });
    const { store, router } = renderRoutes(routes, { at: '/app/profile', session: sessionOf() });
    expect(await screen.findByRole('heading', { name: 'Profile' })).toBeVisible();
    network.on('GET /api/session', { status: 401, body: { msg: 'no' } });
    await act(async () => void (await store.dispatch(ask(sessions.session))));
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
    expect(await screen.findByText('Your session has ended. Sign in again.')).toBeVisible();
    expect(localStorage.getItem(sessionKey)).toBeNull();
  });

  test('signing out in one tab signs out the others', async () => {
    answerWith({ 'GET /api/session': { body: sessionOf() } });
    const { router } = renderRoutes(routes, { at: '/app', session: sessionOf() });
    await screen.findByText(/^Welcome to/);
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: sessionKey, newValue: null })));
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
  });

  test('signing in in one tab signs in the others, which drop everything of the previous person', async () => {
    const network = answerWith({ 'GET /api/session': { body: sessionOf() } });
    const { store } = renderRoutes(routes, { at: '/app', session: sessionOf() });
    await screen.findByText('Welcome to harbour');
    let sure: boolean | undefined;
    act(
      () =>
        void confirmAction({ title: 'Delete web-1?', body: 'It goes.', confirmLabel: 'Delete' }).then(
          (answer) => (sure = answer),
        ),
    );
    expect(await screen.findByRole('dialog', { name: 'Delete web-1?' })).toBeVisible();
    const instance = { uuid: '01930000-0000-7000-8000-000000000998', name: 'dockyard' };
    const other = { ...sessionOf(), instance, profile: { ...sessionOf().profile, instance } };
    network.on('GET /api/session', { body: other });
    const newValue = JSON.stringify(other);
    localStorage.setItem(sessionKey, newValue);
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: sessionKey, newValue })));
    expect(await screen.findByText('Welcome to dockyard')).toBeVisible();
    expect(store.getState().session.value).toEqual(other);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sure).toBe(false);
  });

  test('a refusal after a role change hides everything that only the old role may see', async () => {
    const network = answerWith({ 'GET /api/session': { body: sessionOf('admin') } });
    renderRoutes(routes, { at: '/app', session: sessionOf('admin') });
    expect(await screen.findByRole('link', { name: 'Server' })).toBeVisible();
    network.on('GET /api/session', { body: sessionOf('member') });
    network.on('POST /api/server/page', { status: 403, body: { msg: 'no' } });
    act(() => screen.getByRole('link', { name: 'Server' }).click());
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Server' })).toBeNull());
    expect(await screen.findByText('Administrators only')).toBeVisible();
  });

  test('an unknown address under /app shows "Page Not Found"', async () => {
    answerWith({ 'GET /api/session': { body: sessionOf() } });
    renderRoutes(routes, { at: '/app/nothing/here', session: sessionOf() });
    expect(await screen.findByText('Page Not Found')).toBeVisible();
  });

  test('a page that throws while rendering is replaced by the error page', async () => {
    const logged = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const { RouterError } = await import('../app/pages/Fallbacks');
    const Broken = (): never => {
      throw new Error('the mast broke');
    };
    renderRoutes([{ path: '*', element: <Broken />, errorElement: <RouterError /> }]);
    expect(screen.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible();
    expect(screen.getByText('the mast broke')).toBeVisible();
    logged.mockRestore();
  });
});

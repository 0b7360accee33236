/** covers: AUTH-07, AUTH-12 */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { SessionView } from '@quarterdeck/events';
import { answerWith } from '../../testing/network';
import { renderRoutes, sessionOf } from '../../testing/render';
import { routes } from '../../app/router';

const soon = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
const sessionView = (more: Partial<SessionView>): SessionView => ({
  id: '01930000-0000-7000-8000-000000000001',
  device: 'Firefox on Linux',
  via: 'github',
  current: false,
  startedAt: soon(-5),
  lastUsedAt: soon(-2),
  endsWhenIdleAt: soon(10),
  endsAt: soon(160),
  ...more,
});
const here = sessionView({ current: true });
const there = sessionView({
  id: '01930000-0000-7000-8000-000000000002',
  device: 'Safari on iOS',
  via: 'link',
});

const shown = async (list: SessionView[], more: Parameters<typeof answerWith>[0] = {}) => {
  localStorage.clear();
  const network = answerWith({
    'GET /api/session': { body: sessionOf() },
    'POST /api/session/list': { body: list },
    ...more,
  });
  renderRoutes(routes, { at: '/app/profile', session: sessionOf() });
  const region = await screen.findByRole('region', { name: 'Sessions' });
  await within(region).findAllByRole('listitem');
  return { ...network, region };
};

test('lists the sessions with device, sign-in method, last use and end; the current one cannot be ended', async () => {
  const { region } = await shown([here, there]);
  const [first, second] = within(region).getAllByRole('listitem');
  expect(first).toHaveTextContent(
    'Firefox on Linux This sessionSigned in by GitHub 5 hours ago, last used 2 hours ago, ends in 7 days',
  );
  expect(second).toHaveTextContent(/Signed in by one-time link .* ends in 10 hours unless it is used/);
  expect(within(region).getAllByRole('button', { name: /^Sign out / })).toHaveLength(2);
  expect(within(first!).queryByRole('button')).toBeNull();
});

test('ends another session after confirmation, and reloads the list', async () => {
  const { region, calls, on } = await shown([here, there], { 'POST /api/session/revoke': { body: {} } });
  await userEvent.click(within(region).getByRole('button', { name: 'Sign out Safari on iOS' }));
  const question = await screen.findByRole('dialog', { name: 'Sign out Safari on iOS?' });
  on('POST /api/session/list', { body: [here] });
  await userEvent.click(within(question).getByRole('button', { name: 'Sign out' }));
  await waitFor(() => expect(within(region).getAllByRole('listitem')).toHaveLength(1));
  expect(calls.find(({ path }) => path === '/api/session/revoke')?.body).toEqual({ id: there.id });
});

test('shows in place why the other sessions could not be ended', async () => {
  const { region } = await shown([here, there], {
    'POST /api/session/revoke-others': { status: 503, body: { msg: 'the log cannot be reached' } },
  });
  await userEvent.click(within(region).getByRole('button', { name: 'Sign out everywhere else…' }));
  const question = await screen.findByRole('dialog', { name: 'Sign out everywhere else?' });
  expect(question).toHaveTextContent('One other session ends at once');
  await userEvent.click(within(question).getByRole('button', { name: 'Sign out everywhere else' }));
  expect(await within(region).findByText(/the log cannot be reached/)).toBeVisible();
});

describe('sign-in accounts', () => {
  const both = [
    { name: 'github', label: 'GitHub' },
    { name: 'google', label: 'Google' },
  ];
  const connectedAt = soon(-48);
  const opened = async (
    accounts: object[],
    more: Parameters<typeof answerWith>[0] = {},
    providers: object[] = both,
  ) => {
    localStorage.clear();
    sessionStorage.clear();
    const network = answerWith({
      'GET /api/session': { body: sessionOf() },
      'POST /api/session/list': { body: [here] },
      'GET /api/auth/providers': { body: providers },
      'POST /api/account/list': { body: accounts },
      ...more,
    });
    renderRoutes(routes, { at: '/app/profile', session: sessionOf() });
    await screen.findByText('Firefox on Linux');
    return network;
  };
  const region = () => screen.findByRole('region', { name: 'Sign-in accounts' });

  test('offer to connect more, keep the only account, and show a failed attempt in place', async () => {
    await opened([{ provider: 'github', connectedAt }], {
      'POST /api/account/connect': { status: 502, body: { msg: 'Google did not answer' } },
    });
    const accounts = await region();
    expect(await within(accounts).findByRole('listitem')).toHaveTextContent('GitHubConnected 2 days ago');
    expect(within(accounts).queryByRole('button', { name: /Disconnect/ })).toBeNull();
    expect(within(accounts).queryByRole('button', { name: 'Connect GitHub' })).toBeNull();
    await userEvent.click(within(accounts).getByRole('button', { name: 'Connect Google' }));
    expect(await within(accounts).findByText('Google did not answer')).toBeVisible();
    expect(sessionStorage).toHaveLength(0);
  });

  test('can be disconnected after confirmation if there are two', async () => {
    const github = { provider: 'github', connectedAt };
    const { calls, on } = await opened([github, { provider: 'google', connectedAt }], {
      'POST /api/account/disconnect': { body: {} },
    });
    const accounts = await region();
    await userEvent.click(await within(accounts).findByRole('button', { name: 'Disconnect Google' }));
    const question = await screen.findByRole('dialog', { name: 'Disconnect Google?' });
    on('POST /api/account/list', { body: [github] });
    await userEvent.click(within(question).getByRole('button', { name: 'Disconnect' }));
    await waitFor(() => expect(within(accounts).getAllByRole('listitem')).toHaveLength(1));
    expect(calls.find(({ path }) => path === '/api/account/disconnect')?.body).toEqual({
      provider: 'google',
    });
  });

  test('are not shown without sign-in providers', async () => {
    const { calls } = await opened([], {}, []);
    expect(screen.queryByText('Sign-in accounts')).toBeNull();
    expect(calls.map(({ path }) => path)).not.toContain('/api/account/list');
  });
});

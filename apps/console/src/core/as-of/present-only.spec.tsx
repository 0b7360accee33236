// covers: AUD-03
import { sessions } from '@quarterdeck/contract';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { domainOf } from '../../testing/domain';
import { answerWith } from '../../testing/network';
import { answersAboutPeople } from '../../testing/person';
import { renderRoutes, sessionOf } from '../../testing/render';
import { serverOf } from '../../testing/server';
import { send } from '../calls';
import { routes } from '../../app/router';

const ID = '01930000-0000-7000-8000-000000000d02';
const SERVER = { id: '01930000-0000-7000-8000-000000000d01', alias: 'web-1' };
const at = '2026-11-20T12:00:00.000Z';
const session = (id: string, current: boolean) => ({
  id,
  device: id,
  via: 'link',
  current,
  startedAt: at,
  lastUsedAt: at,
  endsWhenIdleAt: at,
  endsAt: at,
});
const workspace = {
  revision: 1,
  containerFlow: {},
  audience: {},
  sourceHost: { isPrivate: true },
  retention: {},
  dns: { resolvers: [], ttl: 300 },
  healthChecks: { everySeconds: 30, failures: 3, outOf: 5 },
  sslMonitor: { checkPauseMs: 1, renewPauseMs: 1 },
  alerts: { thresholds: [21] },
};

const fleetRun = {
  id: ID,
  kind: 'fleet',
  label: 'Disk',
  subject: { kind: 'fleet', id: ID, name: '3 servers' },
  parent: '',
  input: { cmdType: 2, concurrency: 10 },
  state: 'succeeded',
  requestedBy: 'cli',
  requestedAt: at,
  correlationId: 'c',
  startedAt: at,
  endedAt: at,
  durationMs: 1200,
  steps: [],
};

/** Also answers the calls that work only in the present, so that a test sees whether they were made. */
const open = (address: string, host = 'web-1.example.org') => {
  const network = answerWith({
    'GET /api/session': { body: sessionOf('admin') },
    'POST /api/session/list': { body: [session('Firefox', true), session('Chromium', false)] },
    'GET /api/auth/providers': { body: [{ name: 'github', label: 'GitHub' }] },
    'POST /api/run/list': { body: { runs: [] } },
    ...answersAboutPeople(),
    'POST /api/invitation/list': { body: [] },
    'POST /api/workspace/detail': { body: workspace },
    'POST /api/alert/list': { body: [] },
    'POST /api/run/detail': { body: fleetRun },
    'POST /api/fleet/detail': { body: { run: fleetRun, hosts: [] } },
    'POST /api/server/list': { body: [serverOf(SERVER.id, SERVER.alias)] },
    'POST /api/domain/detail': { body: domainOf(ID, { server: { ...SERVER, host } }) },
  });
  // The store takes its initial instant from the address of the window.
  window.history.replaceState(null, '', address);
  return { ...network, ...renderRoutes(routes, { at: address, session: sessionOf('admin') }) };
};
afterEach(() => window.history.replaceState(null, '', '/'));

const askedFor = (calls: readonly { path: string }[], prefix: string): number =>
  calls.filter(({ path }) => path.startsWith(`/api/${prefix}`)).length;

test('in the past, a domain page does not query DNS and says why', async () => {
  const { calls } = open(`/app/domain/${ID}/edit?at=41`);
  const card = within(await screen.findByRole('region', { name: 'DNS' }));
  expect(await card.findByText(/The DNS answer .* only in the present/)).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(askedFor(calls, 'dns/')).toBe(0);
});

test('in the past, a host that is an IP address needs no lookup and no explanation', async () => {
  open(`/app/domain/${ID}/edit?at=41`, '10.0.0.3');
  const card = within(await screen.findByRole('region', { name: 'DNS' }));
  expect(await card.findByText('10.0.0.3', { selector: 'div:last-of-type > dt + dd *' })).toBeVisible();
  expect(card.queryByText(/only in the present/)).toBeNull();
});

test('in the past, settings show no credentials and cannot be edited', async () => {
  const { calls, go } = open('/app/profile/settings?at=41');
  expect(await screen.findByText(/Your credentials can be seen only in the present/)).toBeVisible();
  await go('/app/profile/settings?section=dns&at=41');
  const dns = within(await screen.findByRole('region', { name: 'DNS' }));
  expect((await dns.findByText('Edit')).closest('[inert]')).not.toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(askedFor(calls, 'profile/')).toBe(0);
});

test('in the past, nobody can change a name, end a session or invite somebody', async () => {
  const { calls, store, go } = open('/app/profile?at=41');
  expect((await screen.findByText('Change name')).closest('[inert]')).not.toBeNull();
  expect(screen.getByText(/Your sessions can be seen only in the present/)).toBeVisible();
  expect(await screen.findByText(/Your sign-in accounts can be seen only in the present/)).toBeVisible();
  expect(screen.queryByText(/Firefox|Sign out|Connect/)).toBeNull();
  const refused = await act(() => store.dispatch(send(sessions.revoke, { id: 'Chromium' })));
  expect(refused.error).toMatchObject({ msg: expect.stringContaining('The past is read-only') });
  expect(askedFor(calls, 'session/') + askedFor(calls, 'account/')).toBe(0);
  await go('/app/members?tab=invitations&at=41');
  await screen.findByText('No open invitations');
  for (const invite of screen.getAllByText('Invite')) expect(invite.closest('[inert]')).not.toBeNull();
});

test('links to other pages also work in the past', async () => {
  const { go } = open('/app/domain/alerts?at=41');
  const leads = async (name: string, to: string): Promise<void> => {
    const link = await within(await screen.findByRole('main')).findByRole('link', {
      name,
    });
    expect(link.closest('[inert]')).toBeNull();
    expect(link).toHaveAttribute('href', expect.stringContaining(to));
  };
  await leads('Calendar', '/app/domain/calendar');
  expect(screen.getByText('Send a test').closest('[inert]')).not.toBeNull();
  await go('/app/domain/calendar?at=41');
  await leads('Alerts', '/app/domain/alerts');
  await go(`/app/run/${ID}?at=41`);
  await leads('Compare results', `/app/fleet/${ID}`);
  await go(`/app/fleet/${ID}?at=41`);
  await userEvent.click(await screen.findByRole('button', { name: 'Actions' }));
  expect(await screen.findByRole('menuitem', { name: 'Output of the run itself' })).toBeEnabled();
  expect(screen.getByRole('menuitem', { name: /New run on these/ })).toHaveAttribute('aria-disabled', 'true');
});

/** covers: SRV-16, DOM-05, AUD-03 */
import { product } from '@quarterdeck/events';
import { plainColumns } from '@quarterdeck/projections';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { routes } from '../../app/router';
import { api, tagsOf } from '../../core/api';
import { answerWith, type Call } from '../../testing/network';
import { pagesOf } from '../../testing/pages';
import { renderRoutes, sessionOf } from '../../testing/render';
import { pageOfServers, serverOf } from '../../testing/server';

const SERVER = '01930000-0000-7000-8000-000000000001';

const AT = '2026-11-20T12:00:00.000Z';

const workspace = (healthChecks = { everySeconds: 30, failures: 3, outOf: 4 }, revision = 0) => ({
  id: 'w',
  workspace: 'w',
  name: 'harbour',
  createdAt: AT,
  healthChecks,
  dns: { resolvers: [], ttl: 300 },
  alerts: { thresholds: [21, 14, 7] },
  containerFlow: {},
  audience: {},
  sourceHost: { isPrivate: true },
  retention: {},
  sslMonitor: { checkPauseMs: 100, renewPauseMs: 5000, concurrency: 4, expiringDays: 30 },
  revision,
  position: '1',
});

const open = (role: string, search = '?section=health-checks', more: object = {}) => {
  const network = answerWith({
    'GET /api/session': { body: sessionOf(role) },
    'POST /api/run/list': { body: { runs: [] } },
    'POST /api/alert/list': { body: [] },
    'POST /api/workspace/detail': { body: { ...workspace(), ...more } },
    'GET /api/profile/gh-username/get': { body: { value: 'octocat' } },
    'GET /api/profile/gh-token/get': { body: { value: '' } },
    'GET /api/profile/token/validity': {
      body: {
        scopes: [],
        expectedScopes: [],
        warnings: [],
        notes: [],
        tokenPage: 'https://github.com/settings/tokens',
      },
    },
    'GET /api/github/limit': {
      body: { limit: 5000, remaining: 4987, resetAt: new Date(Date.now() + 30 * 60_000).toISOString() },
    },
    'POST /api/workspace/health-checks': { body: { id: 'w' } },
    'POST /api/workspace/dns': { body: { id: 'w' } },
    'POST /api/workspace/retention': { body: { id: 'w' } },
    'POST /api/workspace/container-flow': { body: { id: 'w' } },
    'POST /api/workspace/audience': { body: { id: 'w' } },
    'POST /api/person/list': { body: [] },
    'POST /api/history/list': { body: { events: [] } },
    'POST /api/moment/difference': {
      body: {
        from: { position: '3', at: AT },
        to: { position: '9', at: AT },
        events: 1,
        changes: [{ field: 'Health checks every in seconds', before: '30', after: '60' }],
        parts: [],
        furtherParts: 0,
      },
    },
    'POST /api/server/page': pageOfServers([serverOf(SERVER, 'web-1')]),
    'POST /api/server/detail': { body: serverOf(SERVER, 'web-1') },
  });
  const view = renderRoutes(routes, { session: sessionOf(role), at: `/app/profile/settings${search}` });
  const sent = (what = 'health-checks'): unknown[] =>
    network.calls.filter(({ path }: Call) => path === `/api/workspace/${what}`).map(({ body }) => body);
  return { ...view, ...network, sent };
};

const edit = async (section = 'Health checks'): Promise<void> => {
  const modes = within(await screen.findByRole('radiogroup', { name: `Mode of ${section}` }));
  await userEvent.click(modes.getByRole('radio', { name: 'Edit' }));
};

const write = async (label: string, value: string): Promise<void> => {
  await userEvent.clear(screen.getByLabelText(label));
  await userEvent.type(screen.getByLabelText(label), value);
};

test('an administrator sets the interval and the failure rule, and sees the current values', async () => {
  const { sent, on } = open('admin');
  const facts = () => screen.findByLabelText('Health checks', { selector: 'dl' });
  expect(await facts()).toHaveTextContent('Interval30 sUnreachableafter 3 of the last 4 checks failed');
  await edit();
  await write('Seconds between two checks', '60');
  await write('Failed checks', '2');
  on('POST /api/workspace/detail', { body: workspace({ everySeconds: 60, failures: 2, outOf: 4 }, 1) });
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(async () => expect(await facts()).toHaveTextContent(/Interval60 sUnreachableafter 2/));
  expect(sent()).toEqual([{ everySeconds: 60, failures: 2, outOf: 4, revision: 0 }]);
  // An operator's own earlier save does not conflict with their next one.
  await edit();
  await write('Of the last', '5');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(sent().at(-1)).toEqual({ everySeconds: 60, failures: 2, outOf: 5, revision: 1 }),
  );
});

test('another person’s save updates an untouched form, but not an edited one', async () => {
  const { sent, on, store } = open('admin');
  const arrives = async (everySeconds: number, revision: number): Promise<void> => {
    on('POST /api/workspace/detail', { body: workspace({ everySeconds, failures: 3, outOf: 4 }, revision) });
    act(() => void store.dispatch(api.util.invalidateTags(tagsOf('workspaces'))));
    await waitFor(() =>
      expect(store.getState().api.queries['workspace.detail(undefined)']?.data).toMatchObject({ revision }),
    );
  };
  await screen.findByText('30 s');
  await edit();
  await arrives(60, 1);
  await waitFor(() => expect(screen.getByLabelText('Seconds between two checks')).toHaveValue('60'));
  await write('Failed checks', '2');
  await arrives(90, 2);
  expect(screen.getByLabelText('Seconds between two checks')).toHaveValue('60');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  // Sent with the revision that was current when typing began, so the server can report a conflict.
  await waitFor(() => expect(sent()).toEqual([{ everySeconds: 60, failures: 2, outOf: 4, revision: 1 }]));
});

test('shows a message under a field with an invalid value', async () => {
  const { sent } = open('admin');
  await screen.findByText('30 s');
  await edit();
  await write('Seconds between two checks', '4');
  await write('Failed checks', '9');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('numbers below 5 are not accepted')).toBeVisible();
  await write('Seconds between two checks', '5');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('more than the number of checks looked at')).toBeVisible();
  expect(sent()).toEqual([]);
});

test('a conflict with another person’s change is shown field by field', async () => {
  const { on } = open('admin');
  await screen.findByText('30 s');
  await edit();
  on('POST /api/workspace/health-checks', {
    status: 409,
    body: {
      msg: 'workspace was changed by somebody else in the meantime',
      current: { everySeconds: 10, failures: 3, outOf: 4, revision: 2 },
    },
  });
  await write('Seconds between two checks', '60');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('10')).toBeVisible();
});

test('the navigation opens each section, and the address names the one shown', async () => {
  const { router } = open('admin', '');
  const nav = within(await screen.findByRole('navigation', { name: 'Settings' }));
  expect(nav.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'Source-code host',
    'Health checks',
    'DNS',
    'SSL monitor',
    'Alerts',
    'Mail server',
    'Repositories',
    'Container registries',
    'Container deploys',
    'Retention',
    'Second factor',
    'Changes',
  ]);
  expect(nav.getByRole('link', { current: 'page' })).toHaveTextContent('Source-code host');
  for (const [link, section] of [
    ['DNS', 'dns'],
    ['Alerts', 'alerts'],
  ] as const) {
    await userEvent.click(nav.getByRole('link', { name: link }));
    expect(await screen.findByRole('region', { name: link })).toBeVisible();
    expect(router.state.location.search).toBe(`?section=${section}`);
  }
  expect(screen.queryByRole('region', { name: 'Source-code host' })).toBeNull();
});

test('tells a member that administrators manage the settings', async () => {
  const { calls } = open('member');
  expect(await screen.findByText(/managed by its administrators/)).toBeVisible();
  expect(screen.queryByText('Health checks')).not.toBeInTheDocument();
  expect(calls.map(({ path }) => path)).not.toContain('/api/workspace/detail');
});

test('asks for confirmation before output is removed for the first time', async () => {
  const { sent, go } = open('admin', '?section=run-output');
  expect(await screen.findByText('Never')).toBeVisible();
  await edit('Retention');
  await write('Days for the output of runs optional', '30');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const question = within(await screen.findByRole('dialog'));
  expect(question.getByText(/ended more than 30 days ago is deleted for good/)).toBeVisible();
  await userEvent.click(question.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(sent('retention')).toEqual([]);
  // The form is still unsaved, so leaving asks.
  await go('/elsewhere');
  const leaving = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }));
  await userEvent.click(leaving.getByRole('button', { name: 'Stay' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await userEvent.click(
    within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove output' }),
  );
  await waitFor(() => expect(sent('retention')).toEqual([{ runOutputDays: 30, revision: 0 }]));
});

test('after a conflict, a shorter retention than the other person’s asks for confirmation', async () => {
  const { sent, on } = open('admin', '?section=run-output', { retention: { runOutputDays: 7 } });
  await screen.findByText('7 days after the end of a run');
  await edit('Retention');
  await write('Days for the output of runs optional', '14');
  on('POST /api/workspace/retention', { status: 409, body: { msg: 'changed', current: { revision: 9 } } });
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const conflict = within(await screen.findByRole('alert', { name: 'Conflict' }));
  expect(conflict.getByText('(empty)')).toBeVisible();
  on('POST /api/workspace/retention', { body: { id: 'w' } });
  await userEvent.click(conflict.getByRole('button', { name: 'Save these choices' }));
  const question = within(await screen.findByRole('dialog'));
  expect(sent('retention')).toHaveLength(1);
  await userEvent.click(question.getByRole('button', { name: 'Remove output' }));
  await waitFor(() => expect(sent('retention').at(-1)).toEqual({ runOutputDays: 14, revision: 9 }));
});

test('the default server for containers is chosen from the registered servers', async () => {
  const { sent } = open('admin', '?section=container-deploys');
  expect(await screen.findByText('Chosen for each deploy')).toBeVisible();
  await edit('Container deploys');
  await screen.findByRole('option', { name: 'web-1 (10.0.0.3)' });
  await userEvent.selectOptions(screen.getByLabelText('Server optional'), 'web-1 (10.0.0.3)');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent('container-flow')).toEqual([{ server: { id: SERVER }, revision: 0 }]));
});

test('the DNS form shows only the fields it needs, and shows a refusal under its field', async () => {
  const { sent } = open('admin', '?section=dns');
  expect(await screen.findByText('system default')).toBeVisible();
  await edit('DNS');
  expect(await screen.findByLabelText('DNS server optional')).toBeVisible();
  expect(screen.queryByLabelText('Zone')).not.toBeInTheDocument();
  await userEvent.type(screen.getByLabelText('DNS server optional'), 'nine');
  await userEvent.type(screen.getByLabelText('DNS server 2 optional'), '9.9.9.9');
  await userEvent.selectOptions(
    screen.getByLabelText('Records are written by optional'),
    'Dynamic update (RFC 2136)',
  );
  await userEvent.type(screen.getByLabelText('Zone'), 'example.org');
  await userEvent.type(screen.getByLabelText('Name server'), 'ns1.example.org');
  await userEvent.type(screen.getByLabelText('Port'), '53');
  await userEvent.type(screen.getByLabelText('Name of the key'), 'console');
  await userEvent.selectOptions(screen.getByLabelText('Algorithm'), 'hmac-sha256');
  await userEvent.type(screen.getByLabelText('Secret or token'), 'c2VjcmV0');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(/the address of a DNS server is expected/)).toBeVisible();
  await write('DNS server optional', '127.0.0.1:5353');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const provider = {
    kind: 'rfc2136',
    zone: 'example.org',
    server: 'ns1.example.org',
    port: 53,
    keyName: 'console',
    algorithm: 'hmac-sha256',
    secret: 'c2VjcmV0',
  };
  await waitFor(() =>
    expect(sent('dns')).toEqual([
      { resolvers: ['127.0.0.1:5353', '9.9.9.9'], ttl: 300, provider, revision: 0 },
    ]),
  );
});

test('a link to a comparison of the settings opens it', async () => {
  const { calls } = open('admin', '?compare=3..9');
  const difference = within(await screen.findByRole('dialog', { name: 'Changes to harbour' }));
  expect(await difference.findByRole('row', { name: /every in seconds 30 60/ })).toBeVisible();
  const bodyOf = (path: string) => calls.find((call) => call.path === path)?.body;
  expect(bodyOf('/api/moment/difference')).toEqual({
    subject: { category: 'workspace', id: 'w' },
    from: '3',
    to: '9',
  });
  expect(bodyOf('/api/history/list')).toMatchObject({ subject: { category: 'workspace', id: 'w' } });
});

test('a member sees no history of the settings', async () => {
  const { calls } = open('member', '?compare=3..9');
  expect(await screen.findByText(/managed by its administrators/)).toBeVisible();
  expect(screen.queryByText('Changes')).toBeNull();
  expect(calls.some(({ path }) => /history|moment/.test(path))).toBe(false);
});

test('the repository settings show how many calls to the source host are left', async () => {
  open('admin', '?section=repositories');
  expect(await screen.findByText(/^4,987 of 5,000 with your token; they reset/)).toBeVisible();
});

test('a superadmin gives the workspace to the users of a product; an admin does not see the section', async () => {
  const { sent, on } = open('superadmin', '?section=audience');
  const kept = { addedAt: AT, addedBy: 'x', changedAt: AT, changedBy: 'x', revision: 1, position: '5' };
  const shop = { id: SERVER, workspace: 'w', name: 'Shop', description: '', ...kept };
  on('POST /api/product/page', pagesOf(plainColumns(product), [shop]));
  expect(await screen.findByText('All members')).toBeVisible();
  await edit('Who may sign in');
  await screen.findByRole('option', { name: 'Shop' });
  await userEvent.selectOptions(screen.getByLabelText('Product optional'), 'Shop');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent('audience')).toEqual([{ product: { id: SERVER }, revision: 0 }]));
  cleanup();
  open('admin', '?section=audience');
  expect(await screen.findByRole('link', { name: 'Health checks' })).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Who may sign in' })).toBeNull();
});

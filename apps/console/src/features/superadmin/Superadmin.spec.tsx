// covers: AUTH-10, AUD-05
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { InstallationView, ReadModelsView } from '@quarterdeck/projections';
import { routes } from '../../app/router';
import { answerWith, type Call, type Reply } from '../../testing/network';
import { renderRoutes, sessionOf } from '../../testing/render';
import { backupsView } from '../../testing/backups';

const now = new Date().toISOString();
const maintenance = '0193f0a0-0000-7000-8000-0000000000aa';
const view: ReadModelsView = {
  position: '1000',
  lag: { events: 0, ms: 0 },
  projections: [
    {
      name: 'servers',
      version: 3,
      storedVersion: 3,
      state: 'live',
      position: '1000',
      parked: 1,
      updatedAt: now,
    },
    {
      name: 'history',
      version: 2,
      storedVersion: 1,
      state: 'frozen',
      position: '900',
      parked: 0,
      updatedAt: now,
    },
  ],
  parked: [
    {
      projection: 'servers',
      stream: 'server-1',
      position: '7',
      type: 'ServerRenamed',
      skipped: 2,
      error: 'TypeError: x is undefined',
      attempts: 1,
      parkedAt: now,
    },
  ],
};
const underWay: Pick<ReadModelsView, 'current' | 'progress'> = {
  current: { maintenance, kind: 'rebuild', readModel: 'all', attempts: 1, cancelRequested: false },
  progress: {
    kind: 'rebuild',
    projections: ['servers', 'history'],
    phase: 'folding',
    position: '340',

    goal: '1000',
    events: 340,
    total: 1000,
    eventsPerSecond: 60,
    share: 0.34,
    beganAt: now,
    secondsLeft: 11,
  },
};

const open = (at: string, handlers: Record<string, Reply> = {}) => {
  const network = answerWith({
    'GET /api/session': { body: sessionOf('admin', 'superadmin') },
    'POST /api/run/list': { body: { runs: [] } },
    'POST /api/alert/list': { body: [] },
    'POST /api/person/list': { body: [] },
    'POST /api/superadmin/projections': { body: view },
    'POST /api/backup/overview': { body: backupsView },
    ...handlers,
  });
  return { ...network, ...renderRoutes(routes, { at, session: sessionOf('admin', 'superadmin') }) };
};
const bodiesOf = (calls: readonly Call[], path: string) =>
  calls.filter((call) => call.path === path).map(({ body }) => body);

const READ_MODELS = '/superadmin?tab=read-models';

const overviewWith = (eventLog: Partial<InstallationView['eventLog']>): InstallationView => ({
  version: '1.0.0',
  eventLog: {
    engine: 'eventstoredb',
    head: '4711',
    foreign: { count: 0, open: 0, newest: [] },
    perMinute: [0, 1],
    chain: { state: 'followed', checked: 0, position: '4711' },
    ...eventLog,
  },
  processes: [],
  events: [],
});

test('warns when all calls come from one address', async () => {
  const hiddenCallers = { address: '172.18.0.2', trusted: false, reports: true };
  open('/superadmin', { 'POST /api/superadmin/overview': { body: { ...overviewWith({}), hiddenCallers } } });
  expect(await screen.findByText('All calls come from 172.18.0.2')).toBeVisible();
  expect(screen.getByText(/name it in TRUSTED_PROXIES/)).toBeVisible();
});

test('names the streams that were truncated or deleted in the event log', async () => {
  const installation = overviewWith({
    truncated: [
      { stream: 'server-1', limits: 'deleted' },
      { stream: 'person-2', limits: '$maxCount 5' },
    ],
  });
  open('/superadmin', { 'POST /api/superadmin/overview': { body: installation } });
  expect(await screen.findByText('2 streams')).toBeVisible();
  expect(screen.getByText('server-1: deleted')).toBeVisible();
  expect(screen.getByText('person-2: $maxCount 5')).toBeVisible();
});

test('acknowledges foreign events with a reason, up to the newest one shown', async () => {
  const event = (position: string) => ({
    position,
    stream: 'person-1',
    type: 'PersonRoleChanged',
    recordedAt: now,
    reason: 'it has no tag',
  });
  const acknowledged = { at: now, by: 'Ada', reason: 'the old backup job' };
  const newest = [event('4710'), { ...event('4000'), acknowledged }];
  const { calls } = open('/superadmin', {
    'POST /api/superadmin/overview': { body: overviewWith({ foreign: { count: 2, open: 1, newest } }) },
    'POST /api/superadmin/foreign/acknowledge': { body: { upTo: '4710' } },
  });
  expect(await screen.findByText('1 event')).toBeVisible();
  expect(await screen.findByText(/Acknowledged by Ada, .*: the old backup job/)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Acknowledge' }));
  const form = screen.getByRole('form', { name: 'Acknowledge events of others' });
  await userEvent.click(within(form).getByRole('button', { name: 'Acknowledge' }));
  expect(bodiesOf(calls, '/api/superadmin/foreign/acknowledge')).toEqual([]);
  await userEvent.type(within(form).getByLabelText(/Reason/), 'the new one, too{Enter}');
  await waitFor(() =>
    expect(bodiesOf(calls, '/api/superadmin/foreign/acknowledge')).toEqual([
      { upTo: '4710', reason: 'the new one, too' },
    ]),
  );
});

test('a rebuild begins after a confirmation', async () => {
  const { calls } = open(READ_MODELS, {
    'POST /api/superadmin/projections/rebuild': { body: { maintenance } },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Rebuild all' }));
  const question = await screen.findByRole('dialog', { name: 'Rebuild all read models?' });
  expect(question).toHaveTextContent('which stay in use until then');
  await userEvent.click(within(question).getByRole('button', { name: 'Rebuild' }));
  await waitFor(() =>
    expect(bodiesOf(calls, '/api/superadmin/projections/rebuild')).toEqual([{ readModel: 'all' }]),
  );
});

test('shows the progress of maintenance, blocks another rebuild, and cancels it', async () => {
  const { calls } = open(READ_MODELS, {
    'POST /api/superadmin/projections': { body: { ...view, ...underWay } },
    'POST /api/superadmin/projections/cancel': { body: { maintenance } },
  });
  const bar = await screen.findByRole('progressbar', { name: 'Rebuilding all read models' });
  expect(bar).toHaveAttribute('aria-valuenow', '34');
  expect(screen.getByText('340 of 1,000 events, 34 %, 60 a second, about 11 s left')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Rebuild all' })).toBeDisabled();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() =>
    expect(bodiesOf(calls, '/api/superadmin/projections/cancel')).toEqual([{ maintenance }]),
  );
});

test('shows a refusal on the page', async () => {
  open(READ_MODELS, {
    'POST /api/superadmin/projections/verify': {
      status: 409,
      body: { msg: 'a rebuild of servers is already under way; wait for it to end' },
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Verify all' }));
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Verify' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('a rebuild of servers is already under way');
});

test('lists a parked stream, and shows why its retry failed', async () => {
  const { calls } = open(READ_MODELS, {
    'POST /api/superadmin/projections/retry': { body: { ok: false, error: 'TypeError: still so' } },
  });
  expect(await screen.findByText('ServerRenamed at 7, 2 more wait behind it')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Retry server-1 in servers' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('TypeError: still so');
  expect(bodiesOf(calls, '/api/superadmin/projections/retry')).toEqual([
    { readModel: 'servers', stream: 'server-1' },
  ]);
});

test('requests runs in the state named in the address', async () => {
  const { calls } = open('/superadmin?tab=runs&state=failed', {
    'POST /api/superadmin/runs': { body: { runs: [] } },
  });
  expect(await screen.findByText('No failed runs')).toBeVisible();
  expect(bodiesOf(calls, '/api/superadmin/runs')[0]).toEqual({ state: 'failed' });
});

test('links a person to their page in the own workspace only, not in others', async () => {
  const own = sessionOf().instance;
  const membership = { role: 'admin', joinedAt: now };
  open('/superadmin?tab=people', {
    'POST /api/superadmin/people': {
      body: {
        found: 1,
        total: 1,
        options: {},
        rows: [
          {
            id: 'a',
            name: 'Mia Novak',
            memberships: [
              { ...membership, person: 'p1', workspace: { id: own.uuid, name: own.name } },
              { ...membership, person: 'p2', workspace: { id: 'w2', name: 'quay' } },
            ],
          },
        ],
      },
    },
  });
  const row = within(await screen.findByRole('row', { name: /Mia Novak/ }));
  expect(row.getByRole('link', { name: 'harbour' })).toHaveAttribute('href', '/app/members/p1');
  expect(row.getByText('quay')).toBeVisible();
  expect(row.queryByRole('link', { name: 'quay' })).toBeNull();
});

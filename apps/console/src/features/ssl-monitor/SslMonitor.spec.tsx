/** covers: DOM-01, DOM-09, DOM-10, DOM-11 */
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  defaultSslMonitor,
  noSslChecks,
  sslColumns,
  type OutputChunk,
  type SslCheck,
  type SslMonitorStatus,
} from '@quarterdeck/projections';
import { startLive } from '../../core/live';
import { LoopbackSocket } from '../../testing/loopback-socket';
import { answerWith, type Call } from '../../testing/network';
import { press } from '../../testing/presses';
import { pagesOf } from '../../testing/pages';
import { renderPage, sessionOf } from '../../testing/render';
import { SslMonitorPanel } from '.';

const RUN = '01930000-0000-7000-8000-000000000e01';
const DOMAIN = '01930000-0000-7000-8000-000000000d01';
const at = '2026-11-20T12:00:00.000Z';
const me = sessionOf().profile.id;

// jsdom does no layout, but the virtual list needs the size of its viewport and of a line.
beforeAll(() => {
  Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, get: () => 256 });
  Object.defineProperty(HTMLElement.prototype, 'offsetHeight', {
    configurable: true,
    get(this: HTMLElement) {
      return this.dataset['index'] === undefined ? 256 : 22;
    },
  });
  Object.defineProperty(HTMLElement.prototype, 'clientWidth', { configurable: true, get: () => 800 });
});

const runOf = (state: string, more: object = {}) => ({
  id: RUN,
  kind: 'sslMonitor',
  label: 'SSL monitor',
  input: {},
  state,
  requestedBy: me,
  subject: { kind: 'workspace', id: 'w', name: 'harbour' },
  requestedAt: at,
  startedAt: at,
  correlationId: 'c',
  parent: '',
  steps: [],
  revision: 1,
  ...(state === 'running' ? {} : { endedAt: at, durationMs: 1200 }),
  ...more,
});
const standing = (phase: SslMonitorStatus['phase'], checked: number): SslMonitorStatus => ({
  run: RUN,
  phase,
  counters: { ...noSslChecks, total: 12, checked },
});
const chunk = (seq: number, text: string): OutputChunk => ({ seq, at, stream: 'out', text });
const workspace = (revision: number, sslMonitor = defaultSslMonitor) => ({
  id: 'w',
  workspace: 'w',
  name: 'harbour',
  createdAt: at,
  sslMonitor,
  revision,
  position: '1',
});

const stops: (() => void)[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop()));

const open = async (handlers: Parameters<typeof answerWith>[0] = {}) => {
  const network = answerWith({
    'POST /api/ssl/status': { body: { phase: 'idle', counters: noSslChecks }, position: '10' },
    'POST /api/run/list': { body: { runs: [] }, position: '10' },
    'POST /api/person/list': { body: [], position: '10' },
    'POST /api/workspace/detail': { body: workspace(4), position: '10' },
    'POST /api/run/output': { body: { chunks: [], more: false } },
    ...handlers,
  });
  const view = renderPage(<SslMonitorPanel />, { session: sessionOf('admin') });
  const socket = new LoopbackSocket();
  socket.answer('resume', (payload) => ({ events: [], position: (payload as { after: string }).after }));
  await act(async () => void stops.push(startLive(view.store, async () => socket.client)));
  const asked = (path: string): unknown[] =>
    network.calls.filter((call: Call) => call.path === `/api/${path}`).map(({ body }) => body);
  return { ...network, ...view, socket, asked };
};
const running = (phase: SslMonitorStatus['phase'], checked: number) => ({
  'POST /api/ssl/status': { body: standing(phase, checked), position: '10' },
  'POST /api/run/detail': { body: runOf('running'), position: '10' },
  'POST /api/run/list': { body: { runs: [runOf('running')] }, position: '10' },
});
const tell = (socket: LoopbackSocket, event: string, payload: unknown) =>
  act(async () => socket.push(event, payload));
const tileOf = (label: string): string =>
  screen.getByText(label, { selector: 'dt' }).nextSibling?.textContent ?? '';

test('before the first run, says what will appear here, and starts one under an id chosen by the console', async () => {
  const { asked, on } = await open({ 'POST /api/ssl/run': { body: { runId: RUN }, position: '11' } });
  expect(await screen.findByText('Idle: has not run yet')).toBeVisible();
  expect(screen.queryByText('Progress will appear here, line by line.')).toBeNull();
  await userEvent.click(screen.getByText('Activity log and last runs'));
  expect(await screen.findByText('Progress will appear here, line by line.')).toBeVisible();
  expect(screen.getByText(/No schedule/)).toBeVisible();
  on('POST /api/run/detail', { body: runOf('running'), position: '11' });
  on('POST /api/ssl/status', { body: standing('fetching', 0), position: '11' });
  await userEvent.click(screen.getByRole('button', { name: 'Check only' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Stop' })).toBeEnabled());
  expect(asked('ssl/run')).toEqual([{ runId: expect.stringMatching(/^[0-9a-f-]{36}$/), checkOnly: true }]);
  expect(screen.queryByRole('button', { name: 'Start SSL monitor' })).not.toBeInTheDocument();
});

test('shows why a start was refused, and links to the run in progress', async () => {
  await open({
    'POST /api/ssl/run': {
      status: 409,
      body: { msg: 'SSL monitor is under way on harbour', current: { runId: RUN } },
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Start SSL monitor' }));
  expect(await screen.findByText('SSL monitor is under way on harbour')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Open the current run' })).toHaveAttribute(
    'href',
    `/app/run/${RUN}`,
  );
  expect(screen.getByRole('button', { name: 'Start SSL monitor' })).toBeEnabled();
});

test('counters, bar and phase follow the pushed status', async () => {
  const { socket } = await open(running('checking', 3));
  expect(await screen.findByText('Checking each: 3 of 12 domains checked')).toBeVisible();
  const told = standing('renewing', 12);
  await tell(socket, 'ssl', { ...told, counters: { ...told.counters, expired: 2, renewed: 1 } });
  expect(screen.getByText('Renewing expired: 1 renewed, 0 failed')).toBeVisible();
  expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '12');
  expect(['Total', 'Expiring', 'Expired', 'Renewed', 'Failed'].map(tileOf)).toEqual([
    '12',
    '0',
    '2',
    '1',
    '0',
  ]);
});

test('fetches the status again after a lost connection', async () => {
  const { socket, on, asked } = await open(running('checking', 3));
  await screen.findByText('Checking each: 3 of 12 domains checked');
  await act(async () => socket.lose());
  const before = asked('ssl/status').length;
  on('POST /api/ssl/status', { body: standing('checking', 9), position: '10' });
  await act(async () => void socket.connect());
  expect(await screen.findByText('Checking each: 9 of 12 domains checked')).toBeVisible();
  expect(asked('ssl/status').length).toBe(before + 1);
});

test('shows a stop as requested at once, and as stopped when the run has ended', async () => {
  const { socket, on, asked } = await open({
    ...running('checking', 3),
    'POST /api/run/cancel': { body: {}, position: '11' },
  });
  // Its run has to be known first.
  await waitFor(() => expect(screen.getByRole('button', { name: 'Stop' })).toBeEnabled());
  await userEvent.click(screen.getByRole('button', { name: 'Stop' }));
  on('POST /api/run/detail', { body: runOf('running', { cancelRequested: { at, by: me } }), position: '11' });
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel the run' }));
  expect(await screen.findByRole('button', { name: 'Stop requested' })).toBeDisabled();
  expect(await screen.findByText(/requested the cancellation/)).toBeVisible();
  expect(asked('run/cancel')).toEqual([{ id: RUN }]);
  expect(screen.queryByText('Stopped')).not.toBeInTheDocument();
  on('POST /api/run/detail', { body: runOf('cancelled'), position: '12' });
  on('POST /api/ssl/status', { body: standing('stopped', 4), position: '12' });
  const ended = { type: 'RunCancelled', stream: `run-${RUN}`, position: '12' };
  await tell(socket, 'changes', { events: [ended], position: '12' });
  expect(await screen.findByText('Stopped')).toBeVisible();
  // A message sent before the end that arrives after it.
  await tell(socket, 'ssl', standing('checking', 4));
  expect(screen.getByText('Stopped')).toBeVisible();
  expect(await screen.findByRole('button', { name: 'Start SSL monitor' })).toBeEnabled();
});

test('labels each log line with its level, and renders only the lines in view', async () => {
  const { socket } = await open(running('checking', 3));
  await screen.findByText('Waiting for the first line …');
  await waitFor(() => expect(socket.sent).toContainEqual({ event: 'watch', payload: { run: RUN } }));
  const output = (seq: number, text: string) =>
    tell(socket, 'output', { run: RUN, chunks: [chunk(seq, text)] });
  await output(1, '[info] Fetching domains...\n[warning] Failed to check SSL for a.test\nfrom elsewhere\n');
  const log = await screen.findByRole('log', { name: 'Activity log' });
  await waitFor(() =>
    expect(log).toHaveTextContent(/info ?Fetching domains\.\.\..*warning ?Failed to check/),
  );
  expect(log).toHaveTextContent(/info ?from elsewhere/);
  expect(log).not.toHaveTextContent('[warning]');
  await output(2, Array.from({ length: 10_000 }, (_, line) => `[success] line ${line}\n`).join(''));
  await waitFor(() => expect(log.querySelectorAll('[data-level]').length).toBeGreaterThan(5));
  expect(log.querySelectorAll('[data-level]').length).toBeLessThan(100);
});

test('the outcome tiles add up to the total, and the bar is green only when all is well', async () => {
  const counters = { ...noSslChecks, total: 7, checked: 7 };
  const { socket } = await open({
    ...running('complete', 7),
    'POST /api/ssl/status': {
      body: { run: RUN, phase: 'complete', counters: { ...counters, valid: 1, unreachable: 4, invalid: 2 } },
      position: '10',
    },
    'POST /api/run/detail': { body: runOf('succeeded'), position: '10' },
  });
  await screen.findByText(/Complete: 7 of 7 domains checked/);
  const outcomes = ['Valid', 'Expiring', 'Expired', 'Unreachable', 'Not valid', 'Not checked'];
  expect(outcomes.map(tileOf)).toEqual(['1', '0', '0', '4', '2', '0']);
  expect(tileOf('Total')).toBe('7');
  const bar = screen.getByRole('progressbar', { name: 'Domains checked' });
  expect(bar).toHaveAttribute('data-tone', 'bad');
  expect(screen.getByText('Complete').closest('[data-tone]')).toHaveAttribute('data-tone', 'bad');

  await tell(socket, 'ssl', { run: RUN, phase: 'complete', counters: { ...counters, valid: 7 } });
  expect(bar).toHaveAttribute('data-tone', 'good');
});

test('a run that found problems lists the worst ones with their reasons', async () => {
  const counters = { ...noSslChecks, total: 9, checked: 9, valid: 2, expired: 1, unreachable: 6 };
  const bad = (name: string, found: SslCheck['found']): SslCheck => ({
    domain: `${DOMAIN}-${name}`,
    serverName: `${name}.test`,
    ...(found && { found }),
  });
  const { asked } = await open({
    ...running('complete', 9),
    'POST /api/ssl/status': { body: { run: RUN, phase: 'complete', counters }, position: '10' },
    'POST /api/run/detail': { body: runOf('succeeded'), position: '10' },
    'POST /api/ssl/checks': {
      body: [
        bad('old', { label: 'expired', valid: false, reason: 'It expired on Nov 1' }),
        ...['a', 'b', 'c', 'd'].map((name) =>
          bad(name, { label: 'unchecked', valid: false, code: 'refused', reason: 'Nothing listens there' }),
        ),
      ],
    },
  });
  const problems = within(await screen.findByRole('region', { name: 'Problems' }));
  const [first, ...others] = problems.getAllByRole('listitem');
  expect(first).toHaveTextContent(/old\.test.*expired.*It expired on Nov 1\./);
  expect(within(first as HTMLElement).getByRole('link')).toHaveAttribute(
    'href',
    `/app/domain/${DOMAIN}-old/edit?tab=certificate`,
  );
  expect(others).toHaveLength(4);
  expect(problems.getByText('2 more below')).toBeVisible();
  expect(asked('ssl/checks')).toEqual([{ id: RUN, problems: 5 }]);
});

test('fetches the domains of a run when opened, and again as more are checked', async () => {
  const check: SslCheck = { domain: DOMAIN, serverName: 'shop.test' };
  const { socket, on, asked } = await open({
    ...running('checking', 0),
    'POST /api/ssl/checks/page': pagesOf(sslColumns, [check]),
  });
  await screen.findByText('Checking each: 0 of 12 domains checked');
  expect(asked('ssl/checks/page')).toEqual([]);
  await userEvent.click(screen.getByText('Domain by domain'));
  const row = async () => within(await screen.findByRole('table')).findByRole('row', { name: /shop\.test/ });
  expect(await row()).toHaveTextContent('waiting');
  const found: SslCheck = {
    ...check,
    found: { label: 'expired', valid: false, daysRemaining: -3, reason: 'It has expired' },
    renewal: { is: 'failed', run: RUN, reason: 'Nothing listens there' },
  };
  on('POST /api/ssl/checks/page', pagesOf(sslColumns, [found]));
  await tell(socket, 'ssl', standing('checking', 1));
  await waitFor(async () => expect(await row()).toHaveTextContent(/-3.*expired.*failed/));
  expect(await row()).toHaveTextContent('It has expired. Nothing listens there.');
  expect(
    within(await row())
      .getByText('-3')
      .closest('[data-tone]'),
  ).toHaveAttribute('data-tone', 'bad');
  expect(within(await row()).getByRole('link', { name: 'Open run' })).toHaveAttribute(
    'href',
    `/app/run/${RUN}`,
  );
});

test('shows many days left as bad if the certificate is for another name', async () => {
  const found = { label: 'valid', valid: false, code: 'NAME_MISMATCH', daysRemaining: 89 } as const;
  await open({
    ...running('checking', 1),
    'POST /api/ssl/checks/page': pagesOf(sslColumns, [{ domain: DOMAIN, serverName: 'shop.test', found }]),
  });
  await userEvent.click(await screen.findByText('Domain by domain'));
  const row = within(await screen.findByRole('row', { name: /shop\.test/ }));
  expect(row.getByText('wrong name')).toBeVisible();
  expect(row.getByText('89').closest('[data-tone]')).toHaveAttribute('data-tone', 'bad');
});

test('fetches ten thousand domains page by page, searched by the back end', async () => {
  const checks = Array.from({ length: 10_000 }, (_, n): SslCheck => ({
    domain: `${DOMAIN}-${n}`,
    serverName: `site-${n}.test`,
    found: { label: n === 9_000 ? 'expired' : 'valid', valid: n !== 9_000, daysRemaining: n },
  }));
  const { asked } = await open({
    ...running('checking', 12),
    'POST /api/ssl/checks/page': pagesOf(sslColumns, checks),
  });
  await userEvent.click(await screen.findByText('Domain by domain'));
  expect(await screen.findByText('1–25 of 10,000')).toBeVisible();
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search domains of the run' }), 'expired');
  expect(await screen.findByRole('row', { name: /site-9000\.test/ })).toBeVisible();
  await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2));
  // What was typed before the last letter may have found the same.
  await waitFor(() =>
    expect(asked('ssl/checks/page').at(-1)).toEqual({ id: RUN, search: 'expired', size: 25 }),
  );
});

test('lists past runs with their counters, who started them, and a link to the replay', async () => {
  const steps = [
    { step: 'renew', attempt: 1, state: 'succeeded', startedAt: at, report: { total: '12', failed: '2' } },
  ];
  await open({
    'POST /api/run/list': {
      body: {
        runs: [runOf('succeeded', { requestedBy: 'system', steps }), runOf('cancelled', { id: DOMAIN })],
      },
    },
  });
  await userEvent.click(await screen.findByText('Activity log and last runs'));
  const [scheduled, stopped] = await within(
    await screen.findByRole('list', { name: 'Last runs' }),
  ).findAllByRole('listitem');
  expect(scheduled).toHaveTextContent(/succeeded.*by the schedule.*12 domains, 2 renewals failed/);
  expect(stopped).toHaveTextContent(/cancelled.*by Ada Marsh/);
  expect(within(stopped as HTMLElement).getByRole('link', { name: /^Replay/ })).toHaveAttribute(
    'href',
    `/app/run/${DOMAIN}`,
  );
});

test('fetches the remaining rate limits only when they are opened', async () => {
  const words = '0 of 50 certificates for shop.test and the names below it left in 7 days.';
  const budgets = [{ limit: 'registeredDomain', of: 'shop.test', left: 0, outOf: 50, words }];
  const { asked } = await open({
    'POST /api/ssl/budget': {
      body: [{ domain: 'shop.test', allowed: false, nextAt: at, words: 'Wait.', budgets }],
    },
  });
  const summary = await screen.findByText('Remaining rate limits of the certificate authority');
  expect(asked('ssl/budget')).toEqual([]);
  await userEvent.click(summary);
  expect(await screen.findByText(words)).toBeVisible();
  expect(screen.getByText('has to wait')).toBeVisible();
});

test('saves settings with the revision they were based on, and an empty schedule as none', async () => {
  const { asked, on } = await open({
    'POST /api/workspace/ssl-monitor': { body: { id: 'w' }, position: '11' },
  });
  await userEvent.click(await screen.findByText('Settings'));
  await userEvent.clear(await screen.findByLabelText('Concurrency'));
  await userEvent.type(screen.getByLabelText('Concurrency'), '101');
  await userEvent.clear(screen.getByLabelText(/^Schedule/));
  await press(() => screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('numbers above 100 are not accepted')).toBeVisible();
  expect(asked('workspace/ssl-monitor')).toEqual([]);
  const { schedule: _none, ...paces } = { ...defaultSslMonitor, concurrency: 10 };
  on('POST /api/workspace/detail', { body: workspace(5, paces), position: '11' });
  await userEvent.type(screen.getByLabelText('Concurrency'), '{Backspace}');
  await press(() => screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(asked('workspace/ssl-monitor')).toEqual([{ ...paces, revision: 4 }]));
  // A person's own change does not conflict with their next one.
  expect(await screen.findByText(/10 at once/)).toBeVisible();
  await userEvent.type(screen.getByLabelText(/^Schedule/), '5 4 * * *');
  await press(() => screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(asked('workspace/ssl-monitor').at(-1)).toEqual({ ...paces, schedule: '5 4 * * *', revision: 5 }),
  );
  await userEvent.click(screen.getByLabelText(/^Renew only expired certificates/));
  await press(() => screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(asked('workspace/ssl-monitor').at(-1)).toMatchObject({ onlyExpired: true, schedule: '5 4 * * *' }),
  );
});

test('says in the activity log when the output of an old run was removed', async () => {
  const ended = runOf('succeeded', { outputRemoved: { at, days: 30, bytes: 4_096 } });
  await open({
    'POST /api/ssl/status': { body: standing('complete', 12), position: '10' },
    'POST /api/run/detail': { body: ended, position: '10' },
    'POST /api/run/list': { body: { runs: [ended] }, position: '10' },
  });
  await userEvent.click(await screen.findByText('Activity log and last runs'));
  expect(await screen.findByText(/4,096 bytes, was removed/)).toHaveTextContent(
    /this workspace kept it for 30 days/,
  );
  expect(await screen.findByText('The output was removed.')).toBeVisible();
  expect(screen.queryByText('This run printed nothing.')).toBeNull();
});

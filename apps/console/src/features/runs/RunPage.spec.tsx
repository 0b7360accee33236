/** covers: AUD-02, SHELL-09 */
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { RunView } from '@quarterdeck/projections';
import { routes } from '../../app/router';
import { answerWith, type Call } from '../../testing/network';
import { press } from '../../testing/presses';
import { printedAfter, printedRows } from '../../testing/printed';
import { renderRoutes, sessionOf } from '../../testing/render';

const ID = '01930000-0000-7000-8000-000000000701';
const START = Date.parse('2026-11-20T10:00:00Z');
const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString();

const run: RunView = {
  id: ID,
  uuid: ID,
  workspace: 'w',
  kind: 'initializeServer',
  label: 'Initialize Server',
  parent: '',

  subject: { kind: 'server', id: '01930000-0000-7000-8000-000000000001', name: 'web-1' },
  subjectId: '',
  serverId: '',
  input: {},
  state: 'failed',
  requestedBy: 'cli',
  requestedAt: at(0),
  startedAt: at(0),
  requestedPosition: '1',
  correlationId: 'c',
  revision: 5,
  position: '9',
  endedAt: at(20),
  durationMs: 20_000,
  reason: 'The firewall is shut',
  code: 'exit',
  steps: [
    {
      step: 'reach',
      attempt: 1,
      state: 'succeeded',
      startedAt: at(0),
      durationMs: 10_000,
      output: { bytes: 8, sha256: 'aa' },
      report: { osName: 'Debian 12', changed: 'installed curl\nmade /srv' },
    },
    {
      step: 'firewall',
      attempt: 1,
      state: 'failed',
      startedAt: at(10),
      durationMs: 10_000,
      exitCode: 3,
      output: { bytes: 6, sha256: 'bb' },
    },
  ],
};

const chunk = (seq: number, seconds: number, text: string, step: string) => ({
  seq,
  at: at(seconds),
  stream: 'out',
  text,
  step,
  attempt: 1,
});
const chunks = [
  chunk(1, 1, 'hello\n', 'reach'),
  chunk(2, 9, 'there\n', 'reach'),
  chunk(3, 12, 'shut\n', 'firewall'),
];

const checked = (matches: boolean) => ({
  steps: run.steps.map(({ step, attempt, output }, index) => ({
    step,
    attempt,
    recorded: output,
    actual: index === 0 && !matches ? { bytes: 9, sha256: 'cc' } : output,
    matches: matches || index > 0,
  })),
});

const open = async (
  view: Partial<RunView> = {},
  address = `/app/run/${ID}`,
  matches = true,
  answers: Parameters<typeof answerWith>[0] = {},
) => {
  let shown: RunView = { ...run, ...view };
  let position = 10;
  const network = answerWith({
    'GET /api/session': { body: sessionOf('admin'), position: '10' },
    'POST /api/run/list': { body: { runs: [] } },
    'POST /api/person/list': { body: [] },
    'POST /api/run/detail': () => ({ body: shown, position: String(position) }),
    'POST /api/run/output': { body: { chunks, more: false } },
    'POST /api/run/check': { body: checked(matches) },
    'POST /api/run/cancel': { body: { id: ID, uuid: ID } },
    'POST /api/run/retry': { status: 409, body: { msg: 'Docker prune is under way on web-1' } },
    ...answers,
  });
  const page = renderRoutes(routes, { at: address, session: sessionOf('admin') });
  await screen.findByRole('heading', { level: 1, name: new RegExp(shown.label) });
  const become = (next: Partial<RunView>): void => {
    shown = { ...shown, ...next };
    position += 1;
    act(() =>
      page.store.liveCache.push([
        { type: 'RunCancelRequested', stream: `run-${ID}`, position: String(position) },
      ]),
    );
  };
  const bodies = (path: string) =>
    network.calls.filter((call: Call) => call.path === path).map(({ body }) => body);
  return { ...page, become, bodies };
};

// jsdom has no layout, but the virtual list needs the size of its viewport.
beforeAll(() => {
  for (const [name, value] of [
    ['clientHeight', 400],
    ['clientWidth', 800],
  ] as const)
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => value });
});
afterEach(() => window.history.replaceState(null, '', '/'));
beforeEach(() => {
  localStorage.clear();
  localStorage.setItem('quarterdeck.output-wrap', 'false');
});

const named = { name: 'Output of Initialize Server on web-1' };
const output = () => screen.getByRole('log', named);

test('shows each step by name with its report, and a click goes to its first line of output', async () => {
  const { router } = await open();
  const steps = within(screen.getByRole('region', { name: 'Steps' }));
  const log = within(await screen.findByRole('log', named));
  expect(await log.findByRole('heading', { name: 'Check the firewall' })).toBeInTheDocument();
  // Reports are collapsed, because on a phone they would push the output far down.
  expect(steps.queryByText('os name')).not.toBeInTheDocument();
  await userEvent.click(steps.getByText('Details'));
  expect(await steps.findByText('os name')).toBeVisible();
  expect(steps.getByText('Debian 12')).toBeVisible();
  expect(within(steps.getByRole('list', { name: 'Changes made' })).getAllByRole('listitem')).toHaveLength(2);
  expect(steps.getByText('exit code 3')).toBeVisible();
  await userEvent.click(steps.getByRole('button', { name: 'Check the firewall' }));
  expect(router.state.location.hash).toBe('#L3');
});

test('a failed run opens at its error and shows the reason, the next step and the exit code', async () => {
  await open({ reason: 'Check the firewall ended with exit code 3' });
  const alert = (await screen.findByText('shut', { selector: '.mantine-Alert-title *' })).closest(
    '[role=alert]',
  );
  expect(alert).toHaveTextContent(
    /^shut.*Fix the cause on the server, then retry.*ended with exit code 3\..*Line 3 of the output$/,
  );
  await waitFor(() => expect(output().querySelector('[data-selected]')).toHaveTextContent('shut'));
});

test('shows a reason taken from the output as the title, with a link to its line', async () => {
  await open(
    {
      reason: 'there',
      steps: [run.steps[0] as never, { ...run.steps[1], step: 'reach', attempt: 2 } as never],
    },
    undefined,
    true,
    {
      'POST /api/run/output': {
        body: { chunks: [{ ...chunk(1, 1, 'error: one\nthere\nbye\n', 'reach'), attempt: 2 }], more: false },
      },
    },
  );
  const alert = (await screen.findByText('there', { selector: '.mantine-Alert-title *' })).closest(
    '[role=alert]',
  );
  await waitFor(() => expect(alert).toHaveTextContent(/^there.*attempt 2 ended with exit code 3\..*Line 2/));
});

test('shows a reason that needs no output, with a link to the page where it can be fixed', async () => {
  await open({ reason: 'Nothing listens at 10.0.0.3 port 22.', code: 'refused', serverId: 's', steps: [] });
  const alert = (await screen.findByText('Nothing listens at 10.0.0.3 port 22.')).closest<HTMLElement>(
    '[role=alert]',
  );
  if (!alert) throw new Error('the reason is not in an alert');
  expect(within(alert).getByRole('link', { name: 'Edit the address' })).toHaveAttribute(
    'href',
    '/app/server/s/detail?mode=edit',
  );
});

test('shows a badge for output that matches its record, and offers the recording as a download', async () => {
  await open();
  expect(await screen.findByText('Integrity verified')).toBeVisible();
  expect(screen.queryByText('The output differs from the record')).toBeNull();
  expect(await screen.findByRole('link', { name: 'Download recording (asciicast)' })).toHaveAttribute(
    'href',
    `/api/run/cast?id=${ID}`,
  );
});

test('raises an alert that names the step whose output differs from its record', async () => {
  await open({}, undefined, false);
  const alarm = (await screen.findByText('The output differs from the record')).closest<HTMLElement>(
    '[role=alert]',
  );
  expect(alarm).toHaveTextContent(
    'Reach the server: recorded 8 bytes with SHA-256 aa, found 9 bytes with cc.',
  );
  expect(alarm).not.toHaveTextContent('firewall');
});

test('shows the output together with the result of its check, so that no alert pushes it later', async () => {
  let answer: (() => void) | undefined;
  const { bodies } = await open({}, undefined, true, {
    'POST /api/run/check': () =>
      new Promise((done) => {
        answer = () => done({ body: checked(false) });
      }),
  });
  await waitFor(() => expect(bodies('/api/run/output')).toHaveLength(1));
  await waitFor(() => expect(answer).toBeDefined());
  expect(screen.queryByRole('log')).toBeNull();
  expect(screen.getByRole('status', { name: 'Loading output' })).toBeInTheDocument();
  await act(async () => answer?.());
  expect(await screen.findByText('The output differs from the record')).toBeVisible();
  expect(screen.getByRole('log')).toBeVisible();
});

test('does not say that there is no output when it could not be loaded', async () => {
  await open({}, undefined, true, {
    'POST /api/run/output': { status: 503, body: { msg: 'The database restarts' } },
  });
  expect(await screen.findByText('Output could not be loaded')).toBeVisible();
  expect(screen.queryByText(/no longer available|No output/)).toBeNull();
});

test('counts the servers of a run on many servers that are done, not only those of the first page', async () => {
  const servers = Array.from({ length: 120 }, (_, n) => `s${n}`);
  const { steps: _steps, endedAt: _endedAt, durationMs: _durationMs, ...live } = run;
  const view = { ...live, kind: 'fleet', state: 'running', input: { servers }, steps: [] } as RunView;
  const part = (n: number) => ({ ...run, id: `p${n}`, state: n < 90 ? 'succeeded' : 'running' });
  await open({ ...view, endedAt: undefined, durationMs: undefined } as Partial<RunView>, undefined, true, {
    'POST /api/fleet/detail': {
      body: {
        run: view,
        hosts: servers.map((id, n) => ({
          server: { id, name: id },
          runId: `p${n}`,
          ...(n < 100 ? { run: part(n) } : n < 110 && { notStarted: 'deleted' }),
        })),
      },
    },
  });
  expect(await screen.findByText('100 of 120')).toBeVisible();
});

test('reports removed output with its size and retention period', async () => {
  const outputRemoved = { at: at(3_000_000), days: 30, bytes: 1_048_576 };
  const { steps } = checked(true);
  await open({ outputRemoved }, undefined, true, {
    'POST /api/run/output': { body: { chunks: [], more: false } },
    'POST /api/run/check': {
      body: { steps: steps.map(({ matches: _none, ...step }) => ({ ...step, removed: true })) },
    },
  });
  expect(await screen.findByText(/1,048,576 bytes, was removed/)).toHaveTextContent(
    /this workspace kept it for 30 days/,
  );
  expect(await screen.findByText('was removed')).toBeVisible();
  expect(await screen.findByText('The output was removed.')).toBeVisible();
  expect(screen.queryByText(/differs from the record/)).not.toBeInTheDocument();
});

test('does not check the output in a view of the past, and says why', async () => {
  window.history.replaceState(null, '', `/app/run/${ID}?at=41`);
  const { bodies } = await open({}, `/app/run/${ID}?at=41`);
  expect(await screen.findByText('not checked: the check works only in the present')).toBeVisible();
  expect(bodies('/api/run/check')).toEqual([]);
  expect(screen.queryByRole('alert', { name: /differs from the record/ })).toBeNull();
});

test('a run of under a second has no player, unless a link leads to a moment of it', async () => {
  const steps = [{ ...run.steps[0], durationMs: 400 }] as RunView['steps'];
  const short = { state: 'succeeded', steps, endedAt: at(0), durationMs: 400 } as const;
  const first = await open(short);
  expect(await screen.findByText('3 lines')).toBeVisible();
  expect(screen.queryByRole('slider')).toBeNull();
  first.unmount();
  await open(short, `/app/run/${ID}?t=0.2`);
  expect(await screen.findByRole('slider')).toBeVisible();
});

test('a link to a second shows the output and the steps as they were then', async () => {
  await open({}, `/app/run/${ID}?t=9.5`);
  expect(await screen.findByText('2 lines')).toBeVisible();
  const steps = within(screen.getByRole('region', { name: 'Steps' }));
  expect(steps.getByText('running')).toBeVisible();
  expect(steps.getByText('not yet')).toBeVisible();
  expect(steps.queryByText('Debian 12')).toBeNull();
  expect(screen.getByRole('slider')).toHaveAttribute('aria-valuetext', '0:09.5 of 0:20.0, Reach the server');
});

test('arrow keys, page keys, Home and End move through the replay, and the URL follows', async () => {
  const { router } = await open();
  const slider = await screen.findByRole('slider', { name: 'Position in the run' });
  act(() => slider.focus());
  const words = () => slider.getAttribute('aria-valuetext');
  await userEvent.keyboard('{Home}');
  expect(words()).toBe('0:00.0 of 0:20.0, Reach the server');
  expect(screen.getByText('No output up to this moment.')).toBeVisible();
  await userEvent.keyboard('{PageDown}');
  expect(words()).toBe('0:10.0 of 0:20.0, Check the firewall');
  await waitFor(() => expect(router.state.location.search).toBe('?t=10'));
  // "Skip idle" shortens the eight seconds without output to two.
  await userEvent.keyboard('{ArrowLeft}');
  expect(words()).toBe('0:00.0 of 0:20.0, Reach the server');
  await userEvent.keyboard('{ArrowRight}');
  expect(words()).toBe('0:11.0 of 0:20.0, Check the firewall');
  expect(screen.getByText('2 lines')).toBeVisible();
  await userEvent.keyboard('{End}');
  expect(screen.getByText('3 lines')).toBeVisible();
  await waitFor(() => expect(router.state.location.search).toBe(''));
});

test('navigating to another second shows that second', async () => {
  const { go } = await open({}, `/app/run/${ID}?t=9.5`);
  expect(await screen.findByText('2 lines')).toBeVisible();
  await go(`/app/run/${ID}?t=1`);
  expect(await screen.findByText('1 line')).toBeVisible();
  await go(`/app/run/${ID}`);
  expect(await screen.findByText('3 lines')).toBeVisible();
});

test('the space bar plays and pauses, and the speed and "Skip idle" are remembered', async () => {
  const { unmount } = await open();
  const slider = await screen.findByRole('slider');
  await userEvent.click(screen.getByRole('checkbox', { name: 'Skip idle' }));
  // The slowest speed, so it is still playing when the test looks.
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Speed' }), '0.5×');
  act(() => slider.focus());
  await userEvent.keyboard(' ');
  expect(await screen.findByRole('button', { name: 'Pause' })).toBeVisible();
  await userEvent.keyboard(' ');
  expect(await screen.findByRole('button', { name: 'Play' })).toBeVisible();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Speed' }), 'Max speed');
  await userEvent.click(screen.getByRole('button', { name: 'Play' }));
  expect(await screen.findByText('3 lines')).toBeVisible();
  unmount();
  await open();
  expect(await screen.findByRole('combobox', { name: 'Speed' })).toHaveValue('max');
  expect(screen.getByRole('checkbox', { name: 'Skip idle' })).not.toBeChecked();
});

test('asks before it cancels, then shows "requested", and "cancelled" only after the event', async () => {
  const live = { state: 'running', endedAt: undefined, durationMs: undefined, reason: undefined } as const;
  const { become, bodies } = await open(live);
  expect(screen.queryByRole('slider')).toBeNull();
  expect(screen.getByRole('progressbar', { name: 'In progress' })).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel run' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Keep running' }));
  expect(bodies('/api/run/cancel')).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Cancel run' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel the run' }));
  await waitFor(() => expect(bodies('/api/run/cancel')).toEqual([{ id: ID }]));
  expect(screen.queryByText('cancelled')).toBeNull();
  become({ cancelRequested: { at: at(5), by: 'cli' } });
  expect(await screen.findByText('cancel requested')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Cancel requested' })).toBeDisabled();
  const reason = 'as an operator asked; it may still be running on the server';
  become({ state: 'cancelled', endedAt: at(6), durationMs: 6000, reason });
  expect(await screen.findByText('cancelled')).toBeVisible();
  const why = screen.getByText(/^Cancelled by/).closest('[role="alert"]');
  expect(why).toHaveTextContent(/^Cancelled by the command line/);
  expect(why).toHaveTextContent(/it may still be running on the server\.$/);
  expect(screen.queryByText(/as an operator asked/)).toBeNull();
  expect(screen.queryByText('cancel requested')).toBeNull();
});

test('shows on the page why a retry was refused', async () => {
  const { bodies } = await open();
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog).toHaveTextContent('It continues from Check the firewall');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('Docker prune is under way on web-1')).toBeVisible();
  expect(bodies('/api/run/retry')).toEqual([{ id: ID }]);
});

test('a waiting deploy names the run under way, its place in line, its environment and its reason', async () => {
  const release = {
    service: { id: 's', name: 'Orders' },
    env: { id: 3 },
    why: 'The new checkout',
    run: 'requested',
  };
  const waiting = {
    kind: 'deployService',
    label: 'Deploy 1.4.2',
    state: 'requested' as const,
    steps: [],
    linePosition: '9',
    waitsFor: { id: 'before', label: 'Deploy 1.4.1', of: 'Orders', place: 2 },
  };
  await open({ ...waiting, endedAt: undefined, reason: undefined, code: undefined }, undefined, true, {
    'POST /api/deploy/release/detail': { body: release },
  });
  const link = await screen.findByRole('link', { name: 'Deploy 1.4.1 of Orders' });
  expect(link).toHaveAttribute('href', '/app/run/before');
  expect(link.parentElement).toHaveTextContent(
    'Waiting for web-1: Deploy 1.4.1 of Orders is under way. It has place 2 in line.',
  );
  expect(await screen.findByText('The new checkout')).toBeVisible();
  expect(screen.getByText('prod')).toBeVisible();
});

test('prints its facts, steps and all lines, whoever is far down in them', async () => {
  await open();
  await screen.findByRole('log', named);
  const page = await printedAfter(() => press(() => screen.getByRole('button', { name: 'Print' })));
  expect(page.querySelector('h1')).toHaveTextContent('Initialize Server');
  expect(page).toHaveTextContent(/Workspaceharbour.*Statefailed.*ReasonThe firewall is shut.*20 Nov 2026/);
  expect(page).toHaveTextContent(/Requested byThe command line.*Printedby Ada Marsh, .*Times/);
  expect(printedRows(page)[0]).toBe('Step | State | Started | Took | Exit code');
  expect(printedRows(page)).toHaveLength(run.steps.length + 1);
  expect(page.querySelector('pre')?.textContent?.split('\n').length).toBeGreaterThan(2);
});

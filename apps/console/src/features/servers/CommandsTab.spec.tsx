/** covers: SRV-05 */
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { answerWith, type Call } from '../../testing/network';
import { renderPage, sessionOf } from '../../testing/render';
import { serverOf } from '../../testing/server';
import Servers from '.';

const ID = '01930000-0000-7000-8000-000000000001';
const RUN = '01930000-0000-7000-8000-000000000701';
const PART = '01930000-0000-7000-8000-000000000702';
const SCRIPT = '01930000-0000-7000-8000-000000000801';
const at = '2026-11-20T12:00:00.000Z';

const run = (more: object) => ({
  id: RUN,
  uuid: RUN,
  kind: 'command',
  label: 'Docker containers',
  input: { cmdType: 2 },
  subject: { kind: 'server', id: ID, name: 'web-1' },
  state: 'succeeded',
  requestedBy: 'cli',
  requestedAt: at,
  startedAt: at,
  endedAt: at,

  durationMs: 400,
  steps: [{ step: 'dockerPs', attempt: 1, state: 'succeeded', startedAt: at, exitCode: 0 }],
  ...more,
});

const containers = `NAMES     IMAGE      STATUS      PORTS
shop      shop:1.4   Up 3 days   127.0.0.1:8080->80/tcp
`;

const open = (tab: string, text: string, runs: Record<string, object> = { [RUN]: run({}) }) => {
  const network = answerWith({
    'POST /api/server/detail': { body: serverOf(ID, 'web-1') },
    'POST /api/run/list': ({ body }: Call) => ({
      body: {
        runs: Object.values(runs).filter(
          (one) => 'parent' in one && one.parent === (body as { parent?: string }).parent,
        ),
      },
    }),
    'POST /api/run/detail': ({ body }: Call) => ({
      body:
        Object.values(runs).find((one) => 'id' in one && one.id === (body as { id: string }).id) ??
        run(runs.fleet ?? {}),
    }),
    'POST /api/run/output': {
      body: { chunks: [{ seq: 1, at, stream: 'out', text, step: 'x', attempt: 1 }], more: false },
    },
    'POST /api/person/list': { body: [] },
    'POST /api/server/execCmd': { status: 409, body: { msg: 'Docker containers was cancelled' } },
    'POST /api/script/page': {
      body: {
        found: 1,
        total: 1,
        options: {},
        rows: [
          {
            id: SCRIPT,
            name: 'Free space',
            changedAt: at,
            changedBy: 'cli',
            newest: { version: 3, changes: false, timeoutSeconds: 30, at, by: 'cli' },
          },
        ],
      },
    },
    'POST /api/fleet/start': ({ body }: Call) => ({ body: { runId: (body as { runId: string }).runId } }),
  });
  const view = renderPage(<Servers />, {
    at: `/${ID}/detail?tab=commands${tab}`,
    session: sessionOf('admin'),
  });
  return { ...view, ...network };
};

// jsdom has no layout, but the virtual list needs the size of its viewport.
beforeAll(() => {
  for (const [name, value] of [
    ['clientHeight', 400],
    ['clientWidth', 800],
  ] as const)
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => value });
});

test('shows the result of a command as a table, and its raw output on request', async () => {
  open(`&run=${RUN}`, containers);
  const table = await screen.findByRole('table', { name: 'Result of Docker containers on web-1' });
  expect(
    within(table).getByRole('row', { name: 'shop shop:1.4 Up 3 days 127.0.0.1:8080->80/tcp' }),
  ).toBeVisible();
  expect(screen.queryByRole('log')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Show raw output' }));
  expect(await screen.findByRole('log')).toHaveTextContent('NAMES');
  await userEvent.click(screen.getByRole('button', { name: 'Show result' }));
  expect(screen.getByRole('table')).toBeVisible();
});

test('shows output in an unexpected format as plain text', async () => {
  open(`&run=${RUN}`, 'CONTAINER ID   NAME\n1   shop\n');
  expect(await screen.findByRole('log')).toHaveTextContent('CONTAINER ID');
  expect(screen.queryByRole('button', { name: 'Show raw output' })).toBeNull();
});

test('a double click on a command starts one run', async () => {
  const { calls } = open('', containers);
  const command = await screen.findByRole('button', { name: /^Docker containers/ });
  // Both presses are on the page as it was before the run is shown.
  act(() => {
    command.click();
    command.click();
  });
  expect(await screen.findByRole('button', { name: 'Back' })).toBeVisible();
  expect(calls.filter(({ path }) => path === '/api/server/execCmd')).toHaveLength(1);
});

test('does not show a cancelled command as failed, even if its call failed', async () => {
  const cancelRequested = { at, by: 'cli' };
  const reason = 'as an operator asked; it may still be running on the server';
  open('', '', { fleet: { state: 'cancelled', code: 'cancelled', reason, cancelRequested } });
  await userEvent.click(await screen.findByRole('button', { name: /^Docker containers/ }));
  expect(await screen.findByText(/^Cancelled by/)).toBeVisible();
  expect(screen.getByText(/it may still be running on the server\.$/)).toBeVisible();
  expect(screen.queryByText(/failed/)).toBeNull();
});

test('a saved script asks for confirmation, runs on this server only and shows its output here', async () => {
  const part = run({
    id: PART,
    kind: 'script',
    label: 'Free space',
    parent: undefined,
    input: { script: SCRIPT, name: 'Free space', version: 3, changes: false },
  });
  const runs: Record<string, object> = { fleet: {}, part };
  const { calls, router } = open('', '12 GB free\n', runs);
  await userEvent.click(await screen.findByRole('button', { name: /^Free space/ }));
  const dialog = await screen.findByRole('dialog', { name: 'Free space on web-1?' });
  expect(dialog).toHaveTextContent('Version 3 of Free space');
  // The run has the id that the page chose.
  const starts = () =>
    calls.filter(({ path }) => path === '/api/fleet/start').map(({ body }) => body as { runId: string });
  expect(starts()).toEqual([]);
  const asked = () => new URLSearchParams(router.state.location.search).get('run') ?? '';
  Object.defineProperties(runs.fleet, {
    id: { get: asked, enumerable: true },
    kind: { value: 'fleet', enumerable: true },
  });
  Object.defineProperty(part, 'parent', { get: asked, enumerable: true });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Run script' }));
  expect(await screen.findByRole('log', { name: 'Output of Free space on web-1' })).toHaveTextContent(
    '12 GB free',
  );
  expect(starts()).toEqual([{ script: SCRIPT, version: 3, servers: [ID], runId: asked() }]);
  await userEvent.click(screen.getByRole('button', { name: 'Run again' }));
  expect(await screen.findByRole('dialog', { name: 'Free space on web-1?' })).toBeVisible();
});

// covers: SRV-15
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { routes } from '../../app/router';
import { answerWith, type Call } from '../../testing/network';
import { renderRoutes, sessionOf } from '../../testing/render';
import { pageOfServers, serverOf } from '../../testing/server';

const FLEET = '01930000-0000-7000-8000-0000000000f1';
const SCRIPT = '01930000-0000-7000-8000-000000000a01';
const at = '2026-11-20T12:00:00.000Z';
const idOf = (n: number): string => `01930000-0000-7000-8000-000000000${100 + n}`;
const partOf = (n: number): string => `01930000-0000-7000-8000-00000000020${n}`;

const servers = [1, 2, 3].map((n) => serverOf(idOf(n), `web-${n}`));
const script = {
  id: SCRIPT,
  name: 'Free space',
  versions: [{ version: 2, body: 'df -h\n', changes: true, timeoutSeconds: 30 }],
};

const run = (id: string, state: string, more: object = {}) => ({
  id,
  kind: 'fleet',
  label: 'Docker containers',
  subject: { kind: 'fleet', id: FLEET, name: '3 servers' },
  input: { cmdType: 2, concurrency: 10 },
  state,
  requestedBy: sessionOf().profile.id,
  requestedAt: at,
  correlationId: 'c',
  startedAt: at,
  parent: '',
  steps: [],
  ...(state === 'running' ? {} : { endedAt: at, durationMs: 1200 }),
  ...more,
});
const part = (n: number, state: string, exitCode?: number, sha256 = 'same') =>
  run(partOf(n), state, {
    kind: 'command',
    parent: FLEET,
    subject: { kind: 'server', id: idOf(n), name: `web-${n}` },
    steps:
      exitCode === undefined
        ? []
        : [{ step: 'dockerPs', attempt: 1, state, startedAt: at, exitCode, output: { bytes: 9, sha256 } }],
  });
const host = (n: number, more: object = {}) => ({
  server: { id: idOf(n), name: `web-${n}` },
  runId: partOf(n),
  ...more,
});

const open = (address: string, handlers: Parameters<typeof answerWith>[0] = {}) => {
  const network = answerWith({
    'GET /api/session': { body: sessionOf('admin'), position: '10' },
    'POST /api/run/list': { body: { runs: [] } },
    'POST /api/person/list': { body: [] },
    'POST /api/server/page': pageOfServers(servers),
    'POST /api/server/detail': ({ body }) => ({
      body: servers.find(({ id }) => id === (body as { id: string }).id),
    }),
    'POST /api/script/detail': { body: script },
    'POST /api/fleet/start': { body: { runId: FLEET } },
    'POST /api/fleet/detail': { body: { run: run(FLEET, 'running'), hosts: [host(1), host(2), host(3)] } },
    ...handlers,
  });
  return { ...network, ...renderRoutes(routes, { at: address, session: sessionOf('admin') }) };
};
const bodyOf = (calls: readonly Call[], path: string): Record<string, unknown> | undefined =>
  calls.find((call) => call.path === path)?.body as Record<string, unknown> | undefined;

describe('starting a run on many servers', () => {
  test('says what is missing until a command and servers are chosen, then starts without a question', async () => {
    const { calls, router } = open('/app/fleet');
    const start = await screen.findByRole('button', { name: 'Run' });
    expect(start).toBeDisabled();
    expect(screen.getByText('Choose a command or a script.')).toBeVisible();
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Command' }), 'Docker containers');
    expect(router.state.location.search).toBe('?cmdType=2');
    expect(screen.getByText('Choose at least one server.')).toBeVisible();
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select web-3' }));
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select web-1' }));
    await userEvent.click(screen.getByRole('button', { name: 'Run Docker containers on 2 servers' }));
    await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/app\/fleet\/[0-9a-f-]{36}$/));
    const sent = bodyOf(calls, '/api/fleet/start');
    expect(sent).toEqual({
      cmdType: 2,
      servers: [idOf(1), idOf(3)],
      concurrency: 10,
      runId: expect.any(String),
    });
    expect(router.state.location.pathname).toBe(`/app/fleet/${String(sent?.runId)}`);
  });

  test('asks before making changes, names the servers, and starts nothing when cancelled', async () => {
    const { calls } = open(`/app/fleet?script=${SCRIPT}`);
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all 3 shown' }));
    const start = await screen.findByRole('button', { name: 'Run Free space on 3 servers' });
    await userEvent.click(start);
    const question = await screen.findByRole('dialog', { name: 'Free space on 3 servers?' });
    expect(question).toHaveTextContent('It runs on web-1, web-2, web-3.');
    await userEvent.click(within(question).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(question).not.toBeVisible());
    expect(bodyOf(calls, '/api/fleet/start')).toBeUndefined();
    await userEvent.click(start);
    await userEvent.click(await screen.findByRole('button', { name: 'Run on 3 servers' }));
    await waitFor(() =>
      expect(bodyOf(calls, '/api/fleet/start')).toMatchObject({ script: SCRIPT, version: 2 }),
    );
  });

  test('runs on servers selected on several pages, names them, and skips servers deleted meanwhile', async () => {
    const many = Array.from({ length: 60 }, (_, n) => serverOf(idOf(n), `web-${n}`));
    const { calls, on } = open('/app/fleet?cmdType=7', { 'POST /api/server/page': pageOfServers(many) });
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select web-3' }));
    await userEvent.click(screen.getByRole('button', { name: 'Page 3' }));
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select web-59' }));
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select web-58' }));
    on('POST /api/server/page', pageOfServers(many.slice(0, 59)));
    await userEvent.click(screen.getByRole('button', { name: 'Run Docker prune on 3 servers' }));
    const question = await screen.findByRole('dialog', { name: 'Docker prune on 2 servers?' });
    expect(question).toHaveTextContent('It runs on web-3, web-58.');
    await userEvent.click(within(question).getByRole('button', { name: 'Run on 2 servers' }));
    await waitFor(() =>
      expect(bodyOf(calls, '/api/fleet/start')).toMatchObject({ servers: [idOf(3), idOf(58)] }),
    );
    expect(calls.some(({ path }) => path === '/api/server/list')).toBe(false);
  });

  test('says on the page why nothing was started', async () => {
    open('/app/fleet?cmdType=1', {
      'POST /api/fleet/start': { status: 503, body: { msg: 'The log cannot be written' } },
    });
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select web-1' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Run Memory usage on web-1' }));
    expect(await screen.findByText('Nothing was started')).toBeVisible();
    expect(screen.getByText('The log cannot be written')).toBeVisible();
  });
});

describe('a run on many servers', () => {
  test('shows the progress of each server and of the whole run', async () => {
    const { on, store } = open(`/app/fleet/${FLEET}`);
    expect(await screen.findByText('0 of 3 done, 3 waiting')).toBeVisible();
    on('POST /api/fleet/detail', {
      position: '12',
      body: {
        run: run(FLEET, 'running'),
        hosts: [
          host(1, { run: part(1, 'succeeded', 0), lastLine: 'shop up' }),
          host(2, { run: part(2, 'running') }),
          host(3, { notStarted: 'Docker prune is under way on web-3' }),
        ],
      },
    });
    // Pushed by the event of a part, whose id the page knew before that run existed.
    act(() => store.liveCache.push([{ type: 'RunSucceeded', stream: `run-${partOf(1)}`, position: '12' }]));
    expect(await screen.findByText('2 of 3 done, 1 did not succeed, 1 running')).toBeVisible();
    const row = screen.getByRole('row', { name: /web-1/ });
    expect(within(row).getByText('shop up')).toBeVisible();
    expect(within(row).getByRole('link', { name: 'web-1' })).toHaveAttribute('href', `/app/run/${partOf(1)}`);
    expect(screen.getByText('Docker prune is under way on web-3')).toBeVisible();
    expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '2');
  });

  test('sorts failures first on request, and runs again on the servers that failed', async () => {
    const { calls, router } = open(`/app/fleet/${FLEET}`, {
      'POST /api/fleet/detail': {
        body: {
          run: run(FLEET, 'failed', { reason: '1 of 3 servers failed' }),
          hosts: [
            host(1, { run: part(1, 'succeeded', 0) }),
            host(2, { run: part(2, 'succeeded', 0) }),
            host(3, { run: part(3, 'failed', 3, 'other') }),
          ],
        },
      },
      'POST /api/fleet/rerun': { body: { runId: FLEET } },
    });
    const rows = async () =>
      (await screen.findAllByRole('row')).slice(1).map((row) => within(row).getByRole('link').textContent);
    expect(await rows()).toEqual(['web-1', 'web-2', 'web-3']);
    await userEvent.click(screen.getByRole('switch', { name: 'Failures first' }));
    expect(await rows()).toEqual(['web-3', 'web-1', 'web-2']);
    expect(router.state.location.search).toBe('?first=failures');
    await userEvent.click(screen.getByRole('button', { name: 'Run again on the one that failed' }));
    await waitFor(() => expect(bodyOf(calls, '/api/fleet/rerun')).toMatchObject({ id: FLEET }));
  });

  test.each([
    ['nothing failed, so none is run again', [], 'Run again…'],
    ['some failed: those alone are run again', [3], 'Run again on the one that failed'],
  ])('does not count cancelled servers as failures: %s', async (_what, failed, button) => {
    const hosts = [
      host(1, { run: part(1, 'succeeded', 0) }),
      host(2, { run: part(2, 'cancelled') }),
      ...failed.map((n) => host(n, { run: part(n, 'failed', 3) })),
    ];
    open(`/app/fleet/${FLEET}`, {
      'POST /api/fleet/detail': { body: { run: run(FLEET, 'cancelled'), hosts } },
    });
    expect(await screen.findByRole('button', { name: button })).toBeVisible();
    expect(screen.getByText(/done,.* 1 cancelled$/)).toBeVisible();
  });

  test('groups servers with the same output and shows the differences of the others', async () => {
    open(`/app/fleet/${FLEET}?tab=results`, {
      'POST /api/fleet/detail': {
        body: {
          run: run(FLEET, 'failed'),
          hosts: [
            host(1, { run: part(1, 'succeeded', 0) }),
            host(2, { run: part(2, 'failed', 3, 'other') }),
            host(3, { run: part(3, 'succeeded', 0) }),
          ],
        },
      },
      'POST /api/run/output': ({ body }) => ({
        body: {
          more: false,
          chunks: [
            {
              seq: 1,
              at,
              stream: 'out',
              text: (body as { id: string }).id === partOf(2) ? 'shop 1.3\nup\n' : 'shop 1.4\nup\n',
            },
          ],
        },
      }),
    });
    expect(await screen.findByText('Same output on 2 servers, 1 differs')).toBeVisible();
    const differs = screen.getByRole('article', { name: 'Different result: web-2' });
    expect(await within(differs).findByText('1 line added, 1 removed')).toBeVisible();
    expect(within(differs).getByText('shop 1.3')).toBeVisible();
    expect(within(differs).getByText('exit code 3')).toBeVisible();
    const most = screen.getByRole('article', { name: 'Most common result: web-1' });
    expect(within(most).getByRole('link', { name: 'web-3' })).toBeVisible();
  });

  test('says that old output was removed, and does not compare it', async () => {
    const outputRemoved = { at, days: 30, bytes: 9 };
    const removed = (n: number, state: string, exitCode: number, sha256?: string) => ({
      run: { ...part(n, state, exitCode, sha256), outputRemoved },
    });
    open(`/app/fleet/${FLEET}?tab=results`, {
      'POST /api/fleet/detail': {
        body: {
          run: run(FLEET, 'failed'),
          hosts: [
            host(1, removed(1, 'succeeded', 0)),
            host(2, removed(2, 'failed', 3, 'other')),
            host(3, removed(3, 'succeeded', 0)),
          ],
        },
      },
      'POST /api/run/output': { body: { more: false, chunks: [] } },
    });
    for (const name of ['Different result: web-2', 'Most common result: web-1']) {
      const answer = within(await screen.findByRole('article', { name }));
      expect(await answer.findByText(/9 bytes, was removed/)).toHaveTextContent(/kept it for 30 days/);
      expect(await answer.findByText('The output was removed.')).toBeVisible();
      expect(answer.queryByText('No output.')).toBeNull();
    }
  });
});

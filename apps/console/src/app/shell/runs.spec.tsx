/** covers: SHELL-09 */
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { answerWith, type Call } from '../../testing/network';
import { renderRoutes, sessionOf } from '../../testing/render';
import { routes } from '../router';

const ID = '01930000-0000-7000-8000-000000000701';

const run = (state: string, requestedBy = sessionOf().profile.id, ago = 0) => ({
  id: ID,
  kind: 'command',
  label: 'Docker containers',
  subject: { kind: 'server', id: '01930000-0000-7000-8000-000000000001', name: 'web-1' },
  state,
  requestedBy,
  requestedAt: new Date(Date.now() - ago).toISOString(),
  steps: [{ step: 'command', attempt: 1, state: 'running', startedAt: new Date().toISOString() }],
  ...(state === 'running' ? {} : { endedAt: new Date().toISOString(), durationMs: 1500 }),
  ...(state === 'failed' && { reason: 'Nothing listens at 10.0.0.3 port 22' }),
});

const open = async (requestedBy?: string, ago?: number) => {
  let state = 'running';
  let position = 10;
  const { calls } = answerWith({
    'GET /api/session': { body: sessionOf('admin'), position: '10' },
    'POST /api/run/list': ({ body }: Call) => ({
      position: String(position),
      body: {
        runs:
          (body as { state?: string }).state === 'requested'
            ? []
            : [run(state, requestedBy, ago)].filter(
                (one) => (body as { state?: string }).state === undefined || one.state === 'running',
              ),
      },
    }),
  });
  const view = renderRoutes(routes, { at: '/app', session: sessionOf('admin') });
  const count = await screen.findByRole('button', { name: '1 run in progress' });
  const end = (as: string): void => {
    state = as;
    position += 1;
    act(() =>
      view.store.liveCache.push([{ type: 'RunFailed', stream: `run-${ID}`, position: String(position) }]),
    );
  };
  return { ...view, calls, count, end };
};

test('the drawer shows each run with its step and, once ended, its outcome', async () => {
  const { count, end } = await open();
  await userEvent.click(count);
  // The Home page behind it also shows the run.
  const drawer = within(await screen.findByRole('dialog', { name: 'Runs' }));
  expect(await drawer.findByRole('link', { name: 'Docker containers on web-1' })).toHaveAttribute(
    'href',
    `/app/run/${ID}`,
  );
  expect(drawer.getByText('command')).toBeVisible();
  expect(await drawer.findByText('No run has ended yet.')).toBeVisible();
  end('failed');
  expect(await drawer.findByText('Nothing listens at 10.0.0.3 port 22')).toBeVisible();
  expect(await drawer.findByText('No runs in progress.')).toBeVisible();
  await userEvent.click(drawer.getByRole('link', { name: 'All runs' }));
  const tabs = within(screen.getByRole('navigation', { name: 'Main', hidden: true }));
  await waitFor(() =>
    expect(tabs.getByRole('link', { current: 'page', hidden: true })).toHaveTextContent('Runs'),
  );
});

test('the toast for a cancelled run is neutral, neither a success nor a failure', async () => {
  const { end } = await open();
  end('cancelled');
  const words = await screen.findByText('Docker containers on web-1 cancelled');
  const notice = words.closest('[data-kind]');
  expect(notice).toHaveAttribute('data-kind', 'info');
  expect(notice).not.toHaveTextContent(/success|failed|ended/i);
});

test('runs and notices are not reported as empty before they have loaded', async () => {
  let load: () => void = () => undefined;
  const loaded = new Promise<void>((done) => (load = done));
  answerWith({
    'GET /api/session': { body: sessionOf('admin') },
    'POST /api/run/list': () => loaded.then(() => ({ body: { runs: [] } })),
    'GET /api/profile/token/validity': { body: { warnings: [], notes: [], scopes: [] } },
    'POST /api/alert/list': () => loaded.then(() => ({ body: [] })),
  });
  renderRoutes(routes, { at: '/app', session: sessionOf('admin') });
  await userEvent.click(await screen.findByRole('button', { name: 'Runs' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Runs' }));
  expect(drawer.getByRole('status', { name: 'Loading runs in progress' })).toBeInTheDocument();
  expect(drawer.queryByText('No runs in progress.')).toBeNull();
  expect(screen.getByRole('button', { name: 'Notices', hidden: true })).toBeInTheDocument();
  await act(async () => load());
  expect(await drawer.findByText('No runs in progress.')).toBeVisible();
  await screen.findByRole('button', { name: 'No notices', hidden: true });
});

test('an operator on another page is told how their run ended', async () => {
  const { calls, end } = await open();
  end('succeeded');
  expect(await screen.findByText('Docker containers on web-1 succeeded')).toBeVisible();
  const asked = calls.filter(({ path }) => path === '/api/run/list').map(({ body }) => body);
  expect(asked.filter((body) => (body as { ids?: string[] }).ids)).toEqual([{ ids: [ID], limit: 1 }]);
  expect(calls.some(({ path }) => path === '/api/run/detail')).toBe(false);
});

test('an operator is told why their run failed, with the same reason as in the list of runs', async () => {
  const { end, router } = await open();
  end('failed');
  const reason = 'Nothing listens at 10.0.0.3 port 22';
  expect(await screen.findByText(`Docker containers on web-1 failed: ${reason}`)).toBeVisible();
  await act(() => router.navigate('/app/run'));
  expect(await screen.findByRole('row', { name: new RegExp(`failed ${reason}`) })).toBeVisible();
});

test('an operator is not told about the runs of others', async () => {
  const { end } = await open('01930000-0000-7000-8000-000000000777');
  end('succeeded');
  await waitFor(() => expect(screen.getByRole('button', { name: 'No runs in progress' })).toBeVisible());
  expect(screen.queryByText('Docker containers on web-1 succeeded')).toBeNull();
});

test('the tab title shows the progress of a long run until it ends', async () => {
  const { end } = await open(undefined, 60_000);
  await waitFor(() => expect(document.title).toMatch(/^Docker containers on web-1 … · /));
  end('succeeded');
  await waitFor(() => expect(document.title).not.toMatch(/…/));
});

test('the tab title does not show a run that has only just started', async () => {
  // The start is in the future, so the result does not depend on how long the test takes.
  await open(undefined, -60_000);
  expect(document.title).not.toMatch(/…/);
});

test('the back end searches runs while typing, and further runs are fetched before their page is shown', async () => {
  const many = (search: string) =>
    Array.from({ length: 50 }, (_, n) => ({
      ...run('failed'),
      id: `${search}${n}`,
      label: `Docker ${search} ${n}`,
    }));
  const { calls } = answerWith({
    'GET /api/session': { body: sessionOf('admin') },
    'POST /api/person/list': { body: [] },
    'POST /api/run/list': ({ body }: Call) => {
      const {
        before,
        search = 'logs',
        state,
      } = body as Record<'before' | 'search' | 'state', string | undefined>;
      if (state !== undefined) return { body: { runs: [] } };
      const older = { ...run('failed'), id: 'older', label: `Oldest ${search}` };
      return { body: before === undefined ? { runs: many(search), next: '5' } : { runs: [older] } };
    },
  });
  renderRoutes(routes, { at: '/app/run', session: sessionOf('admin') });
  const field = await screen.findByRole('searchbox', { name: 'Search runs' });
  await userEvent.type(field, 'images');
  expect(await screen.findByRole('row', { name: /Docker images 0/ })).toBeVisible();
  expect(field).toHaveFocus();
  expect(screen.getByText('1–25 of 50+')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Page 2' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Page 3' }));
  expect(await screen.findByRole('row', { name: /Oldest images/ })).toBeVisible();
  expect(screen.getByText('51–51 of 51')).toBeVisible();
  const asked = calls.map(({ body }) => body as { search?: string; before?: string } | undefined);
  expect(asked).toContainEqual({ search: 'images', limit: 50 });
  expect(asked).toContainEqual({ search: 'images', limit: 50, before: '5' });
});

/** covers: SRV-06 */
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SET_UP } from '@quarterdeck/events';
import { offerWaiting } from '../../core/waiting';
import { askToWait } from '../../records/runs/ask-to-wait';
import { answerWith, type Call } from '../../testing/network';
import { renderPage, sessionOf } from '../../testing/render';
import { serverOf } from '../../testing/server';
import Servers from '.';

const ID = '01930000-0000-7000-8000-000000000001';
const RUN = '01930000-0000-7000-8000-000000000701';
const at = '2026-11-20T12:00:00.000Z';

const server = serverOf(ID, 'web-1');

const initialized = {
  at,
  run: RUN,
  facts: {
    os: 'debian 12',
    kernel: '6.1.0',
    architecture: 'x86_64',
    cores: 2,
    memoryBytes: 4 * 1024 ** 3,
    diskBytes: 80 * 1024 ** 3,
    nginx: '1.22.1',
  },
  changed: ['installed nginx', 'started nginx'],
  setUp: SET_UP,
};
const docker = { at, run: RUN, engine: '20.10.24', compose: '1.29.2', changed: [] };

const open = (more: object = {}) => {
  const network = answerWith({
    'POST /api/server/detail': { body: { ...server, ...more } },
    'POST /api/server/init': ({ body }: Call) => ({ body: { runId: (body as { runId: string }).runId } }),
    'POST /api/server/install-docker': ({ body }: Call) => ({
      body: { runId: (body as { runId: string }).runId },
    }),
  });
  const view = renderPage(<Servers />, {
    at: `/${ID}/detail`,
    session: sessionOf('admin'),
    others: [{ path: '/app/run/:id', element: <p>The page of a run</p> }],
  });
  const asked = (path: string): Call[] => network.calls.filter((call) => call.path === `/api/server/${path}`);
  return { ...view, ...network, asked };
};

const choose = async (label: string): Promise<void> => {
  await userEvent.click(await screen.findByRole('button', { name: 'Actions' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: label }));
};

test.each([
  ['Initialize Server', 'Initialize web-1?', 'init', 'nginx_config/*.conf'],
  ['Install Docker', 'Install Docker on web-1?', 'install-docker', 'engine and compose'],
])(
  '%s asks first, names the host and its effects, and then opens its run',
  async (label, title, call, body) => {
    const { asked, router } = open();
    await choose(label);
    const dialog = await screen.findByRole('dialog', { name: title });
    expect(dialog).toHaveTextContent('web-1 (root@10.0.0.3:22)');
    expect(dialog).toHaveTextContent(body);
    expect(asked(call)).toEqual([]);
    await userEvent.click(within(dialog).getByRole('button', { name: label }));
    expect(await screen.findByText('The page of a run')).toBeVisible();
    const [first] = asked(call);
    expect(first?.body).toEqual({ id: ID, runId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(first?.body).toHaveProperty('runId', router.state.location.pathname.slice('/app/run/'.length));
  },
);

test('does not start a set-up when the dialog is cancelled', async () => {
  const { asked } = open();
  await choose('Initialize Server');
  const dialog = await screen.findByRole('dialog');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  expect(asked('init')).toEqual([]);
});

test('names the run in progress and who started it, and links to it', async () => {
  const { on } = open();
  const msg = 'Install Docker is under way on web-1, started by Ada Marsh: wait for it to end, or cancel it';
  on('POST /api/server/init', {
    status: 409,
    body: { msg, current: { runId: RUN, label: 'Install Docker' } },
  });
  await choose('Initialize Server');
  await userEvent.click(
    within(await screen.findByRole('dialog')).getByRole('button', { name: 'Initialize Server' }),
  );
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('Initialize Server was not started');
  expect(alert).toHaveTextContent(msg);
  expect(within(alert).getByRole('link', { name: 'Open the current run' })).toHaveAttribute(
    'href',
    `/app/run/${RUN}`,
  );
});

test('offers to wait in line for the run in progress, and then repeats the call', async () => {
  const { on, asked } = open();
  const takeBack = offerWaiting(askToWait);
  const msg = 'Install Docker is under way on web-1, started by Ada Marsh: wait for it to end, or cancel it';
  const refusal = {
    status: 409,
    body: { msg, current: { runId: RUN, label: 'Install Docker', mayWait: true } },
  };
  on('POST /api/server/init', refusal);
  await choose('Initialize Server');
  const start = await screen.findByRole('dialog', { name: 'Initialize web-1?' });
  await userEvent.click(within(start).getByRole('button', { name: 'Initialize Server' }));
  const dialog = await screen.findByRole('dialog', { name: 'Wait in line?' });
  expect(dialog).toHaveTextContent(msg);
  on('POST /api/server/init', { body: { runId: RUN } });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Wait in line' }));
  expect(await screen.findByText('The page of a run')).toBeVisible();
  const [first, second] = asked('init');
  expect(second?.body).toEqual(first?.body);
  expect(first?.headers.has('x-wait-in-line')).toBe(false);
  expect(second?.headers.get('x-wait-in-line')).toBe('true');
  takeBack();
});

test('offers to set up a server that is not set up yet', async () => {
  open();
  const card = await screen.findByRole('region', { name: 'Set-up' });
  expect(card).toHaveTextContent('Not initialized yet');
  await userEvent.click(within(card).getByRole('button', { name: 'Install Docker' }));
  expect(await screen.findByRole('dialog', { name: 'Install Docker on web-1?' })).toBeVisible();
});

test('offers to initialize a server again that was initialized before there was more to prepare', async () => {
  const { setUp: _, ...earlier } = initialized;
  open({ initialized: earlier, docker });
  const card = await screen.findByRole('region', { name: 'Set-up' });
  expect(card).toHaveTextContent('refuses names that no site has');
  await userEvent.click(within(card).getByRole('button', { name: 'Initialize Server' }));
  expect(await screen.findByRole('dialog', { name: 'Initialize web-1?' })).toBeVisible();
});

test('shows what a set-up found and changed, and links to its run', async () => {
  open({ initialized, docker });
  const card = await screen.findByRole('region', { name: 'Set-up' });
  expect(within(card).queryAllByRole('button', { name: /Initialize|Install/ })).toEqual([]);
  const facts = within(card)
    .getAllByRole('term')
    .map((term) => [term.textContent, term.nextElementSibling?.textContent]);
  expect(Object.fromEntries(facts.filter(([name]) => name !== 'Initialized' && name !== 'Docker'))).toEqual({
    Changes: 'none, everything was in place',
    System: 'debian 12',
    Kernel: '6.1.0, x86_64',
    Cores: '2',
    Memory: '4 GiB',
    'Disk of root': '80 GiB',
    nginx: '1.22.1',
    certbot: 'not found',
    Engine: '20.10.24',
    Compose: '1.29.2',
  });
  expect(
    within(card)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(initialized.changed);
  for (const link of within(card).getAllByRole('link', { name: 'Open run' }))
    expect(link).toHaveAttribute('href', `/app/run/${RUN}`);
});

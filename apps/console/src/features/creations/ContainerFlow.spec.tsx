/** covers: DOCK-01 */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { CREATION, creationOf, doneSection, RUN } from '../../testing/creation';
import { answerWith } from '../../testing/network';
import { renderPage, sessionOf } from '../../testing/render';
import { serverOf } from '../../testing/server';
import { CreationPage, NewCreation } from './CreationPage';

const SERVER = '01930000-0000-7000-8000-000000000001';
const PRODUCT = '01930000-0000-7000-8000-000000000a01';
const SERVICE = '01930000-0000-7000-8000-000000000a02';
const DOMAIN = '01930000-0000-7000-8000-000000000a03';
const repo = doneSection('repo', { values: { repoUrl: 'acme/shop', version: 'v1.0' } });
const dns = doneSection('dns', {
  values: { subdomain: 'shop', port: 3000 },
  made: [
    { kind: 'service', id: SERVICE, name: 'shop' },
    { kind: 'domain', id: DOMAIN, name: 'shop.example.org' },
  ],
});
const shop = { id: '1', version: 'v1.0', organization: 'acme', repo: 'shop', digest: 'sha256:aa' };
const found = { ...shop, image: 'ghcr.io/acme/shop:v1.0', createdAt: '2026-11-20T12:00:00.000Z' };

const open = (at: string, creation = creationOf('container', [repo])) => {
  const network = answerWith({
    'POST /api/workspace/detail': {
      body: { sourceHost: {}, containerFlow: { server: { id: SERVER }, product: { id: PRODUCT } } },
    },
    'POST /api/creation/list': { body: [] },
    'POST /api/creation/detail': { body: creation },
    'POST /api/creation/start': { body: { id: CREATION, uuid: CREATION, runId: RUN } },
    'POST /api/server/page': {
      body: { rows: [serverOf(SERVER, 'web-1')], total: 1, found: 1, options: {} },
    },
    'POST /api/product/page': {
      body: { rows: [{ id: PRODUCT, name: 'Books' }], total: 1, found: 1, options: {} },
    },
    'GET /api/github/container/list': { body: { packages: [found] } },
  });
  renderPage(null, {
    at,
    session: sessionOf('admin'),
    others: [
      { path: '/app/create-docker', element: <NewCreation kind="container" /> },
      { path: '/app/create-docker/:id', element: <CreationPage kind="container" /> },
    ],
  });
  return network;
};

test('a package of the repository is chosen, with the server and the product of the workspace', async () => {
  const { calls } = open('/app/create-docker');
  await userEvent.type(
    await screen.findByRole('textbox', { name: 'Repository' }),
    'https://github.com/acme/shop',
  );
  expect(await screen.findByRole('option', { name: /^web-1/ })).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Find packages' }));
  expect(await screen.findByText(found.image)).toBeVisible();
  await userEvent.click(await screen.findByRole('button', { name: 'Use v1.0' }));
  expect(await screen.findByRole('textbox', { name: 'Subdomain' })).toBeVisible();
  expect(screen.getByRole('textbox', { name: 'Port' })).toHaveValue('3000');
  expect(calls.find(({ path }) => path === '/api/creation/start')?.body).toEqual({
    kind: 'container',
    values: {
      repoUrl: 'https://github.com/acme/shop',
      version: 'v1.0',
      server: { id: SERVER },
      product: { id: PRODUCT },
    },
  });
});

test('while a package is being taken, no other one can be', async () => {
  const { on, calls } = open('/app/create-docker');
  const other = { ...found, id: '2', version: 'v0.9', image: 'ghcr.io/acme/shop:v0.9' };
  on('GET /api/github/container/list', { body: { packages: [found, other] } });
  on('POST /api/creation/start', () => new Promise(() => undefined));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Repository' }), 'acme/shop{Enter}');
  await userEvent.click(await screen.findByRole('button', { name: 'Use v1.0' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Use v0.9' })).toBeDisabled());
  expect(screen.getByRole('button', { name: 'Use v1.0' })).toBeDisabled();
  expect(calls.filter(({ path }) => path === '/api/creation/start')).toHaveLength(1);
});

test.each([
  ['nothing is published', { body: { packages: [] } }],
  ['the package is unknown', { status: 422, body: { code: 'unprocessable', msg: 'the package is unknown' } }],
])('if %s, the flow says so in the words of the specification', async (_, answer) => {
  const { on } = open('/app/create-docker');
  on('GET /api/github/container/list', answer);
  await userEvent.type(await screen.findByRole('textbox', { name: 'Repository' }), 'acme/shop');
  await userEvent.click(screen.getByRole('button', { name: 'Find packages' }));
  expect(
    await screen.findByText(
      /^No versions were found, are you sure a package was published for that repository/,
    ),
  ).toBeVisible();
});

test('a missing token is named, and is no lack of versions', async () => {
  const { on } = open('/app/create-docker');
  on('GET /api/github/container/list', {
    status: 422,
    body: { code: 'noToken', msg: 'No GitHub token is stored: store one in your profile settings' },
  });
  await userEvent.type(await screen.findByRole('textbox', { name: 'Repository' }), 'acme/shop');
  await userEvent.click(screen.getByRole('button', { name: 'Find packages' }));
  expect(
    await screen.findByText(/^No GitHub token is stored, so the source host was not asked/),
  ).toBeVisible();
  expect(screen.queryByText(/No versions were found/)).toBeNull();
});

test('an address that is none is refused at its field', async () => {
  const { calls } = open('/app/create-docker');
  const repository = await screen.findByRole('textbox', { name: 'Repository' });
  await userEvent.type(repository, 'nonsense');
  await userEvent.click(screen.getByRole('button', { name: 'Find packages' }));
  expect(await screen.findByText(/^the address of a repository is expected/)).toBeVisible();
  await waitFor(() => expect(repository).toBeInvalid());
  expect(calls.filter(({ path }) => path.startsWith('/api/github/'))).toEqual([]);
});

test('an address at another host is refused at its field, until it is changed', async () => {
  const { on, calls } = open('/app/create-docker');
  const msg = 'gitlab.com is not the source host of this console';
  on('GET /api/github/container/list', {
    status: 400,
    body: { code: 'invalid', msg, data: { repoUrl: msg } },
  });
  const repository = await screen.findByRole('textbox', { name: 'Repository' });
  await userEvent.type(repository, 'https://gitlab.com/acme/shop{Enter}');
  expect(await screen.findByText(msg)).toBeVisible();
  expect(repository).toBeInvalid();
  expect(repository).toHaveAccessibleDescription(msg);
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  on('GET /api/github/container/list', { body: { packages: [found] } });
  await userEvent.clear(repository);
  await userEvent.type(repository, 'acme/shop');
  expect(screen.queryByText(msg)).not.toBeInTheDocument();
  await userEvent.keyboard('{Enter}');
  expect(await screen.findByText(found.image)).toBeVisible();
  expect(calls.filter(({ path }) => path.startsWith('/api/github/container/list'))).toHaveLength(2);
});

test('a port that is no number is refused with what would be right', async () => {
  const { calls } = open(`/app/create-docker/${CREATION}`);
  const port = await screen.findByRole('textbox', { name: 'Port' });
  await userEvent.type(screen.getByRole('textbox', { name: 'Subdomain' }), 'shop');
  await userEvent.clear(port);
  await userEvent.type(port, '80a{Enter}');
  expect(await screen.findByText('a port is a number from 1 to 65535, such as 3000')).toBeVisible();
  expect(port).toBeInvalid();
  expect(port).toHaveFocus();
  expect(calls.filter(({ path }) => path === '/api/creation/section/start')).toEqual([]);
});

test('a source host that fails is not said to have no versions, and is asked again', async () => {
  const { on } = open('/app/create-docker');
  on('GET /api/github/container/list', {
    status: 502,
    body: { code: 'upstream', msg: 'The source host failed with status 503: please try again' },
  });
  await userEvent.type(await screen.findByRole('textbox', { name: 'Repository' }), 'acme/shop');
  await userEvent.click(screen.getByRole('button', { name: 'Find packages' }));
  expect(await screen.findByText(/^The source host failed with status 503/)).toBeVisible();
  expect(screen.queryByText(/No versions were found/)).not.toBeInTheDocument();
  on('GET /api/github/container/list', { body: { packages: [found] } });
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText(found.image)).toBeVisible();
});

test('a deployed container has its three links, and its certificate follows in one more click', async () => {
  open(`/app/create-docker/${CREATION}`, creationOf('container', [repo, dns], { state: 'finished' }));
  const success = within(await screen.findByRole('status', { name: /Success/ }));
  for (const [name, id] of [
    ['Product', PRODUCT],
    ['Service', SERVICE],
    ['Domain', DOMAIN],
  ] as const)
    expect(await success.findByRole('link', { name })).toHaveAttribute('href', expect.stringContaining(id));
  expect(await screen.findByRole('button', { name: 'Start Certificate' })).toBeEnabled();
});

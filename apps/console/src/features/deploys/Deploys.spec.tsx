// covers: DEP-01
import { packagePullColumns, pageOf, deployColumns, type PackagePullView } from '@quarterdeck/projections';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { routes } from '../../app/router';
import { answerWith, type Call } from '../../testing/network';
import { press } from '../../testing/presses';
import { renderRoutes, sessionOf } from '../../testing/render';
import { serverOf } from '../../testing/server';
import type { Release } from '../../records/verdicts';

const [PRODUCT, SERVICE] = ['01930000-0000-7000-8000-000000000a01', '01930000-0000-7000-8000-000000000a02'];
const at = '2026-11-20T12:00:00.000Z';
const kept = { addedAt: at, addedBy: 'x', changedAt: at, changedBy: 'x', revision: 1, position: '5' };
const product = { id: PRODUCT, workspace: 'main', name: 'Shop', description: '', ...kept };
const service = {
  id: SERVICE,
  workspace: 'main',
  product: PRODUCT,
  name: 'Orders',
  nameFront: '',
  ...kept,
  organization: 'acme',
  repo: 'orders',
  repoFront: '',
  server: { id: 's', name: 'web-1' },
  port: 3000,
  packageType: 'container',
  packageSubfolder: '',
  withDb: false,
  healthPath: '/',
  healthSeconds: 60,
  keep: 3,
  whileDeploying: 'queue',
};
const release = (version: string, more: Partial<Release>): Release => ({
  id: `run-${version}`,
  uuid: `run-${version}`,
  workspace: 'main',
  product: PRODUCT,
  service: { id: SERVICE, name: 'Orders' },
  server: { id: 's', name: 'web-1' },
  package: { id: `package-${version}`, version, image: `ghcr.io/acme/orders:${version}` },
  env: { id: 3 },
  port: 3000,
  health: { path: '/', seconds: 60 },
  keep: 3,
  variables: [],
  compose: '',
  date: at,
  by: 'x',
  state: 'served',
  run: 'succeeded',
  serves: false,
  last: false,
  serverRemoved: false,
  revision: 1,
  position: '9',
  ...more,
});
const serving = release('2.0', { serves: true, last: true, env: { id: 2 } });
const before = release('1.0', { why: 'The first' });
const behind = { id: 'run-9.0', label: 'Deploy 9.0', of: 'Bills' };
const waiting = release('3.1', { state: 'requested', run: 'requested', behind });
const versions = [
  { id: 'package-3.0', version: '3.0', image: 'ghcr.io/acme/orders:3.0' },
  { id: 'package-2.0', version: '2.0', image: 'ghcr.io/acme/orders:2.0', deployLog: serving },
  { id: 'package-1.0', version: '1.0', image: 'ghcr.io/acme/orders:1.0', deployLog: before },
];

const open = (
  tab: string,
  base = `/app/product/${PRODUCT}/detail/service/${SERVICE}/detail`,
  answers: Parameters<typeof answerWith>[0] = {},
) => {
  const session = sessionOf('admin');
  const started = { body: { id: 'r', uuid: 'r', runId: 'r' } };
  const network = answerWith({
    'GET /api/session': { body: session },
    'POST /api/person/list': { body: [] },
    'POST /api/run/list': { body: { runs: [] } },
    'POST /api/product/detail': { body: product },
    'POST /api/service/detail': { body: service },
    'POST /api/deploy/service/versions': { body: versions },
    'POST /api/deploy/release/page': { body: pageOf([waiting, serving, before], deployColumns, {}) },
    'POST /api/deploy/release/detail': ({ body }) => ({
      body: [waiting, serving, before].find(({ id }) => id === (body as { id: string }).id),
    }),
    'POST /api/run/cancel': { body: { id: 'r', uuid: 'r' } },
    'POST /api/deploy/release/compare': {
      body: {
        differences: [{ what: 'Package', from: '2.0', to: '1.0' }],
        compose: { from: 'image: 2.0', to: 'image: 1.0' },
        proxy: { from: '', to: '' },
      },
    },
    'POST /api/deploy': started,
    'POST /api/deploy/release/rollback': started,
    'POST /api/env-var/prints': { body: [{ key: 'STRIPE_KEY', secret: true, fingerprint: 'def' }] },
    'POST /api/deploy/release/stop': started,
    'POST /api/deploy/release/running': {
      body: [serving, release('0.9', { serves: true, last: true, serverRemoved: true })],
    },
    'POST /api/product/list': { body: [product] },
    'POST /api/server/detail': { body: serverOf('s', 'web-1') },
    'POST /api/deploy/logs/list': { body: [] },
    'POST /api/deploy/logs/page': { body: pageOf<PackagePullView>([], packagePullColumns, {}) },
    'POST /api/service/list': { body: [] },
    ...answers,
  });
  return { ...network, ...renderRoutes(routes, { at: `${base}${tab}`, session }) };
};
const bodyOf = (calls: readonly Call[], path: string): unknown =>
  calls.find((call) => call.path === path)?.body;

test('does not say that nothing was found where nobody looked', async () => {
  open('/version', undefined, { 'POST /api/deploy/service/versions': { body: [] } });
  expect(await screen.findByRole('heading', { name: 'No versions yet' })).toBeVisible();
  expect(screen.queryByText(/No versions were found/)).toBeNull();
  expect(screen.getByRole('link', { name: 'Published' })).toHaveAttribute(
    'href',
    `/app/product/${PRODUCT}/detail/service/${SERVICE}/detail/published`,
  );
});

test('offers to deploy a new version, and shows the deploy log of the others', async () => {
  const { calls, router } = open('/version');
  const fresh = await screen.findByRole('row', { name: /3\.0/ });
  expect(within(fresh).queryByRole('button', { name: 'Delete' })).toBeNull();
  const earlier = screen.getByRole('row', { name: /1\.0/ });
  expect(within(earlier).getByText('served before')).toBeVisible();
  expect(within(earlier).getByRole('button', { name: 'Delete' })).toBeVisible();
  const now = screen.getByRole('row', { name: /2\.0/ });
  expect(within(now).getByText('serves')).toBeVisible();
  expect(within(now).queryByRole('button', { name: 'Delete' })).toBeNull();

  await userEvent.click(within(fresh).getByRole('button', { name: 'Deploy' }));
  const question = within(await screen.findByRole('dialog'));
  expect(question.getByRole('combobox', { name: 'Environment' })).toHaveValue('2');
  await userEvent.selectOptions(question.getByRole('combobox', { name: 'Environment' }), 'dev');
  await userEvent.type(question.getByRole('textbox', { name: 'Why' }), 'The new checkout');
  await userEvent.click(question.getByRole('button', { name: 'Deploy' }));
  await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/app\/run\//));
  expect(bodyOf(calls, '/api/deploy')).toMatchObject({
    id: SERVICE,
    packageId: 'package-3.0',
    env: 1,
    why: 'The new checkout',
  });
});

test('compares a deploy with the one that serves, and rolls back to it', async () => {
  const { calls, router } = open('/deploy');
  const earlier = await screen.findByRole('row', { name: /The first/ });
  // The name of the service keeps its case.
  expect(screen.getByRole('searchbox', { name: 'Search deploys of Orders' })).toBeVisible();
  await waitFor(() =>
    expect(within(earlier).getByRole('link', { name: 'Compare' })).toHaveAttribute(
      'href',
      expect.stringMatching(/\/run-1\.0\?with=run-2\.0$/),
    ),
  );
  await userEvent.click(within(earlier).getByRole('link', { name: 'Compare' }));
  const comparison = await screen.findByRole('region', { name: 'Comparison' });
  expect(await within(comparison).findByRole('row', { name: 'Package 2.0 1.0' })).toBeVisible();
  expect(within(comparison).getByRole('row', { name: 'Why – The first' })).toBeVisible();
  await userEvent.type(within(comparison).getByRole('textbox', { name: 'Why' }), '2.0 is slow');
  await userEvent.click(within(comparison).getByRole('button', { name: 'Roll back to 1.0' }));
  await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/app\/run\//));
  expect(bodyOf(calls, '/api/deploy/release/rollback')).toEqual({
    id: 'run-1.0',
    why: '2.0 is slow',
    runId: expect.any(String),
  });
});

test('compares the deploy that serves with the one that served before it', async () => {
  const dated = [
    release('2.0', { ...serving, date: '2026-11-23T12:00:00.000Z' }),
    release('1.2', { state: 'failed', date: '2026-11-22T12:00:00.000Z' }),
    release('1.1', { date: '2026-11-21T12:00:00.000Z' }),
    before,
  ];
  open('/deploy', undefined, {
    'POST /api/deploy/release/page': { body: pageOf(dated, deployColumns, {}) },
  });
  const newest = within(await screen.findByRole('row', { name: /serves/ }));
  await waitFor(() =>
    expect(newest.getByRole('link', { name: 'Compare' })).toHaveAttribute(
      'href',
      expect.stringMatching(/\/run-2\.0\?with=run-1\.1$/),
    ),
  );
});

test('a rollback to a deploy whose values were destroyed asks what each variable has instead', async () => {
  const kept = { secret: true, fingerprint: 'abc', ref: 'x' };
  before.variables = [
    { ...kept, key: 'KEPT' },
    { ...kept, key: 'OLD_KEY', destroyed: true },
    { ...kept, key: 'STRIPE_KEY', destroyed: true },
  ];
  const { calls } = open('/deploy/run-1.0?with=run-2.0');
  const record = within(await screen.findByRole('region', { name: 'Record' }));
  expect(record.getByRole('row', { name: 'STRIPE_KEY abc (secret, its value was destroyed)' })).toBeVisible();
  expect(record.getByRole('row', { name: 'KEPT abc (secret)' })).toBeVisible();
  const missing = within(await screen.findByRole('region', { name: 'Destroyed values' }));
  const [old, stripe] = ['OLD_KEY', 'STRIPE_KEY'].map((name) => missing.getByRole('combobox', { name }));
  // In prod today there is a STRIPE_KEY, and no OLD_KEY.
  expect(await missing.findByText('It has no value in prod today.')).toBeVisible();
  const choices = (box: HTMLElement | undefined) =>
    within(box as HTMLElement)
      .getAllByRole<HTMLOptionElement>('option')
      .filter(({ disabled }) => !disabled)
      .map(({ text }) => text);
  expect(choices(old)).toEqual(['Choose', 'Go without it']);
  expect(choices(stripe)).toEqual(['Choose', 'Use its value of today', 'Go without it']);
  const button = screen.getByRole('button', { name: 'Roll back to 1.0' });
  await userEvent.click(button);
  expect(await missing.findAllByText('Choose what it has instead')).toHaveLength(2);
  expect(bodyOf(calls, '/api/deploy/release/rollback')).toBeUndefined();
  await userEvent.selectOptions(old as HTMLElement, 'Go without it');
  await userEvent.selectOptions(stripe as HTMLElement, 'Use its value of today');
  await userEvent.click(button);
  await waitFor(() =>
    expect(bodyOf(calls, '/api/deploy/release/rollback')).toMatchObject({
      id: 'run-1.0',
      today: true,
      without: ['OLD_KEY'],
    }),
  );
  before.variables = [];
});

test('the record of a rollback says which variables have another value, and which are left out', async () => {
  before.variables = [{ key: 'STRIPE_KEY', secret: true, fingerprint: 'abc', ref: 'x' }];
  before.lost = [
    { key: 'OLD_KEY', instead: 'nothing' },
    { key: 'STRIPE_KEY', instead: 'today' },
  ];
  open('/deploy/run-1.0');
  const record = within(await screen.findByRole('region', { name: 'Record' }));
  expect(record.getByRole('row', { name: /^STRIPE_KEY abc \(secret\): the value of the day/ })).toBeVisible();
  expect(record.getByRole('row', { name: /^OLD_KEY left out: the value/ })).toBeVisible();
  before.variables = [];
  delete before.lost;
});

test('the page of a deploy shows its record, and compares it with any other one', async () => {
  const { calls, router } = open('/deploy/run-1.0');
  const record = within(await screen.findByRole('region', { name: 'Record' }));
  expect(record.getByText('ghcr.io/acme/orders:1.0')).toBeVisible();
  const comparison = within(screen.getByRole('region', { name: 'Comparison' }));
  expect(comparison.queryByRole('row')).toBeNull();
  const choice = comparison.getByRole('combobox', { name: 'Compare with' });
  await waitFor(() => expect(within(choice).getAllByRole('option')).toHaveLength(3));
  await userEvent.selectOptions(choice, within(choice).getByRole('option', { name: /^3\.1/ }));
  expect(await comparison.findByRole('columnheader', { name: '3.1' })).toBeVisible();
  expect(router.state.location.search).toBe('?with=run-3.1');
  expect(bodyOf(calls, '/api/deploy/release/compare')).toEqual({ from: 'run-3.1', to: 'run-1.0' });
  // A rollback is offered next to what it would change.
  expect(comparison.queryByRole('button', { name: /Roll back/ })).toBeNull();
  expect(screen.getByRole('button', { name: 'Roll back to 1.0' })).toBeVisible();
  await userEvent.click(comparison.getByRole('button', { name: 'Compare with what serves now' }));
  expect(await comparison.findByRole('button', { name: 'Roll back to 1.0' })).toBeVisible();
  expect(router.state.location.search).toBe('?with=run-2.0');
});

test('the page of an earlier deploy leads to its rollback', async () => {
  const { router } = open('/deploy/run-1.0');
  await userEvent.click(await screen.findByRole('button', { name: 'Roll back to 1.0' }));
  expect(router.state.location.search).toBe('?with=run-2.0');
  const comparison = within(screen.getByRole('region', { name: 'Comparison' }));
  expect(await comparison.findByRole('button', { name: 'Roll back to 1.0' })).toBeVisible();
  expect(screen.getAllByRole('button', { name: 'Roll back to 1.0' })).toHaveLength(1);
});

test('the page of a server lists the deploys of services to it', async () => {
  const { calls } = open('', '/app/server/s/detail?tab=deploys');
  const row = await screen.findByRole('row', { name: /Orders 2\.0 serves/ });
  expect(within(row).getByRole('link', { name: 'Orders' })).toHaveAttribute(
    'href',
    `/app/product/${PRODUCT}/detail/service/${SERVICE}/detail`,
  );
  expect(bodyOf(calls, '/api/deploy/release/page')).toMatchObject({ server: { id: 's' } });
});

test('a waiting deploy names the run ahead of it and can be cancelled', async () => {
  const { calls } = open('/deploy');
  const row = await screen.findByRole('row', { name: /3\.1 waiting behind Deploy 9\.0 of Bills/ });
  expect(within(row).getByRole('link', { name: 'Deploy 9.0 of Bills' })).toHaveAttribute(
    'href',
    '/app/run/run-9.0',
  );
  await userEvent.click(within(row).getByRole('button', { name: 'Cancel' }));
  const question = within(await screen.findByRole('dialog', { name: 'Cancel the deploy of 3.1?' }));
  await userEvent.click(question.getByRole('button', { name: 'Cancel the deploy' }));
  await waitFor(() => expect(bodyOf(calls, '/api/run/cancel')).toEqual({ id: 'run-3.1' }));
});

test('stops a release by a run, or only records it as stopped if its server was removed', async () => {
  const { calls, router } = open('', '/app/product/running');
  const gone = await screen.findByRole('row', { name: /web-1 \(removed\) Orders 0\.9 Shop/ });
  await userEvent.click(within(gone).getByRole('button', { name: 'Record as stopped' }));
  const question = await screen.findByRole('dialog', { name: 'Record 0.9 of Orders on web-1 as stopped?' });
  await userEvent.click(within(question).getByRole('button', { name: 'Record as stopped' }));
  await waitFor(() =>
    expect(bodyOf(calls, '/api/deploy/release/stop')).toMatchObject({ id: 'run-0.9', forget: true }),
  );
  expect(router.state.location.pathname).toBe('/app/product/running');

  const stop = () =>
    within(screen.getByRole('row', { name: /web-1 Orders 2\.0 Shop/ })).getByRole('button', { name: 'Stop' });
  await press(stop);
  const asked = within(await screen.findByRole('dialog', { name: 'Stop 2.0 of Orders on web-1?' }));
  await userEvent.click(
    asked.getByRole('checkbox', { name: 'web-1 is gone for good: only record the stop' }),
  );
  await userEvent.click(asked.getByRole('button', { name: 'Stop' }));
  const stops = () => calls.filter(({ path }) => path === '/api/deploy/release/stop').map(({ body }) => body);
  await waitFor(() => expect(stops()[1]).toMatchObject({ id: 'run-2.0', forget: true }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  await press(stop);
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Stop' }));
  await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/app\/run\//));
  expect(stops()[2]).not.toHaveProperty('forget');
});

// covers: SRV-08, SRV-10
import {
  packagePullColumns,
  pageOf,
  deployColumns,
  type PackagePullView,
  type DeployRow,
} from '@quarterdeck/projections';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { routes } from '../../app/router';
import { answerWith, type Call, type Reply } from '../../testing/network';
import { renderRoutes, sessionOf } from '../../testing/render';
import { serverOf } from '../../testing/server';

const ID = '01930000-0000-7000-8000-000000000001';
const SERVICE = '01930000-0000-7000-8000-000000000002';
const URL_OF_SHOP = 'https://ci.example.org/deploy/shop';
const entry = (id: string, more: object) => ({
  id,
  uuid: id,
  server: { id: ID },
  serverId: ID,
  slug: 'shop',
  cdUrl: URL_OF_SHOP,
  state: 'succeeded',
  date: '2026-11-20T12:00:00.000Z',
  by: sessionOf().profile.id,
  ...more,
});
const log = [
  entry('2', { state: 'failed', reason: 'the address answered with status 500 instead of 200' }),
  entry('1', {
    version: '1.4.2',
    durationMs: 812,
    serviceDeploy: { id: SERVICE },
    service: { name: 'Orders', product: 'p' },
  }),
];

const paged = (rows: object[]): Reply => ({
  body: pageOf(rows as PackagePullView[], packagePullColumns, {}),
});
const open = (handlers: Record<string, Reply> = {}) => {
  const network = answerWith({
    'GET /api/session': { body: sessionOf('admin') },
    'POST /api/run/list': { body: { runs: [] } },
    'POST /api/person/list': { body: [] },
    'POST /api/alert/list': { body: [] },
    'POST /api/server/detail': { body: serverOf(ID, 'web-1') },
    'POST /api/deploy/logs/list': { body: log },
    'POST /api/deploy/logs/page': paged(log),
    'POST /api/deploy/release/page': { body: pageOf<DeployRow>([], deployColumns, {}) },
    'POST /api/service/list': {
      body: [
        { id: SERVICE, name: 'Orders', server: { id: ID } },
        { id: 'y', name: 'Elsewhere', server: { id: 'y' } },
      ],
    },
    ...handlers,
  });
  const at = `/app/server/${ID}/detail?tab=deploys`;
  return { ...network, ...renderRoutes(routes, { at, session: sessionOf('admin') }) };
};
const pulls = (calls: readonly Call[]) =>
  calls.filter(({ path }) => path === '/api/deploy/pull').map(({ body }) => body);
const confirm = async (label: string) => {
  const dialog = await screen.findByRole('dialog');
  await userEvent.click(within(dialog).getByRole('button', { name: label }));
};

test('deploys a package by its address after confirmation', async () => {
  const { calls } = open({ 'POST /api/deploy/pull': { body: { id: '3', uuid: '3', version: '1.5.0' } } });
  const card = await screen.findByRole('region', { name: 'Pull and deploy' });
  await userEvent.type(within(card).getByLabelText('Address of the package'), 'https://ci.example.org/blog');
  const of = within(card).getByRole('combobox', { name: /^Service/ });
  expect(within(of).queryByText('Elsewhere')).toBeNull();
  await userEvent.selectOptions(of, 'Orders');
  await userEvent.click(within(card).getByRole('button', { name: 'Pull and deploy' }));
  expect(pulls(calls)).toEqual([]);
  await confirm('Pull and deploy');
  await waitFor(() =>
    expect(pulls(calls)).toEqual([
      { server: { id: ID }, cdUrl: 'https://ci.example.org/blog', serviceDeploy: { id: SERVICE } },
    ]),
  );
  expect(await screen.findByText('The package was deployed in version 1.5.0.')).toBeVisible();
});

test('deploys an earlier package again, and reports a failure with its cause', async () => {
  const { calls } = open({
    'POST /api/deploy/pull': {
      status: 502,
      body: {
        msg: 'something went wrong, could not deploy',
        code: 'status',
        data: { cdUrl: 'the address answered with status 500 instead of 200' },
      },
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: /^shop 1\.4\.2$/ }));
  await confirm('Pull and deploy');
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('something went wrong, could not deploy');
  expect(alert).toHaveTextContent('The address answered with status 500 instead of 200.');
  expect(pulls(calls)).toEqual([
    { server: { id: ID }, deployLog: { id: '2' }, slug: 'shop', serviceDeploy: { id: SERVICE } },
  ]);
});

test('refers to the deploy log after a failed deploy, instead of saying that nothing was saved', async () => {
  open({
    'POST /api/deploy/pull': {
      status: 502,
      body: { msg: 'something went wrong, could not deploy', code: 'status' },
      headers: { 'x-correlation-id': 'c-1' },
    },
  });
  const card = await screen.findByRole('region', { name: 'Pull and deploy' });
  await userEvent.type(within(card).getByLabelText('Address of the package'), 'https://ci.example.org/blog');
  await userEvent.click(within(card).getByRole('button', { name: 'Pull and deploy' }));
  await confirm('Pull and deploy');
  expect(await within(card).findByRole('alert')).toHaveTextContent('The attempt is in the deploy log.');
  expect(screen.queryByText(/Nothing was saved/)).not.toBeInTheDocument();
});

test('refuses an invalid address before asking for confirmation', async () => {
  const { calls } = open();
  const card = await screen.findByRole('region', { name: 'Pull and deploy' });
  await userEvent.type(within(card).getByLabelText('Address of the package'), 'shop');
  await userEvent.click(within(card).getByRole('button', { name: 'Pull and deploy' }));
  expect(await within(card).findByText(/a web address is expected/)).toBeVisible();
  expect(pulls(calls)).toEqual([]);
});

test('shows a recent attempt without a result as running, and an old one as unknown', async () => {
  const asked = (id: string, date: string) => entry(id, { state: 'requested', date });
  const rows = [asked('4', new Date().toISOString()), asked('3', '2026-11-20T12:00:00.000Z')];
  open({ 'POST /api/deploy/logs/page': paged(rows) });
  const table = await screen.findByRole('region', { name: 'Deploy logs' });
  expect(await within(table).findByText('deploying')).toBeVisible();
  expect(within(table).getByText('outcome unknown')).toBeVisible();
});

test('keeps an entry that could not be deleted, and shows the refusal above the log', async () => {
  open({ 'POST /api/deploy/logs/delete': { status: 503, body: { msg: 'Nothing was changed' } } });
  const [remove] = await screen.findAllByRole('button', { name: 'Delete the log of shop' });
  await userEvent.click(remove!);
  await confirm('Delete log');
  expect(await screen.findByText('The log was not deleted')).toBeVisible();
  expect(screen.getByText('Nothing was changed').closest('[role=alert]')).toBeVisible();
});

test('the log shows version, state and cause, and deletes an entry after confirmation', async () => {
  const { calls } = open({ 'POST /api/deploy/logs/delete': { body: { id: '2', uuid: '2' } } });
  const table = await screen.findByRole('region', { name: 'Deploy logs' });
  expect(await within(table).findByText('the address answered with status 500 instead of 200')).toBeVisible();
  expect(within(table).getByText('812 ms')).toBeVisible();
  expect(within(table).getByRole('link', { name: 'shop' })).toHaveAttribute(
    'href',
    `/app/product/p/detail/service/${SERVICE}/detail`,
  );
  const [first] = within(table).getAllByRole('button', { name: 'Delete the log of shop' });
  await userEvent.click(first as HTMLElement);
  await confirm('Delete log');
  await waitFor(() => expect(calls.filter(({ path }) => path === '/api/deploy/logs/delete')).toHaveLength(1));
});

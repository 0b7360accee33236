// covers: VER-03
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { paths } from '../../core/paths';
import { answerWith } from '../../testing/network';
import { press } from '../../testing/presses';
import { renderPage, renderRoutes, sessionOf } from '../../testing/render';
import { ImportPage } from './ImportPage';

const ID = '01930000-0000-7000-8000-000000000a01';
const RUN = '01930000-0000-7000-8000-000000000b01';
const preview = {
  entities: [
    {
      name: 'Session',
      table: 'session',
      isUuid: false,
      parts: [],
      attributes: [{ name: 'User', column: 'user_id', type: 8, optional: false, to: 'User' }],
    },
  ],
  left: ['Entity User exists already and stays as it is.'],
  seal: 'sealed',
};

test('previews what would be imported and left out, and then imports exactly the preview', async () => {
  const { calls, on } = answerWith({
    'GET /api/session': { body: sessionOf('admin') },
    'POST /api/database/list': { body: [{ id: ID, name: 'shop' }] },
    'POST /api/data-model/version/import/preview': { body: preview },
    'POST /api/data-model/version/import/structure': { status: 409, body: { msg: 'it has changed' } },
  });
  const routes = [
    { path: '/model', element: <p>The list</p> },
    { path: '/model/import', element: <ImportPage base="/model" product={ID} /> },
  ];
  renderRoutes(routes, { at: '/model/import', session: sessionOf('admin') });
  await screen.findByRole('option', { name: 'Database shop' });
  await userEvent.click(screen.getByRole('button', { name: 'Preview' }));
  const found = await screen.findByRole('region', { name: 'Entities to import' });
  await userEvent.click(within(found).getByText('Session'));
  expect(within(found).getByRole('listitem')).toHaveTextContent('User: ForeignKey to User user_id');
  expect(screen.getByText('Entity User exists already and stays as it is.')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Import 1 entity' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('it has changed');
  on('POST /api/data-model/version/import/structure', { body: { runId: RUN } });
  on('POST /api/data-model/version/import/detail', {
    body: { state: 'succeeded', tables: 1, recorded: 1, edits: 2, left: preview.left },
  });
  await press(() => screen.getByRole('button', { name: 'Import 1 entity' }));
  expect(await screen.findByText('1 entity with 1 attribute added.')).toBeVisible();
  expect(screen.getByText('Entity User exists already and stays as it is.')).toBeVisible();
  const sent = { product: { id: ID }, structure: { id: 1 }, seal: 'sealed' };
  await waitFor(() => expect(calls.filter(({ body }) => (body as { seal?: string })?.seal)).toHaveLength(2));
  expect(calls.findLast(({ path }) => path.endsWith('import/structure'))?.body).toEqual(sent);
});

const openRun = (detail: object) => {
  const network = answerWith({
    'GET /api/session': { body: sessionOf('admin') },
    'POST /api/database/list': { body: [] },
    'POST /api/data-model/version/import/detail': { body: detail },
    'POST /api/run/cancel': { body: { id: RUN, uuid: RUN } },
  });
  renderPage(<ImportPage base="/model" product={ID} />, {
    at: `/model/import?run=${RUN}`,
    session: sessionOf('admin'),
  });
  return network;
};

test('a running import shows what it reads and how many tables are recorded, until it ends', async () => {
  const { on } = openRun({ state: 'open', left: [] });
  expect(await screen.findByText('Reading the tables.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Show its run' })).toHaveAttribute('href', paths.run(RUN));
  on('POST /api/data-model/version/import/detail', {
    body: { state: 'open', tables: 138, recorded: 57, left: [] },
  });
  expect(await screen.findByText('57 of 138 tables recorded.')).toBeVisible();
  on('POST /api/data-model/version/import/detail', {
    body: { state: 'failed', reason: 'The log is full.', tables: 138, recorded: 60, left: [] },
  });
  expect(await screen.findByText('The log is full.')).toBeVisible();
  expect(screen.getByText('60 of 138 tables recorded.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Cancel import' })).toBeNull();
});

test('a running import can be cancelled', async () => {
  const { calls } = openRun({ state: 'open', tables: 138, recorded: 57, left: [] });
  await screen.findByText('57 of 138 tables recorded.');
  await press(() => screen.getByRole('button', { name: 'Cancel import' }));
  const dialog = within(await screen.findByRole('dialog'));
  await press(() => dialog.getByRole('button', { name: 'Cancel the import' }));
  await waitFor(() =>
    expect(calls.find(({ path }) => path.endsWith('run/cancel'))?.body).toEqual({ id: RUN }),
  );
});

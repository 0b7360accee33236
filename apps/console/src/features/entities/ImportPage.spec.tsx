// covers: VER-03
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { answerWith } from '../../testing/network';
import { renderRoutes, sessionOf } from '../../testing/render';
import { ImportPage } from './ImportPage';

const ID = '01930000-0000-7000-8000-000000000a01';
const preview = {
  entities: [
    {
      name: 'Session',
      table: 'session',
      isUuid: false,
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
  on('POST /api/data-model/version/import/structure', { body: { edits: 2, left: [] } });
  await userEvent.click(screen.getByRole('button', { name: 'Import 1 entity' }));
  await screen.findByText('The list');
  const sent = { product: { id: ID }, structure: { id: 1 }, seal: 'sealed' };
  await waitFor(() => expect(calls.filter(({ body }) => (body as { seal?: string })?.seal)).toHaveLength(2));
  expect(calls.findLast(({ path }) => path.endsWith('import/structure'))?.body).toEqual(sent);
});

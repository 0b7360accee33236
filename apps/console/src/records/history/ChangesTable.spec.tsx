// covers: AUD-03
import { screen } from '@testing-library/react';
import { answerWith } from '../../testing/network';
import { renderPage, sessionOf } from '../../testing/render';
import { ChangesTable } from './ChangesTable';

const MIA = '01930000-0000-7000-8000-00000000c0de';
const GONE = '01930000-0000-7000-8000-00000000beef';

test('shows the changed lines of a long text', async () => {
  renderPage(
    <ChangesTable
      compared
      changes={[{ field: 'Text', before: 'server {\n  listen 80;\n}', after: 'server {\n  listen 81;\n}' }]}
    />,
    { session: sessionOf('admin') },
  );
  const lines = await screen.findByRole('group', { name: 'Text: changed lines' });
  expect(lines).toHaveTextContent('removed: listen 80;');
  expect(lines).toHaveTextContent('added: listen 81;');
  expect(screen.getByText('1 line added, 1 removed')).toBeVisible();
});

test('names the people who acted, also those who were forgotten', async () => {
  answerWith({
    'POST /api/person/list': { body: [{ id: MIA, name: 'Mia Novak' }, { id: GONE }] },
  });
  renderPage(
    <ChangesTable
      compared
      changes={[
        { field: 'Versions 2: by', after: MIA },
        { field: 'Cancel requested by', before: GONE, after: 'system' },
        { field: 'Standby', before: MIA },
      ]}
    />,
    { session: sessionOf('admin') },
  );
  expect(await screen.findByRole('row', { name: 'Versions 2: by Mia Novak' })).toBeVisible();
  expect(
    screen.getByRole('row', { name: 'Cancel requested by Former member (beef) Quarterdeck' }),
  ).toBeVisible();
  expect(screen.getByRole('row', { name: `Standby ${MIA}` })).toBeVisible();
});

// covers: AUD-03
import { screen } from '@testing-library/react';
import { answerWith } from '../../testing/network';
import { renderPage, sessionOf } from '../../testing/render';
import Servers from '.';

const ID = '01930000-0000-7000-8000-000000000001';

const open = (events: object[]) => {
  answerWith({
    'POST /api/server/detail': { status: 404, body: { msg: 'server could not be found' } },
    'POST /api/history/list': { body: { events } },
    'POST /api/person/list': { body: [] },
  });
  renderPage(<Servers />, { at: `/${ID}/detail`, session: sessionOf('admin') });
};

test('the page of a removed server says who removed it and links to its history', async () => {
  const { id } = sessionOf().profile;
  open([
    {
      position: '42',
      type: 'ServerRemoved',
      at: '2026-11-20T12:00:00.000Z',
      actor: id,
      says: 'removed',
      subject: { category: 'server', id: ID, name: 'web-1' },
      data: {},
    },
  ]);
  expect(await screen.findByRole('heading', { name: 'web-1 was removed' })).toBeVisible();
  expect(screen.getByText(/Ada Marsh removed it/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Open its history' })).toHaveAttribute(
    'href',
    `/app/history?category=server&id=${ID}`,
  );
  expect(screen.getByRole('button', { name: 'Undo…' })).toBeVisible();
});

test('without a recorded removal, the page only says that the server was not found', async () => {
  open([]);
  expect(await screen.findByText('This server does not exist (any more).')).toBeVisible();
});

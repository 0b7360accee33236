/** covers: SHELL-09 */
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useParams } from 'react-router';
import { api } from '../core/api';
import { answerWith } from '../testing/network';
import { renderRoutes } from '../testing/render';
import { DataView } from './DataView';

const { useThingQuery } = api.injectEndpoints({
  endpoints: (build) => ({
    thing: build.query<{ name: string }, string>({ query: (id) => `/things/${id}` }),
  }),
});

const Thing = () => {
  const { id = '' } = useParams();
  const query = useThingQuery(id);
  return (
    <>
      <button onClick={() => void query.refetch()}>Refresh</button>
      <DataView query={query} what="Thing">
        {({ name }) => <p>{name}</p>}
      </DataView>
    </>
  );
};

const open = async () => {
  const network = answerWith({
    'GET /api/things/a': { body: { name: 'The first' } },
    'GET /api/things/b': { status: 503, body: { msg: 'not just now' } },
  });
  const view = renderRoutes([{ path: '/:id', element: <Thing /> }], { at: '/a' });
  await screen.findByText('The first');
  return { ...view, ...network };
};

test('the address of one row never shows another row', async () => {
  const { go } = await open();
  await go('/b');
  expect(screen.queryByText('The first')).not.toBeInTheDocument();
  expect(await screen.findByText(/not just now/)).toBeVisible();
  expect(screen.queryByText('The first')).not.toBeInTheDocument();
});

test('content stays when a refetch fails', async () => {
  const { on } = await open();
  on('GET /api/things/a', { status: 503, body: { msg: 'not just now' } });
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  expect(await screen.findByText(/not just now/)).toBeVisible();
  expect(screen.getByText('The first')).toBeVisible();
});

test('what asks for something that is not accepted is not told to try again', async () => {
  const { go, on } = await open();
  on('GET /api/things/c', { status: 400, body: { msg: 'not accepted', data: { q: 'too long' } } });
  await go('/c');
  expect(await screen.findByText('Change the search, the filters or the address.')).toBeVisible();
});

test('an instant without a workspace is no failure, and is told in local time', async () => {
  const { go, on } = await open();
  const msg = 'this is before the workspace existed: its history begins at 2026-11-30T17:16:27.802Z';
  on('GET /api/things/d', { status: 400, body: { msg, data: { at: msg } } });
  await go('/d');
  expect(await screen.findByRole('heading', { name: 'Nothing to show at this instant' })).toBeVisible();
  expect(
    screen.getByText(/^This is before the workspace existed: its history begins on 30 Nov 2026, /),
  ).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

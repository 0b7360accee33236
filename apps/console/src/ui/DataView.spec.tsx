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

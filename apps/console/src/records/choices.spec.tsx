/** Choosing a server from a list that is longer than one page. covers: SRV-15 */
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { routes } from '../app/router';
import { answerWith } from '../testing/network';
import { answersAboutPeople } from '../testing/person';
import { renderRoutes, sessionOf } from '../testing/render';
import { pageOfServers, serverOf } from '../testing/server';

const idOf = (n: number): string => `01930000-0000-7000-8000-000000000${100 + n}`;
const gone = '01930000-0000-7000-8000-00000000dead';
const servers = Array.from({ length: 300 }, (_, n) => serverOf(idOf(n), `web-${n}`));

const open = (address: string, many = servers) => {
  const network = answerWith({
    'GET /api/session': { body: sessionOf('admin') },
    'POST /api/run/list': { body: { runs: [] } },
    ...answersAboutPeople(),
    'POST /api/alert/list': { body: [] },
    'POST /api/server/page': pageOfServers(many),
    'POST /api/server/detail': ({ body }) => {
      const found = many.find(({ id }) => id === (body as { id: string }).id);
      return found ? { body: found } : { status: 404, body: { msg: 'server could not be found' } };
    },
    'GET /api/domain/is-pointing-to-us': { body: { pointing: false } },
  });
  const view = renderRoutes(routes, { at: address, session: sessionOf('admin') });
  return { ...network, ...view };
};

test('shows the name of a selected server outside the first page, and finds others by search', async () => {
  const { calls, router } = open(`/app/run?server=${idOf(250)}`);
  expect(await screen.findByRole('button', { name: 'Remove filter: Server: web-250' })).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Filter' }));
  const select = await screen.findByRole('combobox', { name: 'Server' });
  await waitFor(() => expect(select).toHaveValue('web-250'));
  await userEvent.click(select);
  await userEvent.clear(select);
  await userEvent.type(select, 'web-27');
  await userEvent.click(await screen.findByRole('option', { name: 'web-270' }));
  await waitFor(() => expect(router.state.location.search).toBe(`?server=${idOf(270)}`));
  await waitFor(() => expect(select).toHaveValue('web-270'));
  const asked = calls.filter(({ path }) => path === '/api/server/page').map(({ body }) => body);
  expect(asked).toContainEqual({ sort: 'alias', size: 200 });
  expect(asked).toContainEqual({ sort: 'alias', size: 50, search: 'web-27' });
  expect(calls.some(({ path }) => path === '/api/server/list')).toBe(false);
});

test('shows a selected server that no longer exists as deleted', async () => {
  open(`/app/run?server=${gone}`);
  expect(
    await screen.findByRole('button', { name: 'Remove filter: Server: A deleted server' }),
  ).toBeVisible();
});

test('a form searches a long list of servers, and offers a short one in full', async () => {
  const { unmount } = open('/app/domain/add');
  const search = await screen.findByRole('combobox', { name: 'Server' });
  await userEvent.type(search, '10.0.0.3 web-299');
  await userEvent.click(await screen.findByRole('option', { name: 'web-299 (10.0.0.3)' }));
  await waitFor(() => expect(search).toHaveValue('web-299 (10.0.0.3)'));
  unmount();
  open('/app/domain/add', servers.slice(0, 2));
  const short = await screen.findByRole('combobox', { name: 'Server' });
  await waitFor(() => expect(short.querySelectorAll('option')).toHaveLength(3));
  await userEvent.selectOptions(short, 'web-1 (10.0.0.3)');
  expect(short).toHaveValue(idOf(1));
});

// covers: SRV-11
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { answerWith } from '../../testing/network';
import { renderPage, sessionOf } from '../../testing/render';
import { serverOf } from '../../testing/server';
import Servers from '.';

const [ID, PRODUCT, SERVICE] = ['s-1', 'p-1', 'c-1'];
const holder = (id: string, name: string) => ({
  category: 'release',
  id,
  name,
  within: [
    { category: 'product', id: PRODUCT },
    { category: 'service', id: SERVICE },
  ],
});
const serving = (id: string, name: string, version: string) => ({
  id,
  product: PRODUCT,
  service: { id: SERVICE, name },
  server: { id: ID, name: 'web-1' },
  package: { id: 'k', version, image: 'i' },
});

const open = async (running: object[]) => {
  const network = answerWith({
    'POST /api/server/detail': { body: serverOf(ID, 'web-1') },
    'POST /api/domain/pageByServer': { body: { rows: [], total: 0, found: 0, options: {} } },
    'POST /api/deploy/release/running': { body: running },
    'POST /api/server/delete': {
      status: 409,
      body: { msg: 'Orders serves on web-1: stop it first', heldBy: [holder('r-1', 'Orders 1.0')] },
    },
    'POST /api/person/list': { body: [] },
    'POST /api/run/list': { body: { runs: [] } },
  });
  renderPage(<Servers />, { at: `/${ID}/detail`, session: sessionOf('admin') });
  await userEvent.click(await screen.findByRole('button', { name: 'Actions' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete server' }));
  return { ...network, dialog: within(await screen.findByRole('dialog', { name: 'Delete web-1?' })) };
};
const deploy = (id: string) => `/app/product/${PRODUCT}/detail/service/${SERVICE}/detail/deploy/${id}`;

test('the dialog names the services that serve on the server, links to them, and offers no deletion', async () => {
  const { dialog, calls } = await open([serving('r-1', 'Orders', '1.0'), serving('r-2', 'Shop', '2.1')]);
  expect(dialog.getByText(/Orders and Shop serve on web-1\. Stop them first/)).toBeVisible();
  expect(dialog.getByRole('link', { name: 'Orders 1.0' })).toHaveAttribute('href', deploy('r-1'));
  expect(dialog.getByRole('link', { name: 'Shop 2.1' })).toHaveAttribute('href', deploy('r-2'));
  expect(dialog.queryByRole('button', { name: 'Delete server' })).toBeNull();
  await userEvent.click(dialog.getByRole('button', { name: 'OK' }));
  expect(calls.some(({ path }) => path === '/api/server/delete')).toBe(false);
});

test('a refusal of the deletion links to what holds the server back', async () => {
  const { dialog } = await open([]);
  await userEvent.type(dialog.getByRole('textbox'), 'web-1');
  await userEvent.click(dialog.getByRole('button', { name: 'Delete server' }));
  const refusal = within(await screen.findByRole('alert'));
  expect(refusal.getByText('Orders serves on web-1: stop it first')).toBeVisible();
  await waitFor(() =>
    expect(refusal.getByRole('link', { name: 'Orders 1.0' })).toHaveAttribute('href', deploy('r-1')),
  );
});

// covers: SVC-01
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { answerWith } from '../../testing/network';
import { renderPage, sessionOf } from '../../testing/render';
import { serverOf } from '../../testing/server';
import { ServiceAdd } from './ServiceAdd';

const SERVER = '01930000-0000-7000-8000-000000000001';
const PRODUCT = '01930000-0000-7000-8000-000000000a01';

test('names of the client part are required where both parts are made, and optional elsewhere', async () => {
  const { calls } = answerWith({
    'POST /api/workspace/detail': { body: { sourceHost: { organization: 'acme' } } },
    'POST /api/server/page': {
      body: { rows: [serverOf(SERVER, 'web-1')], total: 1, found: 1, options: {} },
    },
    'POST /api/service/create': { body: { id: 's', uuid: 's', runId: 'r' } },
  });
  renderPage(<ServiceAdd base="/service" product={PRODUCT} />, { at: '/', session: sessionOf('admin') });
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), 'Shop');
  await userEvent.type(screen.getByRole('textbox', { name: 'Repository' }), 'shop');
  await screen.findByRole('option', { name: 'web-1' });
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Server' }), 'web-1');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Package' }), 'container');
  await userEvent.click(screen.getByRole('button', { name: 'Create service' }));
  const names = ['Name of the client part', 'Repository of the client part'];
  for (const name of names) await waitFor(() => expect(screen.getByRole('textbox', { name })).toBeInvalid());
  expect(screen.getAllByText('This field is required')).toHaveLength(2);
  await userEvent.click(screen.getByRole('radio', { name: 'Server from template' }));
  expect(screen.getByRole('textbox', { name: 'Name of the client part optional' })).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Create service' }));
  await waitFor(() =>
    expect(calls.find(({ path }) => path === '/api/service/create')?.body).toMatchObject({
      data: { name: 'Shop', nameFront: '', repoFront: '', packageType: 'container' },
      fromTemplate: { server: true, client: false },
    }),
  );
});

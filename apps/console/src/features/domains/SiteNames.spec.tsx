// covers: DOM-02, DOM-04
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { routes } from '../../app/router';
import { domainOf } from '../../testing/domain';
import { answerWith } from '../../testing/network';
import { renderRoutes, sessionOf } from '../../testing/render';
import './DomainPage';

const ID = '01930000-0000-7000-8000-000000000d02';
const at = '2026-11-20T12:00:00.000Z';
const www = { name: 'www.shop.example.org', does: 'redirects' };
const none = { outcome: 'none', addresses: [], pointsHere: false };
const dns = { outcome: 'found', addresses: [{ address: '10.0.0.3', family: 4 }], pointsHere: true, at };

const open = (handlers: Parameters<typeof answerWith>[0] = {}, more: object = {}) => {
  const network = answerWith({
    'GET /api/session': { body: sessionOf('admin') },
    'POST /api/run/list': { body: { runs: [] } },
    'POST /api/person/list': { body: [] },
    'POST /api/workspace/detail': {
      body: { dns: { resolvers: [], ttl: 300 }, revision: 1, sslMonitor: { expiringDays: 30 } },
    },
    'POST /api/domain/detail': { body: domainOf(ID, more), position: '5' },
    ...handlers,
  });
  const where = `/app/domain/${ID}/edit`;
  return { ...network, ...renderRoutes(routes, { at: where, session: sessionOf('admin') }) };
};
const card = async () => within(await screen.findByRole('region', { name: 'Other names' }));

test('says which name does not point here, in the list of names, under DNS and in the header', async () => {
  open({}, { names: [www], dns: { ...dns, names: [{ name: www.name, ...none }] } });
  const names = await card();
  expect(await names.findByText(/redirects to the main name, does not point here/)).toBeVisible();
  const lookedUp = within(screen.getByRole('region', { name: 'DNS' }));
  expect(lookedUp.getByText(www.name)).toBeVisible();
  expect(screen.getByText(`Needs attention: no DNS address: ${www.name}`)).toBeVisible();
});

test('names are added with what they do, and sent all at once with the revision', async () => {
  const { calls } = open({ 'POST /api/domain/names': { body: { id: ID, uuid: ID } } }, { names: [www] });
  const names = await card();
  await userEvent.click(names.getByRole('radio', { name: 'Edit' }));
  await userEvent.click(await names.findByRole('button', { name: 'Add name' }));
  const row = within(names.getByRole('region', { name: 'Name 2' }));
  await userEvent.type(row.getByRole('textbox', { name: 'Name' }), 'Bücher.example.');
  await userEvent.selectOptions(row.getByRole('combobox', { name: 'What it does' }), 'Is served alike');
  await userEvent.click(names.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(calls.find(({ path }) => path === '/api/domain/names')?.body).toEqual({
      id: ID,
      names: [www, { name: 'xn--bcher-kva.example', does: 'serves' }],
      revision: 3,
    }),
  );
});

test('a refusal is shown at its row', async () => {
  const taken = 'a domain with this name already exists';
  open(
    {
      'POST /api/domain/names': { status: 400, body: { msg: taken, data: { 'names.1.name': taken } } },
    },
    { names: [www, { name: 'shop.example', does: 'serves' }] },
  );
  const names = await card();
  await userEvent.click(names.getByRole('radio', { name: 'Edit' }));
  await userEvent.type((await names.findAllByRole('textbox', { name: 'Name' }))[1]!, '.net');
  await userEvent.click(names.getByRole('button', { name: 'Save' }));
  const second = within(names.getByRole('region', { name: 'Name 2' }));
  expect(await second.findByText(taken)).toBeVisible();
  expect(within(names.getByRole('region', { name: 'Name 1' })).queryByText(taken)).not.toBeInTheDocument();
});

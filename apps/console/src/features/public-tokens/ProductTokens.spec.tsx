import { screen, waitFor, within } from '@testing-library/react';
import { answerWith } from '../../testing/network';
import { press } from '../../testing/presses';
import { renderPage, sessionOf } from '../../testing/render';
import { ProductTokens } from '.';

const at = '2026-11-20T12:00:00.000Z';
const token = {
  id: 't1',
  workspace: 'main',
  product: { id: 'p1' },
  fingerprint: 'SHA256:47DEQpj8HBSa',
  issuedAt: at,
  issuedBy: sessionOf().profile.id,
  usedAt: at,
  uses: 1234,
  revision: 0,
  position: '5',
};

const open = (rows: object[]) => {
  const network = answerWith({
    'GET /api/session': { body: sessionOf('admin') },
    'POST /api/person/list': { body: [] },
    'POST /api/public-token/list': { body: rows },
    'POST /api/public-token/issue': { body: { id: 't2', uuid: 't2', token: 'qd_pub_secret' } },
    'POST /api/public-token/revoke': { body: { id: 't1', uuid: 't1' } },
  });
  return { ...network, ...renderPage(<ProductTokens product="p1" />, { session: sessionOf('admin') }) };
};

test('a token is shown once, with how it is sent', async () => {
  open([]);
  expect(await screen.findByText('No tokens yet')).toBeVisible();
  await press(() => screen.getByRole('button', { name: 'Issue token' }));
  expect(await screen.findByText('qd_pub_secret')).toBeVisible();
  expect(screen.getByText('A product token: copy it now; it won’t be shown again')).toBeVisible();
  expect(screen.getByText(/curl .*\/api\/public\/i18n\/p1\/en/)).toBeVisible();
});

test('tokens are listed with their uses, and revoked after a question', async () => {
  const { calls } = open([token]);
  const row = await screen.findByRole('row', { name: /47DEQpj8HBSa/ });
  expect(row).toHaveTextContent(/1,?234/);
  await press(() => screen.getByRole('button', { name: `Revoke ${token.fingerprint}` }));
  const dialog = within(await screen.findByRole('dialog'));
  await press(() => dialog.getByRole('button', { name: 'Revoke token' }));
  await waitFor(() =>
    expect(calls.find(({ path }) => path === '/api/public-token/revoke')?.body).toEqual({ id: 't1' }),
  );
});

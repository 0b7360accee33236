/** covers: SRV-13 */
import { screen, within } from '@testing-library/react';
import { answerWith } from '../../testing/network';
import { press } from '../../testing/presses';
import { renderPage, sessionOf } from '../../testing/render';
import { serverOf } from '../../testing/server';
import Servers from '.';

const ID = '01930000-0000-7000-8000-000000000001';
const since = '2026-11-20T12:00:00.000Z';
const expected = { algorithm: 'ssh-ed25519', fingerprint: 'SHA256:expected' };
const other = { algorithm: 'ssh-ed25519', fingerprint: 'SHA256:other' };

test('after a refused host key, the connection can be tested until the expected key is back', async () => {
  const known = { ...serverOf(ID, 'web-1'), hostKey: { ...expected, since } };
  let isBack = false;
  let shown = other;
  answerWith({
    'POST /api/server/detail': () => ({
      body: { ...known, ...(shown === other && { refusedHostKey: { ...other, at: since } }) },
    }),
    'POST /api/server/contact': () => {
      if (!isBack)
        return { status: 502, body: { code: 'hostKeyChanged', msg: "The server's host key has changed." } };
      shown = expected;
      return { body: { hostKey: shown, pinned: false, software: 'OpenSSH_9.2p1' } };
    },
  });
  renderPage(<Servers />, { at: `/${ID}/detail`, session: sessionOf('admin') });

  const card = within(await screen.findByRole('region', { name: 'Host key' }));
  const test = (): Promise<void> => press(() => card.getByRole('button', { name: 'Test connection' }));
  await test();
  // Only one alert: the comparison of the two keys.
  expect(await card.findByRole('alert')).toHaveTextContent(/Expected.*SHA256:expected.*SHA256:other/);
  expect(card.getAllByRole('alert')).toHaveLength(1);
  expect(card.getByRole('alert')).toHaveTextContent('fix it and test the connection again');

  isBack = true;
  await test();
  expect(await card.findByText(/The server has this key/)).toBeVisible();
});

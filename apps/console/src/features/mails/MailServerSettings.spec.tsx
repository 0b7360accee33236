// covers: MAIL-01
import type { WorkspaceView } from '@quarterdeck/projections';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { answerWith } from '../../testing/network';
import { press } from '../../testing/presses';
import { renderPage, sessionOf } from '../../testing/render';
import { MailServerSettings } from './MailServerSettings';

const place = { host: 'smtp.example.org', port: 587, security: 'starttls' } as const;

const openForm = async (server?: WorkspaceView['mailServer']['server']) => {
  const { calls } = answerWith({ 'POST /api/workspace/mail-server': { body: { id: 'w', uuid: 'w' } } });
  const workspace = { mailServer: { server }, revision: 4 } as unknown as WorkspaceView;
  renderPage(<MailServerSettings workspace={workspace} />, { session: sessionOf('admin') });
  await press(() => screen.getByRole('radio', { name: 'Edit' }));
  await screen.findByRole('textbox', { name: /^Host/ });
  return {
    saved: async (): Promise<unknown> => {
      await press(() => screen.getByRole('button', { name: 'Save' }));
      await waitFor(() => expect(calls).toHaveLength(1));
      return calls[0]?.body;
    },
  };
};
const signsIn = () => screen.getByRole('checkbox', { name: 'Sign in with a user name and a password' });

const stored = { ...place, secret: { ref: 'r', fingerprint: 'SHA256:abc' } };

test('a stored login stays although neither part of it is shown', async () => {
  const { saved } = await openForm(stored);
  expect(signsIn()).toBeChecked();
  expect(screen.getByRole('textbox', { name: /^User name/ })).toHaveValue('');
  expect(screen.getByText('If empty, the stored one stays.')).toBeVisible();
  await userEvent.clear(screen.getByRole('textbox', { name: /^Port/ }));
  await userEvent.type(screen.getByRole('textbox', { name: /^Port/ }), '465');
  expect(await saved()).toEqual({ server: { ...place, port: 465, signIn: true }, revision: 4 });
});

test('a stored login is removed by saying so', async () => {
  const { saved } = await openForm(stored);
  await userEvent.click(signsIn());
  expect(await saved()).toEqual({ server: { ...place, signIn: false }, revision: 4 });
});

test('a first login is sent with the server', async () => {
  const { saved } = await openForm(place);
  expect(signsIn()).not.toBeChecked();
  await userEvent.click(signsIn());
  await userEvent.type(screen.getByRole('textbox', { name: /^User name/ }), 'console');
  await userEvent.type(screen.getByLabelText(/^Password/), 'secret');
  expect(await saved()).toEqual({
    server: { ...place, signIn: true, username: 'console', password: 'secret' },
    revision: 4,
  });
});

test('a server is removed by emptying its host', async () => {
  const { saved } = await openForm(place);
  await userEvent.clear(screen.getByRole('textbox', { name: /^Host/ }));
  expect(await saved()).toEqual({ revision: 4 });
});

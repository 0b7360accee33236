// covers: AUTH-06, AUTH-07
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { answerWith } from '../../testing/network';
import { renderPage, sessionOf } from '../../testing/render';
import { ProofHost, withProof } from './fresh-proof';
import { GiveFactor } from './GiveFactor';

const state = {
  ways: ['totp', 'passkey', 'recovery'] as const,
  passkeys: { origin: 'https://deck.example.org' },
};

test('a change that needs a fresh proof asks for the second factor, and is made then', async () => {
  const { calls } = answerWith({
    'GET /api/second-factor/state': { body: { ...state, ways: ['totp'] } },
    'POST /api/second-factor/give/totp': { body: {} },
  });
  renderPage(<ProofHost />, { session: sessionOf() });
  let attempts = 0;
  const change = withProof(async () => {
    attempts += 1;
    if (attempts > 1) return 'changed';
    throw { status: 403, msg: 'please give your second factor again first', code: 'second-factor-stale' };
  });
  await userEvent.type(await screen.findByRole('textbox', { name: 'Code' }), '123 456');
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await change).toBe('changed');
  expect(calls.find(({ path }) => path === '/api/second-factor/give/totp')?.body).toEqual({ code: '123456' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a page at another origin says so, and offers the ways that work there', async () => {
  answerWith({});
  renderPage(<GiveFactor state={{ ...state, ways: [...state.ways] }} onGiven={() => undefined} />, {
    session: sessionOf(),
  });
  expect(
    await screen.findByText(/Passkeys work only at https:\/\/deck\.example\.org\. This page was opened/),
  ).toBeVisible();
  expect(screen.getByRole('textbox', { name: 'Code' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /passkey/ })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Use a recovery code instead' }));
  expect(screen.getByRole('textbox', { name: 'Recovery code' })).toBeVisible();
});

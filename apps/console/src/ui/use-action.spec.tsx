// covers: SHELL-10
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderPage } from '../testing/render';
import { Refusal } from './Refusal';
import { useAction } from './use-action';

interface Sent {
  typed: string;
  answer: (value: string) => void;
  refuse: (msg: string) => void;
}

let sent: Sent[];
let answers: string[];

const Page = ({ asks = false, to }: { asks?: boolean; to?: string }) => {
  const { act, busy, failure, dismiss } = useAction();
  const remove = () =>
    act({
      ...(asks && {
        ask: { title: 'Delete web-1?', body: 'It goes.', confirmLabel: 'Delete', typeToConfirm: 'web-1' },
      }),
      send: (typed) =>
        new Promise<string>((answer, reject) =>
          sent.push({ typed, answer, refuse: (msg) => reject({ status: 409, msg }) }),
        ),
      done: (answer) => answers.push(answer),
      failed: 'web-1 could not be deleted',
      ...(to !== undefined && { to }),
    });
  return (
    <>
      <button type="button" disabled={busy} onClick={() => void remove()}>
        Delete
      </button>
      <Refusal what={failure?.what ?? ''} error={failure?.error} onClose={dismiss} />
    </>
  );
};

const button = () => screen.getByRole('button', { name: 'Delete' });
const click = () => userEvent.click(button());

beforeEach(() => {
  sent = [];
  answers = [];
});

test('is busy until the answer is there, passes it on, and opens the page', async () => {
  const { router } = renderPage(<Page to="/next" />);
  await click();
  expect(button()).toBeDisabled();
  expect(answers).toEqual([]);
  sent[0]?.answer('gone');
  await waitFor(() => expect(router.state.location.pathname).toBe('/next'));
  expect(answers).toEqual(['gone']);
  expect(button()).toBeEnabled();
});

test('keeps a refusal until the next attempt, and stays on the page', async () => {
  const { router } = renderPage(<Page to="/next" />);
  await click();
  sent[0]?.refuse('A site still uses it.');
  expect(await screen.findByRole('alert')).toHaveTextContent(
    /web-1 could not be deleted.*A site still uses it\./,
  );
  expect(router.state.location.pathname).toBe('/');
  expect(answers).toEqual([]);
  await click();
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(screen.queryByRole('alert')).toBeNull();
  sent[1]?.refuse('No.');
  await userEvent.click(await screen.findByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('sends what the question had typed, and nothing when it was cancelled', async () => {
  renderPage(<Page asks />);
  await click();
  await screen.findByRole('dialog', { name: 'Delete web-1?' });
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent).toEqual([]);
  await click();
  await userEvent.type(await screen.findByRole('textbox'), 'web-1{Enter}');
  await waitFor(() => expect(sent.map(({ typed }) => typed)).toEqual(['web-1']));
});

/** covers: SRV-16 */
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { answerWith, type Call } from '../../testing/network';
import { renderPage, sessionOf } from '../../testing/render';
import Settings from './Settings';

const workspace = (healthChecks = { everySeconds: 30, failures: 3, outOf: 4 }, revision = 0) => ({
  id: 'w',
  workspace: 'w',
  name: 'harbour',
  createdAt: '2026-11-20T12:00:00.000Z',
  healthChecks,
  revision,
  position: '1',
});

const open = (role: string) => {
  const network = answerWith({
    'POST /api/workspace/detail': { body: workspace() },
    'POST /api/workspace/health-checks': { body: { id: 'w' } },
  });
  const view = renderPage(<Settings />, { session: sessionOf(role) });
  const sent = (): unknown[] =>
    network.calls.filter(({ path }: Call) => path === '/api/workspace/health-checks').map(({ body }) => body);
  return { ...view, ...network, sent };
};

const write = async (label: string, value: string): Promise<void> => {
  await userEvent.clear(screen.getByLabelText(label));
  await userEvent.type(screen.getByLabelText(label), value);
};

test('an administrator chooses interval and N of M, and sees what is in force', async () => {
  const { sent, on } = open('admin');
  expect(
    await screen.findByText('In force: every 30 s, unreachable after 3 of the last 4 failed.'),
  ).toBeVisible();
  await write('Seconds between two checks', '60');
  await write('Failed checks', '2');
  on('POST /api/workspace/detail', { body: workspace({ everySeconds: 60, failures: 2, outOf: 4 }, 1) });
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(/In force: every 60 s, unreachable after 2/)).toBeVisible();
  expect(sent()).toEqual([{ everySeconds: 60, failures: 2, outOf: 4, revision: 0 }]);
  // One's own change is no conflict for the next.
  await write('Of the last', '5');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(sent().at(-1)).toEqual({ everySeconds: 60, failures: 2, outOf: 5, revision: 1 }),
  );
});

test('what cannot be kept is said under its field', async () => {
  const { sent } = open('admin');
  await screen.findByText(/In force/);
  await write('Seconds between two checks', '4');
  await write('Failed checks', '9');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('numbers below 5 are not accepted')).toBeVisible();
  await write('Seconds between two checks', '5');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('more than the number of checks looked at')).toBeVisible();
  expect(sent()).toEqual([]);
});

test('somebody else’s change meanwhile is shown field by field', async () => {
  const { on } = open('admin');
  await screen.findByText(/In force/);
  on('POST /api/workspace/health-checks', {
    status: 409,
    body: {
      msg: 'workspace was changed by somebody else meanwhile',
      current: { everySeconds: 10, failures: 3, outOf: 4, revision: 2 },
    },
  });
  await write('Seconds between two checks', '60');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('10')).toBeVisible();
});

test('a member is told who makes the settings', () => {
  const { calls } = open('member');
  expect(screen.getByText(/made by its administrators/)).toBeVisible();
  expect(screen.queryByRole('form')).not.toBeInTheDocument();
  expect(calls).toEqual([]);
});

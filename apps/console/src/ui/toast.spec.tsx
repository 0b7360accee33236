/** covers: SHELL-06 */
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderPage } from '../testing/render';
import { confirmAction, confirmTyped } from './confirm';
import { banner, toast } from './toast';

afterEach(() => jest.useRealTimers());

test('a toast has a title and disappears by itself', () => {
  jest.useFakeTimers();
  renderPage(<p>Page</p>);
  act(() => toast.success('Saved'));
  expect(screen.getByText('Success!')).toBeVisible();
  act(() => void jest.advanceTimersByTime(6000));
  expect(screen.queryByText('Saved')).toBeNull();
});

test('at most three toasts are shown and the rest is counted', async () => {
  // Fake timers, since on a busy machine the toasts would disappear before the test has looked at them.
  jest.useFakeTimers();
  const user = userEvent.setup({ advanceTimers: (ms) => jest.advanceTimersByTime(ms) });
  renderPage(<p>Page</p>);
  act(() => ['one', 'two', 'three', 'four', 'five'].forEach((words) => toast.info(words)));
  expect(screen.getAllByRole('button', { name: 'Close' })).toHaveLength(3);
  expect(screen.getByText('2 more')).toBeVisible();
  await user.click(screen.getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
  expect(screen.getByText('four')).toBeVisible();
  for (const close of screen.getAllByRole('button', { name: 'Close' })) await user.click(close);
  await user.click(screen.getByRole('button', { name: 'Close' }));
});

test('a banner stays until it is dismissed, and showing the same id again replaces it', async () => {
  let dismissed = 0;
  renderPage(<p>Page</p>);
  act(() => banner.show('credentials', 'first'));
  act(() => banner.show('credentials', 'second', () => (dismissed += 1)));
  expect(screen.queryByText('first')).toBeNull();
  expect(screen.getByText('second')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByText('second')).toBeNull();
  expect(dismissed).toBe(1);
});

describe('a confirmation', () => {
  const question = {
    title: 'Delete server?',
    body: <p>Its 3 domains go with it.</p>,
    confirmLabel: 'Delete server',
    danger: true,
  };

  test('is answered by its button, by Cancel or by Escape', async () => {
    renderPage(<p>Page</p>);
    const ask = (): Promise<boolean> => {
      let answer: Promise<boolean> = Promise.resolve(false);
      act(() => void (answer = confirmAction(question)));
      return answer;
    };
    const yes = ask();
    expect(await screen.findByText('Its 3 domains go with it.')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Delete server' }));
    expect(await yes).toBe(true);
    const no = ask();
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
    expect(await no).toBe(false);
    const escaped = ask();
    await screen.findByRole('button', { name: 'Cancel' });
    await userEvent.keyboard('{Escape}');
    expect(await escaped).toBe(false);
  });

  test('with `typeToConfirm` requires the name to be typed, in its case and without the spaces around it', async () => {
    renderPage(<p>Page</p>);
    let answer = Promise.resolve({ confirmed: false, typed: '' });
    act(() => void (answer = confirmTyped({ ...question, typeToConfirm: ' web-1' })));
    const button = await screen.findByRole('button', { name: 'Delete server' });
    await userEvent.type(screen.getByLabelText(/to confirm/), 'Web-1');
    expect(button).toBeDisabled();
    await userEvent.clear(screen.getByLabelText(/to confirm/));
    await userEvent.type(screen.getByLabelText(/to confirm/), 'web-1 {Enter}');
    expect(await answer).toEqual({ confirmed: true, typed: 'web-1 ' });
  });
});

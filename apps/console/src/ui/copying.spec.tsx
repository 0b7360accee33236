/** covers: SHELL-05 */
import { act, renderHook, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderPage } from '../testing/render';
import { CodeFrame } from './code/CodeFrame';
import { copyToClipboard, useCopy } from './copying';
import { CopyText } from './CopyText';

afterEach(() => jest.useRealTimers());

const open = () =>
  renderPage(
    <>
      <CopyText value="s3cret" />
      <CodeFrame title="nginx.conf" text="server {}">
        code
      </CodeFrame>
    </>,
  );

test('copies the value and says so', async () => {
  const user = userEvent.setup();
  const copied = jest.spyOn(navigator.clipboard, 'writeText');
  open();
  await user.click(screen.getByRole('button', { name: 'Copy s3cret' }));
  expect(await screen.findByText('Copied')).toBeInTheDocument();
  expect(copied).toHaveBeenCalledWith('s3cret');
});

test('the notice of a copy resets after 2 seconds', async () => {
  userEvent.setup();
  jest.useFakeTimers();
  const { result } = renderHook(() => useCopy());
  await act(() => result.current.copy('s3cret'));
  expect(result.current.outcome).toBe('copied');
  act(() => void jest.advanceTimersByTime(1999));
  expect(result.current.outcome).toBe('copied');
  act(() => void jest.advanceTimersByTime(1));
  expect(result.current.outcome).toBeUndefined();
  // The notice of a second copy also stays for its full time.
  await act(() => result.current.copy('one'));
  act(() => void jest.advanceTimersByTime(1500));
  await act(() => result.current.copy('two'));
  act(() => void jest.advanceTimersByTime(1999));
  expect(result.current.outcome).toBe('copied');
});

test('every copy button says when the browser has no clipboard', async () => {
  const user = userEvent.setup();
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined });
  expect(await copyToClipboard('s3cret')).toBe(false);
  open();
  const [besideText, besideCode] = screen.getAllByRole('status');
  await user.click(screen.getByRole('button', { name: 'Copy s3cret' }));
  expect(await screen.findByRole('tooltip')).toHaveTextContent(/does not allow copying here/);
  expect(besideText).toHaveTextContent(/does not allow copying here/);
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  expect(besideCode).toHaveTextContent(/does not allow copying here/);
});

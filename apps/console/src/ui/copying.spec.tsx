/** covers: SHELL-05 */
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderPage } from '../testing/render';
import { CodeFrame } from './code/CodeFrame';
import { copyToClipboard } from './copying';
import { CopyText } from './CopyText';

const open = () =>
  renderPage(
    <>
      <CopyText value="s3cret" />
      <CodeFrame title="nginx.conf" text="server {}">
        code
      </CodeFrame>
    </>,
  );

test('what was copied is said', async () => {
  const user = userEvent.setup();
  const copied = jest.spyOn(navigator.clipboard, 'writeText');
  open();
  await user.click(screen.getByRole('button', { name: 'Copy s3cret' }));
  expect(await screen.findByText('Copied')).toBeInTheDocument();
  expect(copied).toHaveBeenCalledWith('s3cret');
});

test('a browser that has no clipboard here is told of, wherever one copies', async () => {
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

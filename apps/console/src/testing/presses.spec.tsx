/** What makes a test that does not wait red on every machine. */
import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { pressAnyway } from './presses';

test('a press on an element that has left the page is an error', async () => {
  const { unmount } = render(<button type="button">Go</button>);
  const button = screen.getByRole('button');
  unmount();
  await expect(userEvent.click(button)).rejects.toThrow('is not in the document');
  expect(() => fireEvent.click(button)).toThrow('sends "click" to an element that is not in the document');
});

test('so is a press of a disabled button or of what is in it, but not the pointer over it', async () => {
  const { rerender } = render(
    <button type="button" disabled>
      <i>Go</i>
    </button>,
  );
  await userEvent.hover(screen.getByRole('button'));
  await expect(userEvent.click(screen.getByText('Go'))).rejects.toThrow('is disabled. Wait until');
  rerender(
    <fieldset disabled>
      <input />
    </fieldset>,
  );
  expect(() => fireEvent.change(screen.getByRole('textbox'), { target: { value: 'a' } })).toThrow('disabled');
});

test('unless the test is about such a press', async () => {
  const clicked = jest.fn();
  render(
    <button type="button" disabled onClick={clicked}>
      Go
    </button>,
  );
  await pressAnyway(() => userEvent.click(screen.getByRole('button')));
  expect(clicked).not.toHaveBeenCalled();
});

test('a part that is loaded when first shown comes late', async () => {
  let loaded = false;
  const part = import('../ui/Loading').then(() => (loaded = true));
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  expect(loaded).toBe(false);
  expect(await part).toBe(true);
});

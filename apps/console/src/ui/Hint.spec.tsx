import { MantineProvider } from '@mantine/core';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BadgeHint } from './BadgeHint';
import { Hint } from './Hint';

const open = () =>
  render(
    <MantineProvider env="test">
      <Hint label="3 of 4 answered">
        <button type="button">Servers</button>
      </Hint>
    </MantineProvider>,
  );
const button = () => screen.getByRole('button', { name: 'Servers' });

test('a hint is shown on hover until the pointer leaves', async () => {
  open();
  await userEvent.hover(button());
  expect(await screen.findByRole('tooltip')).toHaveTextContent('3 of 4 answered');
  expect(button()).toHaveAccessibleDescription('3 of 4 answered');
  await userEvent.unhover(button());
  await waitFor(() => expect(screen.queryByRole('tooltip')).toBeNull());
  expect(button()).not.toHaveAttribute('aria-describedby');
});

test('a hint is shown on focus until Escape', async () => {
  open();
  await userEvent.tab();
  expect(await screen.findByRole('tooltip')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('tooltip')).toBeNull());
  expect(button()).toHaveFocus();
});

test('a badge can be focused with the keyboard only if it has a hint', async () => {
  render(
    <MantineProvider env="test">
      <BadgeHint label="">healthy</BadgeHint>
      <BadgeHint label="It does not answer.">unreachable</BadgeHint>
    </MantineProvider>,
  );
  await userEvent.tab();
  expect(screen.getByText('unreachable')).toHaveFocus();
  expect(await screen.findByRole('tooltip')).toHaveTextContent('It does not answer.');
});

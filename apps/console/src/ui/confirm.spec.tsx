// covers: SHELL-10
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderPage } from '../testing/render';
import { confirmAction } from './confirm';

const question = { title: 'Delete it?', body: 'It goes.', confirmLabel: 'Delete' };

test('restores the focus to the button that asked, after the first question and after later ones', async () => {
  renderPage(
    <button type="button" onClick={() => void confirmAction(question)}>
      Ask
    </button>,
  );
  const button = await screen.findByRole('button', { name: 'Ask' });
  for (const time of ['first', 'second']) {
    await userEvent.click(button);
    const dialog = await screen.findByRole('dialog', { name: question.title });
    await waitFor(() => expect(within(dialog).getByRole('button', { name: 'Cancel' })).toHaveFocus());
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect([time, document.activeElement]).toEqual([time, button]));
  }
});

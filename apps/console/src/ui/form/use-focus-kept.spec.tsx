import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { object, text } from '@quarterdeck/events/inputs';
import { press } from '../../testing/presses';
import { renderPage } from '../../testing/render';
import { ResourceForm } from '../ResourceForm';

test('what replaces a form begins at the start of the page', async () => {
  const Replaced = () => {
    const [sent, setSent] = useState(false);
    return (
      <main tabIndex={-1}>
        {sent ? (
          <p>Sent</p>
        ) : (
          <ResourceForm
            schema={object({ alias: text(20) })}
            fields={[{ name: 'alias', label: 'Alias', type: 'text' }]}
            submitLabel="Save"
            onSubmit={async () => setSent(true)}
          />
        )}
      </main>
    );
  };
  renderPage(<Replaced />);
  await userEvent.type(screen.getByLabelText('Alias'), 'web-1');
  await press(() => screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Sent')).toBeVisible();
  await waitFor(() => expect(screen.getByRole('main')).toHaveFocus());
});

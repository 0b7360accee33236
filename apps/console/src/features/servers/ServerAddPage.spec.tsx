// covers: SRV-02
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { answerWith } from '../../testing/network';
import { renderPage, sessionOf } from '../../testing/render';
import { serverOf } from '../../testing/server';
import Servers from '.';

test('whoever enters the address of a server that is listed is told which one it is', async () => {
  const listed = { ...serverOf('s-1', 'web-1'), host: '203.0.113.7', port: 22 };
  answerWith({
    'POST /api/server/page': { body: { rows: [listed], total: 1, found: 1, options: {} } },
  });
  renderPage(<Servers />, { at: '/add', session: sessionOf('admin') });
  const host = await screen.findByLabelText('Host');
  await userEvent.type(host, '203.0.113.70');
  expect(host).not.toHaveAccessibleDescription(/already/);
  await userEvent.type(host, '{Backspace}');
  expect(await screen.findByText('web-1 has this address already.')).toBeVisible();
  // Behind one address, ports lead to different machines.
  const port = screen.getByLabelText(/SSH port/);
  await userEvent.clear(port);
  await userEvent.type(port, '2222');
  expect(screen.queryByText(/already/)).not.toBeInTheDocument();
});

import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { renderPage } from '../../testing/render';
import { TextOrFile } from './TextOrFile';

const Key = () => {
  const [text, setText] = useState('');
  return <TextOrFile label="Private key" maxBytes={1000} value={text} onText={setText} />;
};

test('a file that was chosen, cleared and chosen again is read again', async () => {
  const { container } = renderPage(<Key />);
  const input = container.querySelector<HTMLInputElement>('input[type=file]');
  // jsdom cannot read files.
  const file = Object.assign(new File(['-----BEGIN'], 'id_ed25519'), { text: async () => '-----BEGIN' });
  const key = screen.getByLabelText('Private key');
  for (const _time of ['first', 'second']) {
    await userEvent.upload(input as HTMLInputElement, file);
    await waitFor(() => expect(key).toHaveValue('-----BEGIN'));
    await userEvent.clear(key);
    expect(key).toHaveValue('');
  }
});

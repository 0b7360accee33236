import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { renderPage } from '../../testing/render';
import { TextOrFile } from './TextOrFile';

const Key = () => {
  const [text, setText] = useState('');
  return <TextOrFile label="Private key" maxBytes={1000} value={text} onText={setText} />;
};

/** jsdom cannot read files. */
const fileOf = (bytes: Buffer): File =>
  Object.assign(new File([], 'chosen'), { arrayBuffer: async () => new Uint8Array(bytes).buffer });

test('a file that was chosen, cleared and chosen again is read again', async () => {
  const { container } = renderPage(<Key />);
  const input = container.querySelector<HTMLInputElement>('input[type=file]');
  const file = fileOf(Buffer.from('-----BEGIN'));
  const key = screen.getByLabelText('Private key');
  for (const _time of ['first', 'second']) {
    await userEvent.upload(input as HTMLInputElement, file);
    await waitFor(() => expect(key).toHaveValue('-----BEGIN'));
    await userEvent.clear(key);
    expect(key).toHaveValue('');
  }
});

test.each([
  ['UTF-8', Buffer.from('A=\u00fc')],
  ['UTF-8 with a byte order mark', Buffer.from('\ufeffA=\u00fc')],
  ['UTF-16', Buffer.from('\ufeffA=\u00fc', 'utf16le')],
  ['UTF-16, high byte first', Buffer.from('\ufeffA=\u00fc', 'utf16le').swap16()],
])('reads a file in %s', async (_name, bytes) => {
  const { container } = renderPage(<Key />);
  const input = container.querySelector<HTMLInputElement>('input[type=file]');
  await userEvent.upload(input as HTMLInputElement, fileOf(bytes));
  await waitFor(() => expect(screen.getByLabelText('Private key')).toHaveValue('A=\u00fc'));
});

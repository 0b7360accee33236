import { bytesOfBase64 } from './base64';

test.each(['', 'a', 'ab', 'abc', 'abcd', '\0\xff'])('reads %j with padding and without', (text) => {
  const encoded = Buffer.from(text).toString('base64');
  expect(bytesOfBase64(encoded)?.toString()).toBe(text);
  expect(bytesOfBase64(encoded.replaceAll('=', ''))?.toString()).toBe(text);
});

test.each(['not base64!', 'YW\nJj', 'YQ==YQ==', 'YWJj ', 'YQ===', 'data:;base64,YWJj', 'é'])(
  'does not read %j',
  (text) => {
    expect(bytesOfBase64(text)).toBeUndefined();
  },
);

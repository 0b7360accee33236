import { passkeySite } from './passkey-site';

it.each([
  ['https://deck.example.org/', undefined, { origin: 'https://deck.example.org', host: 'deck.example.org' }],
  [
    'https://deck.example.org:8443',
    'evil.example',
    { origin: 'https://deck.example.org:8443', host: 'deck.example.org' },
  ],
  [undefined, 'localhost:3000', { origin: 'http://localhost:3000', host: 'localhost' }],
  ['http://localhost:3000', '127.0.0.1:3000', { origin: 'http://localhost:3000', host: 'localhost' }],
])('passkeys work at the host of PUBLIC_URL %s, or of the request %s', (publicUrl, host, site) => {
  expect(passkeySite(publicUrl, host)).toEqual(site);
});

it.each([
  [undefined, '127.0.0.1:3000', 'open the console at http://localhost:3000'],
  [undefined, '[::1]:3000', 'open the console at http://localhost:3000'],
  [undefined, 'deck.example.org', 'set PUBLIC_URL to an https address'],
  ['http://deck.example.org', 'deck.example.org', 'set PUBLIC_URL to an https address'],
  ['https://192.0.2.7', undefined, 'set PUBLIC_URL to an https address'],
  ['https://[2001:db8::1]', undefined, 'set PUBLIC_URL to an https address'],
  [undefined, undefined, 'set PUBLIC_URL'],
])('says why passkeys do not work at PUBLIC_URL %s and host %s', (publicUrl, host, reason) => {
  expect(passkeySite(publicUrl, host)).toEqual({ reason: expect.stringContaining(reason) as string });
});

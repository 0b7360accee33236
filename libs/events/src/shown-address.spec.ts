import { looksSecret, shownAddress } from './shown-address';

test.each([
  ['https://hooks.example.org/services/T0/B0/s3cret', 'https://hooks.example.org/services/…'],
  ['https://hooks.example.org/console?key=s3cret', 'https://hooks.example.org/console/…'],
  ['https://hooks.example.org/console#s3cret', 'https://hooks.example.org/console/…'],
  ['https://me:s3cret@hooks.example.org/console', 'https://hooks.example.org/console/…'],
  ['https://s3cret@hooks.example.org', 'https://hooks.example.org/…'],
  ['https://hooks.example.org/9f8e7d6c5b4a3f2e', 'https://hooks.example.org/…'],
  ['https://hooks.example.org:8443/console', 'https://hooks.example.org:8443/console'],
  ['https://hooks.example.org', 'https://hooks.example.org'],
  ['no address', '…'],
])('%s is shown as %s, which stays as it is', (address, shown) => {
  expect(shownAddress(address)).toBe(shown);
  expect(shownAddress(shown)).toBe(shown);
});

test.each([
  ['shop', false],
  ['my-shop-frontend-v2', false],
  ['2026-11-23', false],
  ['ghp_16C7e42F292c6912E7710c838347Ae178B4a', true],
  ['3f2b8c1e-9d7a-4c1b-8e2f-0a1b2c3d4e5f', true],
  ['qhdtrpwmxkzbvnlcgfjsyaeu', true],
])('%s looks like a secret: %s', (text, secret) => expect(looksSecret(text)).toBe(secret));

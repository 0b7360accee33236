// covers: SVC-01
import { refusedImage } from './packages.noun';
import { refusedPort } from './services.noun';

test.each([
  '127.0.0.1:5000/Acme/Shop:v1',
  'ghcr.io/acme/Shop',
  'Acme/shop:1',
  'Shop',
  `ghcr.io/Acme/shop@sha256:${'0'.repeat(64)}`,
])('docker would refuse the image %s', (image) => {
  expect(refusedImage(image)).toMatch(/lower-case letters only: [^A-Z]+$/);
});

test.each([
  'Registry.Example:5000/acme/shop:V1',
  'ghcr.io/acme/shop:RC1',
  'shop',
  `acme/shop:V1@sha256:${'0'.repeat(64)}`,
  '@acme/Shop@1.4.2',
  'Shop@1.4.2',
])('%s is accepted', (image) => {
  expect(refusedImage(image)).toBeUndefined();
});

test('the ports of sites are none of a service', () => {
  expect([80, 443, 3000].map((port) => refusedPort(port) === undefined)).toEqual([false, false, true]);
});

/** References to images by Docker's own grammar, and what registries and images are compared by. covers: SVC-01 */
import {
  imageNamed,
  refusedImage,
  refusedRegistry,
  registryNamed,
  registryOf,
  repositoryOf,
} from './image-names';
import { refusedDigest, refusedPackage } from './service-packages.noun';

const hex = '0123456789abcdef'.repeat(4);

test.each([
  ['shop', 'docker.io'],
  ['shop:V1', 'docker.io'],
  // Without a path there is no port: this is the tag 99999.
  ['x:99999', 'docker.io'],
  ['acme/shop:1', 'docker.io'],
  ['acme/shop:_.-', 'docker.io'],
  ['a.b/shop', 'a.b'],
  ['acme/a.b_c__d---e/f', 'docker.io'],
  ['localhost/shop', 'localhost'],
  ['localhost:5000/shop', 'localhost:5000'],
  ['ghcr.io/acme/shop:1.4.2', 'ghcr.io'],
  ['Registry.Example:5000/acme/shop:V1', 'registry.example:5000'],
  ['127.0.0.1:5000/acme/shop', '127.0.0.1:5000'],
  ['[2001:db8::1]:5000/acme/shop:1', '[2001:db8::1]:5000'],
  ['xn--n3h.com/shop', 'xn--n3h.com'],
  [`acme/shop:V1@sha256:${hex}`, 'docker.io'],
  [`shop@sha256:${hex}`, 'docker.io'],
  [`${'a'.repeat(247)}:${'t'.repeat(128)}`, 'docker.io'],
  ['index.docker.io/acme/shop', 'docker.io'],
  ['registry-1.docker.io/acme/shop', 'docker.io'],
  ['docker.io/shop', 'docker.io'],
])('%s is an image of %s', (image, registry) => {
  expect([refusedImage(image), refusedPackage(image), registryOf(image)]).toEqual([
    undefined,
    undefined,
    registry,
  ]);
});

test.each([
  ['', /name of an image is expected/],
  ['acme//shop', /one \/ between its parts/],
  ['/shop', /one \/ between its parts/],
  ['acme/', /one \/ between its parts/],
  ['ghcr.io/', /name of an image is expected/],
  ['-v /:/h', /without spaces or options/],
  ['shop:v1 --privileged', /without spaces or options/],
  ['shop\u200B', /without spaces or options/],
  ['--privileged', /^--privileged cannot be/],
  ['-shop', /^-shop cannot be/],
  ['a..b', /^a\.\.b cannot be/],
  ['a.-b', /^a\.-b cannot be/],
  ['a___b', /^a___b cannot be/],
  ['acme/-shop', /^-shop cannot be/],
  ['shop-', /^shop- cannot be/],
  ['shop;reboot', /cannot be in the name/],
  ['$(id)', /cannot be in the name/],
  ['schöp', /cannot be in the name/],
  ['shop:', /a tag is expected/],
  ['shop:-1', /a tag is expected/],
  ['shop:ü', /a tag is expected/],
  [`shop:${'t'.repeat(129)}`, /a tag is expected/],
  [':1', /name of an image is expected/],
  ['shop@sha256:1', /a digest is expected/],
  ['shop@', /a digest is expected/],
  [`shop@sha256:${hex.toUpperCase()}`, /a digest is expected/],
  [`shop@sha256:${hex}@sha256:${hex}`, /a digest is expected/],
  ['x:99999/shop', /^99999 is no port/],
  ['x:0/shop', /^0 is no port/],
  ['x:/shop', /a host is expected/],
  ['a..b/shop', /a host is expected/],
  ['-a.b/shop', /a host is expected/],
  ['a_b.example/shop', /a host is expected/],
  ['[::1/shop', /a host is expected/],
  ['https://ghcr.io/acme/shop:1', /without https:\/\//],
  ['docker://shop', /without docker:\/\//],
  [hex, /the id of an image/],
  ['a'.repeat(248), /at most 255/],
  [`ghcr.io/${'a'.repeat(256)}`, /at most 255/],
  ['127.0.0.1:5000/Acme/Shop:v1', /lower-case letters only: acme\/shop$/],
  ['ghcr.io/acme/Shop', /lower-case letters only: acme\/shop$/],
  ['Acme/shop:1', /lower-case letters only: acme\/shop$/],
  [`ghcr.io/Acme/shop@sha256:${hex}`, /lower-case letters only: acme\/shop$/],
])('%j is refused in words', (image, words) => {
  expect(refusedImage(image)).toMatch(words);
  expect(refusedPackage(image)).toBeDefined();
});

test('an npm package is one of its own, and only of a service that has such packages', () => {
  for (const name of ['@acme/shop@1.4.2', 'shop@1.4.2', '@acme/shop@1.4.2-rc.1'])
    expect([refusedPackage(name), refusedPackage(name, 'npm')]).toEqual([undefined, undefined]);
  expect(refusedPackage('shop@1.4.2', 'container')).toMatch(/^this is an npm package/);
  for (const name of ['@acme/shop', '@acme/shop@latest', 'shop@1.4'])
    expect(refusedPackage(name)).toMatch(/^an npm package is expected with its exact version/);
  expect(refusedPackage('acme/shop:1', 'npm')).toMatch(/such as @acme\/shop@1\.4\.2$/);
});

test('a digest is one of an image or of an npm package', () => {
  const [image, npm] = [`sha256:${hex}`, `sha512-${'A'.repeat(86)}==`];
  for (const digest of ['', image, npm]) expect(refusedDigest(digest)).toBeUndefined();
  expect([refusedDigest(image, 'container'), refusedDigest(npm, 'npm')]).toEqual([undefined, undefined]);
  expect(refusedDigest(npm, 'container')).toMatch(/^sha256:/);
  expect(refusedDigest(image, 'npm')).toMatch(/^sha512-/);
  expect(refusedDigest('sha256:1')).toMatch(/of an npm package, are expected$/);
});

test('Docker Hub is one registry under its names, and its images have one name', () => {
  const hub = ['docker.io', 'index.docker.io', 'registry-1.docker.io', 'Docker.IO ', 'hub.docker.com'];
  expect(new Set(hub.map(registryNamed))).toEqual(new Set(['docker.io']));
  expect(registryNamed('Registry.Example:5000')).toBe('registry.example:5000');
  const names = ['shop:1', 'library/shop:1', 'docker.io/shop:1', 'index.docker.io/library/shop:1'];
  expect(new Set(names.map(imageNamed))).toEqual(new Set(['docker.io/library/shop:1']));
  expect(imageNamed(`GHCR.io/acme/shop:V1@sha256:${hex}`)).toBe(`ghcr.io/acme/shop:V1@sha256:${hex}`);
  // Recorded before there was a grammar.
  expect(imageNamed('acme//shop')).toBe('acme//shop');
});

test('a registry is a host with a port that exists', () => {
  for (const host of ['docker.io', 'registry.example:65535', 'localhost', '10.0.0.1:5000', '[::1]:5000'])
    expect(refusedRegistry(host)).toBeUndefined();
  for (const host of ['https://ghcr.io', 'ghcr.io/acme', 'a..b', '-a', 'a b', 'a:', 'a:0', 'a:65536'])
    expect(refusedRegistry(host)).toBeDefined();
});

test('a repository is without tag and digest, and keeps the port of its registry', () => {
  expect(repositoryOf('[::1]:5000/shop:1')).toBe('[::1]:5000/shop');
  expect(repositoryOf(`127.0.0.1:5000/shop:1@sha256:${hex}`)).toBe('127.0.0.1:5000/shop');
  expect(repositoryOf('127.0.0.1:5000/shop')).toBe('127.0.0.1:5000/shop');
});

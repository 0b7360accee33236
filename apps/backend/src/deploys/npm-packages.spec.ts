/** npm packages by name, and what a service may be deployed from. covers: DEP-01 */
import { npmPackage, type service, type ValuesOf } from '@quarterdeck/events';
import { deployable } from './deployable';
import { byDigest } from './images';
import { keptPackage } from './npm-packages';

const integrity = `sha512-${'A'.repeat(86)}==`;

test.each([
  ['@acme/shop@1.4.2', { name: '@acme/shop', version: '1.4.2' }],
  ['shop@2.0.0-rc.1', { name: 'shop', version: '2.0.0-rc.1' }],
  [`shop@1.0.0#${integrity}`, { name: 'shop', version: '1.0.0', integrity }],
])('%s is an npm package', (text, found) => expect(npmPackage(text)).toEqual(found));

test.each([
  'shop',
  'shop@latest',
  '@acme/../x@1.0.0',
  'shop@1.0.0/../..',
  '--registry@1.0.0/x',
  'shop@1.0.0#sha1-x',
])('%s is not an npm package', (text) => expect(npmPackage(text)).toBeUndefined());

test('contents that are known have the folder that they were unpacked into, whatever the registry says', () => {
  expect(keptPackage('shop@1.0.0')).toBeUndefined();
  const again = byDigest(byDigest('shop@1.0.0', integrity), integrity);
  expect(keptPackage(again)).toEqual({ tarball: '', integrity, folder: '1.0.0-000000000000' });
});

const of = (packageType: 'npm' | 'container', packageSubfolder = '') =>
  ({ packageType, packageSubfolder }) as ValuesOf<typeof service>;
const from = (image: string, digest = '') => ({ version: '1', image, digest });

test('a service is deployed from what its kind says', () => {
  const client = { client: { folder: 'dist/web' } };
  expect(deployable(from('shop@1.0.0', integrity), of('npm', 'dist/web'))).toEqual({
    image: `shop@1.0.0#${integrity}`,
    ...client,
  });
  expect(deployable(from('acme/shop:1'), of('container', 'shop'))).toEqual({ image: 'acme/shop:1' });
});

test.each([
  [from('acme/shop:1'), of('npm'), 'an npm package is expected with its exact version'],
  [
    from('@acme/shop@1.0.0'),
    of('container'),
    'this is an npm package, and the service is deployed from images',
  ],
  [from('ghcr.io/Acme/shop:1'), of('container'), 'lower-case letters only: acme/shop'],
  [from('shop@1.0.0', 'sha256:0'), of('npm'), 'sha512- and 88 characters are expected'],
  [from('shop@1.0.0'), of('npm', '../etc'), '../etc as the path of its package'],
  [from('shop@1.0.0'), of('npm', '/etc'), '/etc as the path of its package'],
  [from('shop@1.0.0'), of('npm', 'dist/..'), 'dist/.. as the path of its package'],
])('%j of %j is refused by name', (what, found, reason) => {
  expect(() => deployable(what, found)).toThrow(reason);
});

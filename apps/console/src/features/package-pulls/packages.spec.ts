// covers: SRV-08
import type { PackagePullView } from '@quarterdeck/projections';
import { packagesOf } from './packages';

const entry = (slug: string, cdUrl: string, version?: string, ref?: string) =>
  ({ id: slug, slug, cdUrl, version, ...(ref && { address: { ref } }) }) as PackagePullView;

test('offers each package once, under its newest name and with its newest version', () => {
  const log = [
    entry('the shop', 'https://ci/shop'),
    entry('blog', 'https://ci/blog', '2.0'),
    entry('shop', 'https://ci/shop', '1.4.2'),
    entry('shop', 'https://ci/shop', '1.4.1'),
    entry('new', 'https://ci/new'),
  ];
  expect(packagesOf(log)).toEqual([
    { entry: { id: 'the shop' }, slug: 'the shop', cdUrl: 'https://ci/shop', version: '1.4.2' },
    { entry: { id: 'blog' }, slug: 'blog', cdUrl: 'https://ci/blog', version: '2.0' },
    { entry: { id: 'new' }, slug: 'new', cdUrl: 'https://ci/new' },
  ]);
  expect(packagesOf([])).toEqual([]);
});

test('distinguishes packages whose shown addresses are equal', () => {
  const shown = 'https://ci/deploy/…';
  const log = [
    entry('the shop', shown, undefined, 'a'),
    entry('blog', shown, '2.0', 'b'),
    entry('shop', shown, '1.4.2', 'a'),
    entry('old', shown, '0.1'),
    entry('older', shown, '0.2'),
  ];
  expect(packagesOf(log).map(({ slug, version }) => [slug, version])).toEqual([
    ['the shop', '1.4.2'],
    ['blog', '2.0'],
    ['old', '0.1'],
    ['older', '0.2'],
  ]);
});

// covers: SRV-08
import type { DeployView } from '@quarterdeck/projections';
import { packagesOf } from './packages';

const entry = (slug: string, cdUrl: string, version?: string) => ({ slug, cdUrl, version }) as DeployView;

test('each package is offered once, by its newest name, with the newest version that worked', () => {
  const log = [
    entry('the shop', 'https://ci/shop'),
    entry('blog', 'https://ci/blog', '2.0'),
    entry('shop', 'https://ci/shop', '1.4.2'),
    entry('shop', 'https://ci/shop', '1.4.1'),
    entry('new', 'https://ci/new'),
  ];
  expect(packagesOf(log)).toEqual([
    { slug: 'the shop', cdUrl: 'https://ci/shop', version: '1.4.2' },
    { slug: 'blog', cdUrl: 'https://ci/blog', version: '2.0' },
    { slug: 'new', cdUrl: 'https://ci/new' },
  ]);
  expect(packagesOf([])).toEqual([]);
});

// covers: OPS-06
import { ping, publishedContainer, publishedRelease } from '../../../../testing/github/webhooks';
import { announcedBy } from './announcement';

const now = new Date('2026-11-30T12:00:00Z');
const announced = (event: string, body: unknown) => announcedBy(event, body, now);

it('reads a published container, whichever of its two events tells of it', () => {
  const expected = {
    is: 'version',
    version: { starts: 'package', tag: 'v1.4.0', branch: 'main', preRelease: false },
    repository: 'acme/orders',
    owner: 'acme',
    name: 'orders',
    image: 'ghcr.io/acme/orders:v1.4.0',
    digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    by: 'octocat',
    publishedAt: '2026-11-30T10:00:00.000Z',
  };
  const one = { tag: 'v1.4.0', image: 'ghcr.io/Acme/orders' };
  expect(announced('package', publishedContainer(one))).toMatchObject(expected);
  expect(announced('registry_package', publishedContainer(one, 'registry_package'))).toMatchObject(expected);
});

it('reads a release, and whether it is one before a release', () => {
  const release = publishedRelease({ tag: 'v2.0.0', branch: 'refs/heads/main', preRelease: true });
  expect(announced('release', release)).toMatchObject({
    is: 'version',
    version: { starts: 'release', tag: 'v2.0.0', branch: 'main', preRelease: true },
    image: '',
    publishedAt: '2026-11-30T10:00:00.000Z',
  });
  expect(announced('release', publishedRelease({ tag: 'v1', action: 'edited' }))).toMatchObject({
    is: 'ignored',
  });
  expect(announced('release', publishedRelease({ tag: 'v1', draft: true }))).toMatchObject({
    says: 'a draft is not deployed',
  });
});

it('reads an npm package with the scope of its owner', () => {
  const npm = {
    action: 'published',
    package: {
      name: 'shop',
      package_type: 'npm',
      owner: { login: 'Acme' },
      package_version: { version: '1.0.0', target_commitish: 'master', docker_metadata: [] },
      registry: { type: 'npm' },
    },
    repository: { full_name: 'Acme/shop' },
    sender: { login: 'octocat' },
  };
  expect(announced('package', npm)).toMatchObject({ image: '@acme/shop@1.0.0', digest: '' });
  const other = { ...npm, package: { ...npm.package, package_type: 'maven' } };
  expect(announced('package', other)).toMatchObject({
    is: 'ignored',
    says: expect.stringContaining('maven'),
  });
});

it('takes no time that is unknown or to come', () => {
  // The published example of a container has the year 1, and no tag.
  const unknown = publishedContainer({ tag: 'v1', at: '0001-01-01T00:00:00Z' });
  expect(announced('package', unknown)).toMatchObject({ publishedAt: '2019-05-09T23:28:29.000Z' });
  const ahead = publishedRelease({ tag: 'v1', at: '2099-01-01T00:00:00Z' });
  expect(announced('release', ahead)).toMatchObject({ publishedAt: '2019-05-15T15:19:25.000Z' });
  expect(announced('package', publishedContainer({ tag: '' }))).toMatchObject({
    is: 'ignored',
    says: expect.stringContaining('no tag'),
  });
});

it('takes no digest that is none', () => {
  expect(announced('package', publishedContainer({ tag: 'v1', digest: 'sha256:6c62fb45' }))).toMatchObject({
    is: 'version',
    digest: '',
  });
});

it('answers a ping, and does nothing with other events', () => {
  expect(announced('ping', ping)).toMatchObject({ is: 'ping' });
  expect(announced('push', { ref: 'refs/heads/main' })).toMatchObject({ is: 'ignored' });
});

it.each([
  undefined,
  null,
  [],
  'x',
  5,
  { action: 'published', package: [] },
  { action: {}, package: { name: {} } },
])('survives a body of another kind: %j', (body) => {
  expect(announced('package', body).is).toBe('ignored');
  expect(announced('release', body).is).toBe('ignored');
});

it('passes on no invisible characters, and no endless text', () => {
  const body = publishedRelease({ tag: 'v1', sender: `oct\u0007ocat${'x'.repeat(500)}` });
  expect(announced('release', body)).toMatchObject({ by: expect.stringMatching(/^octocatx{193}$/) });
});

// covers: OPS-06
import { publishedContainer, publishedRelease, type Announced } from '../../../../testing/github/webhooks';
import { announcedBy, type AnnouncedVersion } from './announcement';
import { planOf, versionNamed, withDigest, type RuleView, type ServiceFields } from './push-plan';

const now = new Date('2026-11-30T12:00:00Z');
const service = {
  organization: 'acme',
  repo: 'orders',
  repoFront: '',
  packageType: 'container',
  packageSubfolder: '',
} as ServiceFields;
const rule = (id: string, more: Partial<RuleView> = {}): RuleView => ({
  id,
  name: id,
  isOn: true,
  starts: 'package',
  compares: 'tag',
  pattern: 'v*',
  preReleases: false,
  env: 3,
  approval: 'nobody',
  ...more,
});
const ground = (rules: RuleView[], more: object = {}) => ({
  service,
  rules,
  registry: 'ghcr.io',
  npmNames: [],
  ...more,
});
const container = (of: Announced) => announcedBy('package', publishedContainer(of), now) as AnnouncedVersion;
const release = (of: Announced) => announcedBy('release', publishedRelease(of), now) as AnnouncedVersion;

it('lets the strictest rule of an environment decide', () => {
  const rules = [rule('at once'), rule('asks', { approval: 'superadmin' }), rule('dev', { env: 1 })];
  expect(planOf(container({ tag: 'v1.0.0' }), ground(rules)).matched).toEqual([
    { rule: { id: 'asks', name: 'asks' }, env: 3, approval: 'superadmin' },
    { rule: { id: 'dev', name: 'dev' }, env: 1 },
  ]);
});

it.each([
  [container({ tag: 'v1', repository: 'acme/other' }), [rule('a')], 'the repository acme/other'],
  [container({ tag: 'v1', name: 'worker' }), [rule('a')], 'the image worker, and this service has orders'],
  [{ ...container({ tag: 'v1' }), repository: '', owner: 'mallory' }, [rule('a')], 'a package of mallory'],
  [container({ tag: 'v1' }), [], 'the service has no rule'],
  [container({ tag: 'main' }), [rule('a')], 'a: it wants a tag like v*, and this is main.'],
  [{ ...container({ tag: 'v1' }), image: '@acme/orders@1.0.0' }, [rule('a')], 'is not accepted'],
])('says why nothing is deployed: %#', (announced, rules, why) => {
  const plan = planOf(announced, ground(rules));
  expect(plan.matched).toEqual([]);
  expect(plan.says).toContain(why);
});

it('says it of five rules, however many there are', () => {
  const rules = Array.from({ length: 8 }, (_, at) => rule(`rule ${at}`));
  expect(planOf(container({ tag: 'main' }), ground(rules)).says).toMatch(
    /rule 4: .*3 more rules do not match\.$/,
  );
});

it('finds the image of a release, and the npm package by those that the service has', () => {
  const rules = [rule('a', { starts: 'release' })];
  expect(planOf(release({ tag: 'v1.0.0' }), ground(rules)).image).toBe('ghcr.io/acme/orders:v1.0.0');
  const npm = { service: { ...service, packageType: 'npm' }, npmNames: ['@acme/shop'] };
  expect(planOf(release({ tag: 'v1.0.0' }), ground(rules, npm)).image).toBe('@acme/shop@1.0.0');
  expect(planOf(release({ tag: 'v1.0.0' }), ground(rules, { ...npm, npmNames: [] })).says).toContain(
    'does not name its npm package',
  );
});

it('names a version that moves with what it was', () => {
  const digest = `sha256:${'a'.repeat(64)}`;
  expect(versionNamed('v1.4.0', digest)).toBe('v1.4.0');
  expect(versionNamed('main', digest)).toBe('main (aaaaaaaaaaaa)');
  expect(versionNamed('main', '')).toBe('main');
  expect(withDigest('x'.repeat(128), digest).length).toBeLessThanOrEqual(100);
});

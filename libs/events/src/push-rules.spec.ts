// covers: OPS-06
import { isPreRelease, matchesGlob, missedBy, refusedPattern, type PushedVersion } from './push-rules';

it.each([
  ['v*', 'v1.4.0', true],
  ['v*', 'main', false],
  ['*', '', true],
  ['main', 'main', true],
  ['main', 'mainline', false],
  ['release-?', 'release-2', true],
  ['release-?', 'release-', false],
  ['*-rc.*', 'v1.0.0-rc.1', true],
  ['v1.*', 'v1x4', false],
  ['a*b*c', 'a-b-b-c', true],
  ['release/*', 'release/2026/11', true],
])('%s and %s: %s', (pattern, text, is) => {
  expect(matchesGlob(pattern, text)).toBe(is);
});

it('needs few steps for a pattern that was made to need many', () => {
  expect(matchesGlob(`${'a*'.repeat(100)}b`, 'a'.repeat(10_000))).toBe(false);
});

it('refuses patterns that mean something else elsewhere', () => {
  expect(['v*', 'main', 'release-?', 'feature/*'].map(refusedPattern)).toEqual(Array(4).fill(undefined));
  expect(refusedPattern('refs/heads/main')).toContain('without refs/heads/');
  expect(refusedPattern('v[0-9]')).toContain('only * for any text');
  expect(refusedPattern('^v')).toContain('only *');
  expect(refusedPattern('my branch')).toContain('no spaces');
});

it('knows versions before a release', () => {
  expect(['v1.4.0-rc.1', '2.0-beta', '1.0.0-alpha+5'].every(isPreRelease)).toBe(true);
  expect(['v1.4.0', 'main', 'release-1', '1.0.0+build-5'].some(isPreRelease)).toBe(false);
});

describe('a rule', () => {
  const rule = { isOn: true, starts: 'package', compares: 'tag', pattern: 'v*', preReleases: false } as const;
  const version: PushedVersion = { starts: 'package', tag: 'v1.4.0', branch: 'main', preRelease: false };

  it('deploys what it matches', () => {
    expect(missedBy(rule, version)).toBeUndefined();
    expect(missedBy({ ...rule, compares: 'branch', pattern: 'main' }, version)).toBeUndefined();
    expect(missedBy({ ...rule, preReleases: true }, { ...version, preRelease: true })).toBeUndefined();
  });

  it.each([
    [{ ...rule, isOn: false }, version, 'it is switched off'],
    [
      rule,
      { ...version, starts: 'release' },
      'it waits for a published package, and this is a published release',
    ],
    [rule, { ...version, tag: 'main' }, 'it wants a tag like v*, and this is main'],
    [{ ...rule, compares: 'branch' }, { ...version, branch: '' }, 'the source host names no branch'],
    [rule, { ...version, preRelease: true }, 'v1.4.0 is a pre-release'],
  ] as const)('says why not: %#', (of, is, why) => {
    expect(missedBy(of, is)).toBe(why);
  });
});

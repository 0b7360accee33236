/** covers: SVC-02 */
import { nextTag } from './next-tag';

describe('the tag of the next release', () => {
  it.each([
    [[], 'v1.0.0'],
    [['latest', 'release-7'], 'v1.0.0'],
    [['v1.2.3'], 'v1.2.4'],
    [['1.2.3'], '1.2.4'],
    [['v1.9.0', 'v1.10.0', 'v1.2.0'], 'v1.10.1'],
    [['v2.0.0-rc.1', 'v1.4.0'], 'v1.4.1'],
    [['v01.0.0', 'v0.9.9'], 'v0.9.10'],
    [['v1.0.0', '1.3.0+build.7'], '1.3.1'],
    [['v1.0.99999999999999999999'], 'v1.0.100000000000000000000'],
  ])('after %j is %s', (tags, tag) => {
    expect(nextTag(tags)).toBe(tag);
  });
});

/** covers: DOM-05 */
import { hostNameOf, joinHostName, splitHostName } from './host-name';

describe('the parts of a host name', () => {
  it('are three, if it is directly below the parent', () => {
    expect(splitHostName('shop.example.org', 'example.org')).toEqual({
      name: 'shop',
      SLD: 'example',
      TLD: 'org',
    });
    expect(splitHostName(' Shop.EXAMPLE.org. ', 'Example.org.')).toEqual({
      name: 'shop',
      SLD: 'example',
      TLD: 'org',
    });
  });

  it('can be joined again, also below a deeper parent and in other scripts', () => {
    for (const [host, parent] of [
      ['shop.example.org', 'example.org'],
      ['shop.apps.example.org', 'apps.example.org'],
      ['xn--bcher-kva.example.org', 'example.org'],
    ] as const)
      expect(joinHostName(splitHostName(host, parent), parent)).toBe(host);
    expect(splitHostName('bücher.example.org', 'example.org').name).toBe('xn--bcher-kva');
  });

  it.each([
    ['example.org', 'is the parent itself'],
    ['a.b.example.org', 'has 2 parts before .example.org'],
    ['shop.example.com', 'does not end in .example.org'],
    ['shopexample.org', 'does not end in .example.org'],
    ['shop.example.org.evil.net', 'does not end in .example.org'],
    ['127.0.0.1', 'is not a host name'],
    ['sh op.example.org', 'is not a host name'],
    ['', 'is not a host name'],
  ])('%j is refused: %s', (host, why) => {
    expect(() => splitHostName(host, 'example.org')).toThrow(why);
  });

  it('are refused with what would be right', () => {
    expect(() => splitHostName('shop.example.com', 'example.org')).toThrow(
      'only names such as shop.example.org',
    );
    expect(() => splitHostName('shop.org', 'org')).toThrow('parent needs two parts');
    expect(() => joinHostName({ name: 'a.b', SLD: 'example', TLD: 'org' }, 'example.org')).toThrow('2 parts');
    expect(() => joinHostName({ name: 'a', SLD: 'other', TLD: 'org' }, 'example.org')).toThrow(
      'does not end',
    );
  });
});

it.each(['-a.org', 'a-.org', 'a!b.org', "a'b.org", 'a;b.org', '*.org', '10.0.0.1', '[::1]'])(
  '%s is not a host name',
  (text) => {
    expect(() => hostNameOf(text, 'serverName')).toThrow('serverName is not a host name');
  },
);

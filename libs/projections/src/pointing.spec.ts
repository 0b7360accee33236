// covers: DOM-02, DOM-04
import { addressesInWords, doubtIn, pointingOf, type OwnAddresses } from './pointing';

const at = (...texts: string[]) =>
  texts.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
const own = (addresses: string[], inside: number[] = []): OwnAddresses => ({
  addresses: at(...addresses),
  private: inside,
});
const [v4, v6, other4, other6] = ['198.51.100.7', '2001:db8::7', '198.51.100.9', '2001:db8::9'];

describe('a name points to a server', () => {
  test.each<[string, string[], string[], OwnAddresses | undefined]>([
    ['by the address of its host', [v4], [v4], undefined],
    ['by one of its two addresses', [v4], [v4, other4], undefined],
    ['by an address that only the server itself knows', [v4, v6], [v4], own([v4, v6])],
    ['by another address than the one that it is managed at', [other4], [v4], own([other4])],
    ['through NAT, by the address of its host', [v4], [v4], own([], [4])],
    ['while nobody knows its IPv6 addresses', [v4, v6], [v4], undefined],
    ['while its IPv6 addresses are private ones', [v4, v6], [v4], own([v4], [6])],
  ])('%s', (_title, name, host, itself) => {
    expect(pointingOf(at(...name), at(...host), itself)).toEqual({
      here: true,
      elsewhere: [],
      translated: false,
    });
  });
});

describe('a name leads elsewhere', () => {
  test.each<[string, string[], string[], OwnAddresses | undefined, string[]]>([
    ['by another address', [other4], [v4], undefined, [other4]],
    ['by one of its addresses', [v4, other4], [v4], undefined, [other4]],
    ['by a stale IPv6 address', [v4, other6], [v4], own([v4, v6]), [other6]],
    ['by an IPv6 address of a server that has none', [v4, other6], [v4], own([v4], [4]), [other6]],
    ['by an IPv6 address that DNS does not have for the host', [v4, other6], [v4, v6], undefined, [other6]],
    ['by a stale IPv4 address', [other4, v6], [v4], own([v4, v6]), [other4]],
    ['by another private address', ['10.0.0.9'], ['10.0.0.3'], own([], [4]), ['10.0.0.9']],
  ])('%s', (_title, name, host, itself, elsewhere) => {
    expect(pointingOf(at(...name), at(...host), itself)).toEqual({
      here: false,
      elsewhere: at(...elsewhere),
      translated: false,
    });
  });
});

test.each([
  ['no address', [], [v4]],
  ['addresses of a family in which nobody knows the server', [v6], [v4]],
  ['a server without an address', [v4], []],
])('%s proves nothing', (_title, name, host) => {
  expect(pointingOf(at(...name), at(...host))).toEqual({ here: false, elsewhere: [], translated: false });
});

test('a public address is not called wrong for a server of which only private ones are known', () => {
  const nat = pointingOf(at(v4), at('192.168.0.5'), own([], [4]));
  expect(nat).toEqual({ here: false, elsewhere: [], translated: true });
});

test('an order is doubtful if one of two families leads elsewhere, or if nobody knows', () => {
  const doubt = (addresses: string[], elsewhere: string[], code?: string) =>
    doubtIn({ addresses: at(...addresses), elsewhere: at(...elsewhere), code });
  expect(doubt([v4, other6], [other6])).toMatch(/^IPv6 2001:db8::9 in DNS is not an address of its server/);
  expect(doubt([other4, v6], [other4])).toMatch(/^IPv4 198\.51\.100\.9 in DNS/);
  expect(doubt([v4], [], 'ETRANSLATED')).toMatch(/^It is not known/);
  expect([doubt([v4, other4], [other4]), doubt([other4, other6], [other4, other6]), doubt([v4], [])]).toEqual(
    [undefined, undefined, undefined],
  );
});

test('names the first address with its family', () => {
  expect([at(other6), at(other4, other6, v6), []].map(addressesInWords)).toEqual([
    'IPv6 2001:db8::9',
    'IPv4 198.51.100.9 and 2 more',
    '',
  ]);
});

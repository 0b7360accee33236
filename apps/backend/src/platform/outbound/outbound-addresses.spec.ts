import fc from 'fast-check';
import { addressesIn, addressOf, insideWord } from './outbound-addresses';
import { readHost } from './outbound-host';

const wordOf = (text: string): string | undefined => {
  const address = addressOf(text);
  if (!address) throw new Error(`${text} is not an address`);
  return insideWord(address);
};

describe('internal addresses', () => {
  it.each([
    ['0.0.0.0', 'unspecified'],
    ['0.1.2.3', 'unspecified'],
    ['10.0.0.1', 'private'],
    ['10.255.255.255', 'private'],
    ['100.64.0.1', 'a carrier’s shared one'],
    ['100.100.100.200', 'a carrier’s shared one'],
    ['100.127.255.255', 'a carrier’s shared one'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['168.63.129.16', 'of a cloud’s metadata service'],
    ['169.254.0.1', 'link-local'],
    ['169.254.169.254', 'of a cloud’s metadata service'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.0.0.192', 'reserved'],
    ['192.0.2.1', 'for documentation'],
    ['192.88.99.1', 'reserved'],
    ['192.168.255.255', 'private'],
    ['198.19.255.255', 'for benchmarks'],
    ['198.51.100.7', 'for documentation'],
    ['203.0.113.7', 'for documentation'],
    ['224.0.0.1', 'multicast'],
    ['239.255.255.255', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['0:0:0:0:0:0:0:1', 'loopback'],
    ['::7f00:1', 'reserved'],
    ['::127.0.0.1', 'reserved'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['::ffff:7f00:1', 'loopback'],
    ['::FFFF:A9FE:A9FE', 'of a cloud’s metadata service'],
    ['0:0:0:0:0:ffff:10.1.2.3', 'private'],
    ['64:ff9b::10.0.0.1', 'private'],
    ['64:ff9b::7f00:1', 'loopback'],
    ['64:ff9b:1::1', 'reserved'],
    ['100::1', 'reserved'],
    ['2001::1', 'a tunnel’s'],
    ['2001:10::1', 'reserved'],
    ['2001:db8::1', 'for documentation'],
    ['2002:7f00:1::', 'loopback'],
    ['2002:c0a8:101::1', 'private'],
    ['3fff::1', 'for documentation'],
    ['4000::1', 'reserved'],
    ['5f00::1', 'reserved'],
    ['fc00::1', 'private'],
    ['fd12:3456::1', 'private'],
    ['fd00:ec2::254', 'of a cloud’s metadata service'],
    ['fe80::1', 'link-local'],
    ['febf::1', 'link-local'],
    ['fec0::1', 'reserved'],
    ['ff02::1', 'multicast'],
  ])('%s is %s', (text, word) => {
    expect(wordOf(text)).toBe(word);
  });

  it.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.1',

    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.1',
    '192.167.1.1',
    '198.17.1.1',
    '223.255.255.1',
    '2606:4700:4700::1111',
    '2a00:1450::1',
    '2001:4860:4860::8888',
    '2002:101:101::',
    '64:ff9b::1.1.1.1',
    '::ffff:1.1.1.1',
  ])('%s is on the internet', (text) => {
    expect(wordOf(text)).toBeUndefined();
  });

  it('are the same for every notation of an IPv4 address: plain, mapped, behind NAT64 and by 6to4', () => {
    fc.assert(
      fc.property(fc.ipV4(), (v4) => {
        const hex = v4
          .split('.')
          .map((byte) => Number(byte).toString(16).padStart(2, '0'))
          .join('');
        const word = wordOf(v4);
        expect(wordOf(`::ffff:${v4}`)).toBe(word);
        expect(wordOf(`64:ff9b::${v4}`)).toBe(word);
        expect(wordOf(`2002:${hex.slice(0, 4)}:${hex.slice(4)}::1`)).toBe(word);
      }),
    );
  });

  it('have one canonical form', () => {
    expect(addressOf('2001:DB8:0:0:0:0:0:1')).toEqual({ address: '2001:db8::1', family: 6 });
    expect(addressOf('::ffff:1.2.3.4')).toEqual({ address: '1.2.3.4', family: 4 });
    for (const text of ['fe80::1%eth0', 'example.org', '', '1.2.3', '01.2.3.4', '::g'])
      expect(addressOf(text)).toBeUndefined();
  });

  it('are matched against networks, including mapped ones, and names are ignored', () => {
    const isIn = addressesIn([
      '10.0.0.0/8',
      '::ffff:192.168.0.0/112',
      'fd00::/8',
      '127.0.0.1',
      'ci.example.org',
    ]);
    const at = (text: string): boolean => isIn(addressOf(text) ?? { address: '0.0.0.0', family: 4 });
    for (const text of ['10.9.8.7', '192.168.3.4', 'fd01::1', '127.0.0.1', '::ffff:127.0.0.1'])
      expect([text, at(text)]).toEqual([text, true]);
    for (const text of ['11.0.0.1', '192.169.0.1', 'fe80::1', '127.0.0.2', '::1'])
      expect([text, at(text)]).toEqual([text, false]);
  });
});

describe('hosts', () => {
  it.each([
    '127.1',
    '0x7f.1',
    '0177.0.0.1',
    '2130706433',
    '0x7f000001',
    '017700000001',
    '127.0.0.1.',
    '１２７.0.0.1',
  ])('%s is read as the address that it encodes', (text) => {
    expect(readHost(text)).toEqual({ is: 'address', address: '127.0.0.1', family: 4 });
  });

  it.each(['[::1]', '::1', '0:0:0:0:0:0:0:1', '[0:0::1]'])('%s is read as ::1', (text) => {
    expect(readHost(text)).toEqual({ is: 'address', address: '::1', family: 6 });
  });

  it.each([
    ['Shop.Example.ORG.', 'shop.example.org'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['_acme-challenge.example.org', '_acme-challenge.example.org'],
    ['localhost', 'localhost'],
  ])('the name %s is %s', (text, name) => {
    expect(readHost(text)).toEqual({ is: 'name', name });
  });

  it.each([
    '',
    ' ',
    '.',
    '..',
    'a..b',
    'a b',
    'a/b',
    'a?b',
    'a#b',
    'user@host',
    'host:80',
    'a\\b',
    '%31',
    '[1.2.3.4]',

    'fe80::1%eth0',
    '[fe80::1%25eth0]',
    '256.1.1.1',
    '1.2.3.4.5',
    '0x7g.1',
    'a\0b',
    'a\nb',
    `${'a'.repeat(64)}.org`,
    `${'abc.'.repeat(70)}org`,
  ])('%j is not a host', (text) => {
    expect(readHost(text)).toBeUndefined();
  });
});

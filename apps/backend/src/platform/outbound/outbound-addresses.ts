/** Which addresses are internal: a call from this process could reach hosts that its author cannot reach. */
import { BlockList, isIP, SocketAddress } from 'node:net';

export type Family = 4 | 6;

export interface Address {
  /** In canonical form: dotted decimal, or RFC 5952. */
  address: string;
  family: Family;
}

const kindOf = (family: Family): 'ipv4' | 'ipv6' => (family === 4 ? 'ipv4' : 'ipv6');

/** The sixteen bytes of an IPv6 address. */
const bytesOf6 = (address: string): number[] => {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const hex = (high = '0', low = '0'): string => (Number(high) * 256 + Number(low)).toString(16);
  const text = dotted ? `${dotted[1]}${hex(dotted[2], dotted[3])}:${hex(dotted[4], dotted[5])}` : address;
  const [head = '', tail] = text.split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const [before, after] = [groups(head), groups(tail ?? '')];
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array<string>(zeros).fill('0'), ...after].flatMap((group) => {
    const value = parseInt(group, 16);
    return [value >> 8, value & 255];
  });
};

/** The IPv4 address inside a mapped IPv6 address (::ffff:0:0/96). It is reached as IPv4. */
const unmapped = (bytes: number[]): string | undefined =>
  bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255
    ? bytes.slice(12).join('.')
    : undefined;

/**
 * An address in canonical form. A mapped IPv4 address becomes plain IPv4. `undefined` for anything that is not an
 * address, and for an address with a zone (`fe80::1%eth0`), which is meaningful only on one machine.
 */
export const addressOf = (text: string): Address | undefined => {
  const family = isIP(text);
  if (family === 0 || text.includes('%')) return undefined;
  if (family === 4) return { address: text, family: 4 };
  const inner = unmapped(bytesOf6(text));
  if (inner !== undefined) return { address: inner, family: 4 };
  return { address: new SocketAddress({ address: text, family: 'ipv6' }).address, family: 6 };
};

/** IANA's special-purpose registries, with a word for each. The first match names the address. */
const inside: [string, string][] = [
  ['0.0.0.0/8', 'unspecified'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'a carrier’s shared one'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.169.254/32', 'of a cloud’s metadata service'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'reserved'],
  ['192.0.2.0/24', 'for documentation'],
  ['192.88.99.0/24', 'reserved'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'for benchmarks'],
  ['198.51.100.0/24', 'for documentation'],
  ['203.0.113.0/24', 'for documentation'],
  // A public address that the host of every virtual machine at Azure answers.
  ['168.63.129.16/32', 'of a cloud’s metadata service'],
  ['224.0.0.0/4', 'multicast'],
  ['255.255.255.255/32', 'broadcast'],
  ['240.0.0.0/4', 'reserved'],
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['fd00:ec2::254/128', 'of a cloud’s metadata service'],
  ['fc00::/7', 'private'],
  ['fe80::/10', 'link-local'],
  ['ff00::/8', 'multicast'],
  ['2001::/32', 'a tunnel’s'],
  ['2001::/23', 'reserved'],
  ['2001:db8::/32', 'for documentation'],
  ['3fff::/20', 'for documentation'],
];

const listOf = (network: string): BlockList => {
  const list = new BlockList();
  const [address = '', bits] = network.split('/');
  const known = addressOf(address);
  if (!known) throw new Error(`${network} is not a network`);
  list.addSubnet(known.address, Number(bits), kindOf(known.family));
  return list;
};
const lists = inside.map(([network, word]) => ({ word, list: listOf(network), v6: network.includes(':') }));
const globalUnicast = listOf('2000::/3');

/** The IPv4 address that a gateway extracts from an IPv6 address: 6to4 (RFC 3056) and NAT64 (RFC 6052). */
const embedded = (bytes: number[]): string | undefined => {
  if (bytes[0] === 0x20 && bytes[1] === 0x02) return bytes.slice(2, 6).join('.');
  const nat64 = [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0];
  return nat64.every((byte, at) => bytes[at] === byte) ? bytes.slice(12).join('.') : undefined;
};

/**
 * A word for an address that is refused by default, such as `private` or `loopback`; `undefined` for a public address.
 * Of IPv6, only global unicast is public.
 */
export const insideWord = ({ address, family }: Address): string | undefined => {
  const found = lists.find(({ list, v6 }) => v6 === (family === 6) && list.check(address, kindOf(family)));
  if (found) return found.word;
  if (family === 4) return undefined;
  const inner = embedded(bytesOf6(address));
  if (inner !== undefined) return insideWord({ address: inner, family: 4 });
  return globalUnicast.check(address, 'ipv6') ? undefined : 'reserved';
};

/** Matches addresses against those entries of a list that are addresses or networks. Names are ignored. */
export const addressesIn = (entries: readonly string[]): ((address: Address) => boolean) => {
  const list = new BlockList();
  for (const entry of entries) {
    const [text = '', bits] = entry.split('/');
    const known = addressOf(text);
    if (!known) continue;
    const wrapped = isIP(text) === 6 && known.family === 4;
    const length = bits === undefined ? undefined : Number(bits) - (wrapped ? 96 : 0);
    if (length === undefined) list.addAddress(known.address, kindOf(known.family));
    else if (length >= 0) list.addSubnet(known.address, length, kindOf(known.family));
  }
  return ({ address, family }) => list.check(address, kindOf(family));
};

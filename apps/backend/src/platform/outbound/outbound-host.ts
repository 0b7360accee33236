/** Hosts as people and URLs write them, converted to the form that is compared, resolved and judged. */
import { URL } from 'whatwg-url';
import { type Address, addressOf } from './outbound-addresses';

export type Host = { is: 'name'; name: string } | ({ is: 'address' } & Address);

/**
 * Reads a host: a name (Unicode or punycode, with or without the final dot) or an address, with or without brackets.
 * Also reads the old notations that system libraries accept (`0x7f.1`, `0177.0.0.1`, `2130706433`, `127.1`): if readers
 * disagree about what is an address, lists can be bypassed. `undefined` if it is neither.
 */
export const readHost = (text: string): Host | undefined => {
  const bracketed = /^\[([0-9a-f:.]+)\]$/i.exec(text)?.[1];
  const plain = addressOf(bracketed ?? text);
  if (plain && (bracketed === undefined || bracketed.includes(':'))) return { is: 'address', ...plain };
  if (text.length > 1000 || !/^[^\s/?#@\\:%[\]<>^|\p{Cc}]+$/u.test(text)) return undefined;
  // This URL parser knows IDNA and every old notation of IPv4, and gives the same result on every version of Node.
  if (!URL.canParse(`http://${text}/`)) return undefined;
  const name = new URL(`http://${text}/`).hostname.replace(/\.$/, '');
  const old = addressOf(name);
  if (old) return { is: 'address', ...old };
  const labels = name.split('.');
  if (name.length > 253 || labels.some((label) => label === '' || label.length > 63)) return undefined;
  return { is: 'name', name };
};

/** The host of a web address. An IPv6 address has no brackets. */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');

/** RFC 6761: `localhost` and names that end in it are this machine, whatever a resolver says. */
export const isLocalhost = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost');

export const loopback: Address[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

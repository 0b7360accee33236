/** Hosts as people and URLs write them, in the one form that is compared, resolved and judged. */
import { URL } from 'whatwg-url';
import { type Address, addressOf } from './outbound-addresses';

export type Host = { is: 'name'; name: string } | ({ is: 'address' } & Address);

/**
 * Reads a host: a name (in Unicode or punycode, with or without its last dot) or an address, in brackets or not, also
 * in the old forms that system libraries take (`0x7f.1`, `0177.0.0.1`, `2130706433`, `127.1`), since a name that one
 * reader takes for an address is a way around every list. `undefined`: it is neither.
 */
export const readHost = (text: string): Host | undefined => {
  const bracketed = /^\[([0-9a-f:.]+)\]$/i.exec(text)?.[1];
  const plain = addressOf(bracketed ?? text);
  if (plain && (bracketed === undefined || bracketed.includes(':'))) return { is: 'address', ...plain };
  if (text.length > 1000 || !/^[^\s/?#@\\:%[\]<>^|\p{Cc}]+$/u.test(text)) return undefined;
  // This reader of URLs knows IDNA and every old form of an IPv4 address, and judges alike on every line of Node.
  if (!URL.canParse(`http://${text}/`)) return undefined;
  const name = new URL(`http://${text}/`).hostname.replace(/\.$/, '');
  const old = addressOf(name);
  if (old) return { is: 'address', ...old };
  const labels = name.split('.');
  if (name.length > 253 || labels.some((label) => label === '' || label.length > 63)) return undefined;
  return { is: 'name', name };
};

/** The host of a web address, an IPv6 address without its brackets. */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');

/** RFC 6761: `localhost` and what ends in it is this machine, whatever a resolver says. */
export const isLocalhost = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost');

export const loopback: Address[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * The address of a caller behind proxies. Each proxy appends to X-Forwarded-For the address that called it, so Fastify
 * reads the list from its end, for as long as the addresses are those of trusted proxies. Everything before that may be
 * invented. The header `Forwarded` is not read: most proxies pass it on as the client sent it.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Config } from './tokens';
import { addressesIn, addressOf, type Address } from './outbound/addresses.program';

const LOOPBACK = ['127.0.0.0/8', '::1'];

const MAX_REMEMBERED = 10_000;
const MAX_ADDRESS = 60;

/** The same few addresses call again and again, and reading one costs as much as the rest of a small request. */
const remembered = <T>(work: (text: string) => T): ((text: string) => T) => {
  const all = new Map<string, T>();
  return (text) => {
    const before = all.get(text);
    if (before !== undefined) return before;
    const found = work(text);
    if (all.size >= MAX_REMEMBERED) all.clear();
    if (text.length <= MAX_ADDRESS) all.set(text, found);
    return found;
  };
};

/** Some proxies append a port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const known = remembered((text): Address | undefined =>
  addressOf(/^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text),
);

type ProxyConfig = Pick<Config, 'PUBLIC_URL'> & {
  readonly TRUSTED_PROXIES?: readonly string[] | undefined;
};

/** Entries of TRUSTED_PROXIES. Without it and without PUBLIC_URL nothing is in front, so no header is believed. */
export const trustedProxies = ({ PUBLIC_URL, TRUSTED_PROXIES }: ProxyConfig): readonly string[] =>
  TRUSTED_PROXIES ?? (PUBLIC_URL === undefined ? [] : ['loopback']);

export const isTrustedProxy = (config: ProxyConfig): ((address: string) => boolean) => {
  const entries = trustedProxies(config).flatMap((entry) => (entry === 'loopback' ? LOOPBACK : [entry]));
  const contains = addressesIn(entries);
  return remembered((text) => {
    const address = known(text);
    return address !== undefined && contains(address);
  });
};

/** As Fastify finds them: who called, then each proxy from the nearest on, up to the first that nobody trusts. */
export const addressesOf = (
  { headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress = '' } }: IncomingMessage,
  isTrusted: (address: string) => boolean,
): { ip: string; ips: readonly string[] } => {
  if (forwarded === undefined) return { ip: remoteAddress, ips: [remoteAddress] };
  const chain = [...String(forwarded).split(','), remoteAddress]
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .toReversed();
  const outside = chain.findIndex((one) => !isTrusted(one));
  const ips = outside < 0 ? chain : chain.slice(0, outside + 1);
  return { ip: ips[0] ?? '', ips };
};

const isOnLoopback = addressesIn(LOOPBACK);

/** @param text the address of a socket */
export const isLoopback = (text: string | undefined): boolean => {
  const address = known(text ?? '');
  return address !== undefined && isOnLoopback(address);
};

/** Whether calls may arrive through a proxy: a call from loopback may then be anybody's. */
export const isBehindProxy = ({ PUBLIC_URL, TRUSTED_PROXIES }: ProxyConfig): boolean => {
  if (TRUSTED_PROXIES !== undefined) return !TRUSTED_PROXIES.includes('none');
  if (PUBLIC_URL === undefined) return false;
  const host = new URL(PUBLIC_URL).hostname.replace(/^\[|\]$/g, '');
  return host !== 'localhost' && !isLoopback(host);
};

/** Whether a proxy, or somebody who pretends to be one, has passed the call on. */
export const isPassedOn = (headers: IncomingHttpHeaders): boolean =>
  ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'].some((name) => headers[name] !== undefined);

/** In canonical form. Where a proxy reports something that is no address, the call counts as the proxy's. */
export const callerAddress = ({
  ip,
  ips = [ip],
}: {
  ip: string;
  ips?: readonly string[] | undefined;
}): string =>
  ips
    .toReversed()
    .map((text) => known(text)?.address)
    .find((address) => address !== undefined) ?? 'unknown';

/** What a limit counts: an IPv4 address, or the /64 network of an IPv6 address, all of which belongs to one customer. */
export const limitedAs = (caller: string): string => {
  const address = known(caller);
  if (address?.family !== 6) return address?.address ?? caller;
  const [head = '', tail = ''] = address.address.split('::');
  const [before, after] = [head, tail].map((part) => part.split(':').filter(Boolean)) as [string[], string[]];
  const zeros = Array<string>(Math.max(8 - before.length - after.length, 0)).fill('0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
};

/** The host of a server or database as people paste it: what is more than a host is named, so that nothing is guessed. */
import { URL } from 'whatwg-url';
import { line } from './rules';

const NAME =
  /^(?=.{1,253}$)([a-zA-Z0-9_]([a-zA-Z0-9_-]{0,61}[a-zA-Z0-9_])?\.)*[a-zA-Z0-9_]([a-zA-Z0-9_-]{0,61}[a-zA-Z0-9_])?\.?$/;
const IPV4 = /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(?!$)|$)){4}$/;
const NOT_ASCII = /[^\u0021-\u007E]/;

const isIpv6 = (value: string): boolean => {
  const [address = '', zone, ...rest] = value.split('%');
  const isZone = zone === undefined || /^[a-zA-Z0-9]+$/.test(zone);
  return (
    rest.length === 0 && isZone && /^[0-9a-fA-F:.]+$/.test(address) && URL.canParse(`http://[${address}]/`)
  );
};

/** `bücher.example` as DNS knows it. */
export const asciiOf = (value: string): string => {
  const address = `http://${value}/`;
  return NOT_ASCII.test(value) && URL.canParse(address) ? new URL(address).hostname : value;
};

/** Without the brackets that an IPv6 address has in a URL. */
const stored = (typed: string): string => /^\[(.*)\]$/.exec(typed)?.[1] ?? asciiOf(typed);

/** What somebody pasted together with a host; undefined if nothing. @param what `host` or `name` */
export const pastedWith = (typed: string, what: string): string | undefined => {
  const [, scheme] = /^([a-z][a-z0-9+.-]*:\/\/)/i.exec(typed) ?? [];
  if (scheme !== undefined) return `enter the ${what} alone, without ${scheme}`;
  return /[/\\?#]/.test(typed) ? `enter the ${what} alone, without a path` : undefined;
};

/** What is wrong with a host; undefined if nothing is. */
const problemOf = (typed: string): string | undefined => {
  const pasted = pastedWith(typed, 'host');
  if (pasted !== undefined) return pasted;
  if (typed.includes('@')) return 'the user name goes into its own field';
  if (/^(\[.*\]|[^:]+):\d+$/.test(typed)) return 'the port goes into its own field';
  const host = stored(typed);
  const isAddress = host.includes(':') || typed.startsWith('[') || /(^|\.)\d+\.?$/.test(host);
  if (isAddress) return IPV4.test(host) || isIpv6(host) ? undefined : 'this is no IP address';
  return NAME.test(host) ? undefined : 'Enter a host name or an IP address, without spaces.';
};

export const host = line(253)
  .superRefine((typed, context) => {
    const message = problemOf(typed);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  })
  .transform(stored);

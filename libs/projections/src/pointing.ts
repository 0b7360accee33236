/** Whether a name points to a server, judged for IPv4 and IPv6 alike. Pure. */
import type { catalogue } from '@quarterdeck/events/catalogue';
import type { z } from 'zod';

/** What a server said about itself. */
export type OwnAddresses = z.infer<typeof catalogue.ServerAddressesChanged.schema>;
export type Addresses = OwnAddresses['addresses'];

/** More names than these are only counted. */
const mostNamed = 3;

/** `www.shop.example, shop.example.org and 2 more` */
export const namesInWords = (names: readonly string[]): string => {
  const rest = names.length - mostNamed;
  return rest > 0 ? `${names.slice(0, mostNamed).join(', ')} and ${rest} more` : names.join(', ');
};

/** The parts of a DNS answer that say whether an order can succeed. */
export interface Answer {
  addresses: Addresses;
  elsewhere?: Addresses | undefined;
  code?: string | undefined;
}

export interface PointingVerdict {
  /** At least one address is the server's, and none leads elsewhere. */
  here: boolean;
  /** Addresses that are not the server's. Visitors and the certificate authority may use any of them. */
  elsewhere: Addresses;
  /** The server is behind NAT, and nobody knows its public IPv4 address. */
  translated: boolean;
}

/** The code of an answer whose server is behind NAT. */
export const TRANSLATED = 'ETRANSLATED';

/** Private addresses, and those that providers share among customers. */
const INSIDE = /^(10|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;

const has = (addresses: Addresses, family: number): boolean => addresses.some((one) => one.family === family);

/**
 * @param name addresses of the name, in canonical form like all others
 * @param host those that DNS has for the server's host
 * @param own those that the server has itself; unknown before the first contact
 */
export const pointingOf = (name: Addresses, host: Addresses, own?: OwnAddresses): PointingVerdict => {
  const known = [...host, ...(own?.addresses ?? [])];
  const isOurs = ({ address }: Addresses[number]): boolean => known.some((one) => one.address === address);
  // NAT of IPv4 is common, of IPv6 it is not: a server without any IPv6 address cannot be reached by one.
  const noIpv6 = own !== undefined && !own.private.includes(6);
  const translated =
    own?.private.includes(4) === true &&
    has(known, 4) &&
    known.every(({ address, family }) => family !== 4 || INSIDE.test(address));
  const isElsewhere = (one: Addresses[number]): boolean => {
    if (isOurs(one)) return false;
    if (one.family === 6) return has(known, 6) || noIpv6;
    return has(known, 4) && (!translated || INSIDE.test(one.address));
  };
  const elsewhere = name.filter(isElsewhere);
  return {
    here: elsewhere.length === 0 && name.some(isOurs),
    elsewhere,
    translated: translated && name.some((one) => one.family === 4 && !isOurs(one) && !isElsewhere(one)),
  };
};

/** The same for all names of a site. Each is named, except the main one. */
export const doubtsIn = ({
  names = [],
  ...main
}: Answer & { names?: readonly (Answer & { name: string })[] | undefined }): string | undefined => {
  const doubts = [doubtIn(main), ...names.map((one) => prefixed(one.name, doubtIn(one)))];
  return doubts.filter((doubt) => doubt !== undefined).join(' ') || undefined;
};

const prefixed = (name: string, doubt: string | undefined): string | undefined =>
  doubt === undefined ? undefined : `${name}: ${doubt}`;

/**
 * Why an order may fail although the name may lead to its server: one family leads elsewhere, or the server's public
 * address is not known.
 */
export const doubtIn = ({ addresses, elsewhere = [], code }: Answer): string | undefined => {
  if (elsewhere.length === 0)
    return code === TRANSLATED
      ? 'It is not known whether its server has the public address in DNS.'
      : undefined;
  const isHalfRight = [4, 6].some((family) => has(addresses, family) && !has(elsewhere, family));
  return isHalfRight
    ? `${addressesInWords(elsewhere)} in DNS is not an address of its server. Visitors and the certificate authority may use it.`
    : undefined;
};

/** `IPv6 2001:db8::9 and 2 more` */
export const addressesInWords = ([first, ...rest]: Addresses): string =>
  first === undefined
    ? ''
    : `IPv${first.family} ${first.address}${rest.length > 0 ? ` and ${rest.length} more` : ''}`;

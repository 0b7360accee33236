/** What the domain name system says about a domain, beside the server that it ought to lead to. Pure. */
import { pointsAt, strangers, type LookUp, type Pointing } from '../dns';
import type { DnsAnswer } from './domain-answers';

/** The host of the server could not be resolved: whether the domain leads there is not known. */
const HOST_UNKNOWN = 'EHOSTUNKNOWN';

const listed = (found: readonly { address: string }[]): string =>
  found.map(({ address }) => address).join(', ');

const whyNot = (answer: Exclude<LookUp, { is: 'found' }>): string => {
  if (answer.is === 'failed') return `could not be looked up: ${answer.reason}`;
  return answer.because === 'no-such-name' ? 'does not exist' : 'has no address';
};

/** As it is recorded. */
export const answerOf = ({ name, host }: Pointing): DnsAnswer => {
  switch (name.is) {
    case 'none':
      return { outcome: 'none', addresses: [], pointsHere: false };
    case 'failed':
      return {
        outcome: 'failed',
        addresses: [],
        pointsHere: false,
        code: name.code,
        reason: name.reason,
      };
    case 'found': {
      const { addresses } = name;
      if (host.is === 'found')
        return { outcome: 'found', addresses, pointsHere: pointsAt(addresses, host.addresses) };
      const reason = `the host of the server ${whyNot(host)}`;
      return { outcome: 'found', addresses, pointsHere: false, code: HOST_UNKNOWN, reason };
    }
  }
};

/** Nobody answered: it says nothing about the name, or about the server. */
export const isFault = ({ outcome, code }: DnsAnswer): boolean =>
  outcome === 'failed' || code === HOST_UNKNOWN;

/**
 * Why a domain may not be added to a server, with what was found for both; `undefined`: it leads there.
 *
 * @param server `host` as it is registered, an address or a name
 */
export const refusalOf = (
  serverName: string,
  server: { alias: string; host: string },
  { name, host }: Pointing,
): string | undefined => {
  if (name.is === 'found' && host.is === 'found' && pointsAt(name.addresses, host.addresses))
    return undefined;
  const named = host.is === 'found' && listed(host.addresses) === server.host;
  const place = named ? server.host : `${server.host}, which `;
  const there =
    host.is === 'found'
      ? `${place}${named ? '' : `is ${listed(host.addresses)}`}`
      : `${place}${whyNot(host)}`;
  const own = `the server ${server.alias} is at ${there}`;
  if (name.is !== 'found') return `${serverName} ${whyNot(name)}; ${own}`;
  const others = host.is === 'found' ? strangers(name.addresses, host.addresses) : [];
  // It leads here too, and yet whoever gets the other address lands elsewhere.
  const partly = others.length > 0 && others.length < name.addresses.length;
  const also = partly ? `, and ${listed(others)} is not the server’s` : '';
  return `${serverName} points to ${listed(name.addresses)}, and ${own}${also}`;
};

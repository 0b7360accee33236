/** Compares the DNS answer for a domain with the server that it should point to. Pure. */
import { pointsAt, strangers, type LookUp, type Pointing } from '../dns';
import { HALF_KNOWN, type DnsAnswer } from './domain-answers';

/** The host of the server could not be resolved, so it is unknown whether the domain points there. */
const HOST_UNKNOWN = 'EHOSTUNKNOWN';

const listed = (found: readonly { address: string }[]): string =>
  found.map(({ address }) => address).join(', ');

const whyNot = (answer: Exclude<LookUp, { is: 'found' }>): string => {
  if (answer.is === 'failed') return `could not be looked up: ${answer.reason}`;
  return answer.because === 'no-such-name' ? 'does not exist' : 'has no address';
};

type Found = Extract<LookUp, { is: 'found' }>;

const unheardOf = (whose: string, { family, reason }: NonNullable<Found['unheard']>): string =>
  `the IPv${family} addresses of ${whose} could not be looked up: ${reason}`;

/** Why it is undecided: families are compared if both sides have addresses, and one side's are unknown. */
const undecided = (name: Found, host: Found): string | undefined => {
  const mayHave = (one: Found, of: number): boolean =>
    one.unheard?.family === of || one.addresses.some(({ family }) => family === of);
  if (name.unheard && mayHave(host, name.unheard.family)) return unheardOf('the name', name.unheard);
  if (host.unheard && mayHave(name, host.unheard.family)) return unheardOf('the server', host.unheard);
  return undefined;
};

const leadsTo = (name: Found, host: Found): boolean =>
  pointsAt(name.addresses, host.addresses) && undecided(name, host) === undefined;

/** The answer in its recorded form. */
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
      const { addresses, unheard } = name;
      const pointsHere = host.is === 'found' && leadsTo(name, host);
      const answer = { outcome: 'found' as const, addresses, pointsHere };
      if (unheard) return { ...answer, code: HALF_KNOWN, reason: unheardOf('the name', unheard) };
      const reason = host.is === 'found' ? undecided(name, host) : `the host of the server ${whyNot(host)}`;
      return reason === undefined ? answer : { ...answer, code: HOST_UNKNOWN, reason };
    }
  }
};

/** No answer, or an incomplete one. It says nothing about the name or the server. */
export const isFault = ({ outcome, code }: DnsAnswer): boolean =>
  outcome === 'failed' || code === HOST_UNKNOWN || code === HALF_KNOWN;

/**
 * Why a domain may not be added to a server, with what was found for both; `undefined`: it points there.
 *
 * @param server its registered `host`, an address or a name
 */
export const refusalOf = (
  serverName: string,
  server: { alias: string; host: string },
  { name, host }: Pointing,
): string | undefined => {
  if (name.is === 'found' && host.is === 'found' && leadsTo(name, host)) return undefined;
  const named = host.is === 'found' && listed(host.addresses) === server.host;
  const place = named ? server.host : `${server.host}, which `;
  const there =
    host.is === 'found'
      ? `${place}${named ? '' : `is ${listed(host.addresses)}`}`
      : `${place}${whyNot(host)}`;
  const own = `the server ${server.alias} is at ${there}`;
  if (name.is !== 'found') return `${serverName} ${whyNot(name)}; ${own}`;
  const others = host.is === 'found' ? strangers(name.addresses, host.addresses) : [];
  // The domain points here too, but clients that get the other address end up elsewhere.
  const partly = others.length > 0 && others.length < name.addresses.length;
  const also = partly ? `, and ${listed(others)} is not the server’s` : '';
  const unknown = host.is === 'found' ? undecided(name, host) : undefined;
  const yet = unknown === undefined ? '' : `; ${unknown}`;
  return `${serverName} points to ${listed(name.addresses)}, and ${own}${also}${yet}`;
};

/** Compares the DNS answer for a domain with the server that it should point to. Pure. */
import { TRANSLATED, type PointingVerdict } from '@quarterdeck/projections';
import { pointing, type LookUp, type Pointing } from '../dns';
import { HALF_KNOWN, type DnsAnswer } from './domain-answers';

/** The host of the server could not be resolved, so it is unknown whether the domain points there. */
const HOST_UNKNOWN = 'EHOSTUNKNOWN';

const listed = (found: readonly { address: string }[]): string =>
  found.map(({ address }) => address).join(', ');

const whyNot = (answer: Exclude<LookUp, { is: 'found' }>): string => {
  if (answer.is === 'failed') return `could not be looked up: ${answer.reason}`;
  return answer.because === 'no-such-name' ? 'does not exist' : 'has no address';
};

type FoundAddresses = Extract<LookUp, { is: 'found' }>;

const unheardOf = (whose: string, { family, reason }: NonNullable<FoundAddresses['unheard']>): string =>
  `the IPv${family} addresses of ${whose} could not be looked up: ${reason}`;

/** Why it is undecided: families are compared if both sides have addresses, and one side's are unknown. */
const undecided = (name: FoundAddresses, host: FoundAddresses): string | undefined => {
  const mayHave = (one: FoundAddresses, of: number): boolean =>
    one.unheard?.family === of || one.addresses.some(({ family }) => family === of);
  if (name.unheard && mayHave(host, name.unheard.family)) return unheardOf('the name', name.unheard);
  if (host.unheard && mayHave(name, host.unheard.family)) return unheardOf('the server', host.unheard);
  return undefined;
};

/** With the reason if nobody can tell. */
const judged = (
  name: FoundAddresses,
  { host, own }: Pointing,
): PointingVerdict & { why?: string; code?: string } => {
  if (host.is !== 'found') {
    const nothing = { here: false, elsewhere: [], translated: false };
    return { ...nothing, code: HOST_UNKNOWN, why: `the host of the server ${whyNot(host)}` };
  }
  const found = pointing(name.addresses, host.addresses, own);
  const why = undecided(name, host);
  if (why !== undefined) return { ...found, here: false, code: HOST_UNKNOWN, why };
  return found.translated && found.elsewhere.length === 0
    ? {
        ...found,
        code: TRANSLATED,
        why: 'the server has only private addresses, so its public one is not known',
      }
    : found;
};

/** The answer in its recorded form. */
export const answerOf = (found: Pointing): DnsAnswer => {
  const { name } = found;
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
      const { here: pointsHere, elsewhere, code, why: reason } = judged(name, found);
      const wrong = elsewhere.length > 0 ? { elsewhere } : {};
      const answer = { outcome: 'found' as const, addresses, pointsHere, ...wrong };
      if (unheard) return { ...answer, code: HALF_KNOWN, reason: unheardOf('the name', unheard) };
      return reason === undefined || code === undefined ? answer : { ...answer, code, reason };
    }
  }
};

/** No answer, or an incomplete one, for any of the names. It says nothing about the name or the server. */
export const isFault = ({ names = [], ...main }: DnsAnswer): boolean =>
  [main, ...names].some(
    ({ outcome, code }) => outcome === 'failed' || code === HOST_UNKNOWN || code === HALF_KNOWN,
  );

/**
 * Why a domain may not be added to a server, with what was found for both; `undefined`: it points there.
 *
 * @param server its registered `host`, an address or a name
 */
export const refusalOf = (
  serverName: string,
  server: { alias: string; host: string },
  found: Pointing,
): string | undefined => {
  const { name, host } = found;
  const verdict = name.is === 'found' ? judged(name, found) : undefined;
  if (verdict?.here || verdict?.code === TRANSLATED) return undefined;
  const named = host.is === 'found' && listed(host.addresses) === server.host;
  const place = named ? server.host : `${server.host}, which `;
  const there =
    host.is === 'found'
      ? `${place}${named ? '' : `is ${listed(host.addresses)}`}`
      : `${place}${whyNot(host)}`;
  const own = `the server ${server.alias} is at ${there}`;
  if (name.is !== 'found') return `${serverName} ${whyNot(name)}; ${own}`;
  const others = verdict?.elsewhere ?? [];
  // The domain points here too, but clients that get the other address end up elsewhere.
  const partly = others.length > 0 && others.length < name.addresses.length;
  const also = partly ? `, and ${listed(others)} is not the server’s` : '';
  const unknown = host.is === 'found' ? undecided(name, host) : undefined;
  const yet = unknown === undefined ? '' : `; ${unknown}`;
  return `${serverName} points to ${listed(name.addresses)}, and ${own}${also}${yet}`;
};

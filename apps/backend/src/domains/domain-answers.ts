/** The DNS answer for a domain, and when it counts as changed. */
import type { EventData } from '@quarterdeck/events';
import { namesOfSite } from '@quarterdeck/projections';
import { command } from '../platform/decider';
import { ofPresent } from './domain-state';

export type DnsAnswer = EventData<'DnsAnswerChanged'>;

/** Addresses of one family were found, and the other family got no answer. */
export const HALF_KNOWN = 'EHALFKNOWN';

/** `known`: where the name pointed at the last complete answer, while the current one is incomplete. */
export type HeardDns = DnsAnswer & { known?: DnsAnswer['addresses'] };

/** A missing answer removes no address. Only an answer does. */
export const heard = (before: HeardDns, answer: DnsAnswer): HeardDns => {
  const known = before.known ?? before.addresses;
  if (answer.outcome === 'failed') return { ...answer, known };
  if (answer.code !== HALF_KNOWN) return answer;
  const told = new Set(answer.addresses.map(({ family }) => family));
  return { ...answer, known: [...answer.addresses, ...known.filter(({ family }) => !told.has(family))] };
};

const setOf = (addresses: DnsAnswer['addresses'] = []): string =>
  addresses
    .map(({ address }) => address)
    .toSorted()
    .join(' ');
/**
 * All failures count as the same answer: which resolver is silent and which one refuses says nothing about the domain.
 */
const sameAnswer = ({ names: a = [], ...main }: DnsAnswer, { names: b = [], ...other }: DnsAnswer): boolean =>
  sameForName(main, other) &&
  a.length === b.length &&
  a.every((one, at) => {
    const { [at]: same } = b;
    return same !== undefined && one.name === same.name && sameForName(one, same);
  });

type NameAnswer = Omit<DnsAnswer, 'names'>;

const sameForName = (a: NameAnswer, b: NameAnswer): boolean =>
  a.outcome === b.outcome &&
  (a.outcome === 'failed' ||
    (a.pointsHere === b.pointsHere &&
      a.code === b.code &&
      setOf(a.addresses) === setOf(b.addresses) &&
      setOf(a.elsewhere) === setOf(b.elsewhere)));

/** Name and server are those of the question: the domain may have another name by the time the answer is recorded. */
export class RecordDnsAnswer extends command('RecordDnsAnswer', { idempotent: true })(
  ofPresent(
    ({ serverName, server, answer }: { serverName: string; server: string; answer: DnsAnswer }, domain) => {
      const asked = [serverName, ...(answer.names ?? []).map(({ name }) => name)];
      if (asked.join(' ') !== namesOfSite(domain).join(' ') || server !== domain.server) return [];
      return sameAnswer(domain.dns, answer) ? [] : [{ type: 'DnsAnswerChanged', data: answer }];
    },
  ),
) {}

/** What DNS says about a domain, and when that is news. */
import type { EventData } from '@quarterdeck/events';
import { command } from '../platform/decider';

export type DnsAnswer = EventData<'DnsAnswerChanged'>;

/** Addresses of one family were found, and nobody answered for the other. */
export const HALF_KNOWN = 'EHALFKNOWN';

/** `known`: while the answer is not whole, where the name led when it was. */
export type HeardDns = DnsAnswer & { known?: DnsAnswer['addresses'] };

/** Silence takes no address away: only an answer does. */
export const heard = (before: HeardDns, answer: DnsAnswer): HeardDns => {
  const known = before.known ?? before.addresses;
  if (answer.outcome === 'failed') return { ...answer, known };
  if (answer.code !== HALF_KNOWN) return answer;
  const told = new Set(answer.addresses.map(({ family }) => family));
  return { ...answer, known: [...answer.addresses, ...known.filter(({ family }) => !told.has(family))] };
};

/** What was asked, as the domain has it now. */
interface Asked {
  serverName: string;
  server: string;
}

/** Name and server say what was asked: by the time it is recorded the domain may bear another name. */
export class RecordDnsAnswer extends command('RecordDnsAnswer', { idempotent: true })<
  Asked & { answer: DnsAnswer }
>() {}

export const recordAnswer = (
  { serverName, server, answer }: RecordDnsAnswer['data'],
  domain: Asked & { dns: DnsAnswer },
): { type: 'DnsAnswerChanged'; data: DnsAnswer }[] => {
  if (serverName !== domain.serverName || server !== domain.server) return [];
  return sameAnswer(domain.dns, answer) ? [] : [{ type: 'DnsAnswerChanged', data: answer }];
};

const setOf = (answer: DnsAnswer): string =>
  answer.addresses
    .map(({ address }) => address)
    .toSorted()
    .join(' ');
/** Failures are one answer: that one resolver is silent and the next refuses is no news about the domain. */
const sameAnswer = (a: DnsAnswer, b: DnsAnswer): boolean =>
  a.outcome === b.outcome &&
  (a.outcome === 'failed' || (a.pointsHere === b.pointsHere && a.code === b.code && setOf(a) === setOf(b)));

/** What DNS says about a domain, and when that is news. */
import type { EventData } from '@quarterdeck/events';
import { command } from '../platform/decider';

export type DnsAnswer = EventData<'DnsAnswerChanged'>;

/** What was asked, as the domain has it now. */
interface Asked {
  serverName: string;
  server: string;
}

/** Name and server say what was asked: by the time it is recorded the domain may bear another name. */
export class RecordDnsAnswer extends command<'RecordDnsAnswer', Asked & { answer: DnsAnswer }>(
  'RecordDnsAnswer',
) {}

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

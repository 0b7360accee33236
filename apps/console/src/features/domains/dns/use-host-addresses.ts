import { dns } from '@quarterdeck/contract';
import type { DnsAnswer } from '@quarterdeck/projections';
import { useAnswer } from '../../../core/calls';
import { useAsOf } from '../../../core/as-of/as-of-state';
import { isAddress } from './dns-rules';

/**
 * The addresses of a server's host; a literal address is its own answer. Empty if DNS has none. `undefined` while
 * loading, and in the past, for which DNS cannot be asked.
 */
export const useHostAddresses = (host: string | undefined): DnsAnswer['addresses'] | undefined => {
  const literal = host !== undefined && isAddress(host);
  const inPast = useAsOf() !== undefined;
  const skip = host === undefined || literal || inPast;
  const { currentData, isError } = useAnswer(dns.ipFromHostname, { hostname: host ?? '' }, { skip });
  if (literal) return [{ address: host, family: host.includes(':') ? 6 : 4 }];
  return currentData?.addresses ?? (isError ? [] : undefined);
};

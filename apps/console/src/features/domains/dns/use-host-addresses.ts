import { dns } from '@quarterdeck/contract';
import type { DnsAnswer } from '@quarterdeck/projections';
import { useAnswer } from '../../../core/calls';
import { usePast } from '../../../core/past/past-state';
import { isAddress } from './dns-rules';

/**
 * Of a server's host: a literal address is its own answer. Empty when none is known, `undefined` while it is asked for and
 * in the past, of which DNS can tell nothing.
 */
export const useHostAddresses = (host: string | undefined): DnsAnswer['addresses'] | undefined => {
  const literal = host !== undefined && isAddress(host);
  const inPast = usePast() !== undefined;
  const skip = host === undefined || literal || inPast;
  const { currentData, isError } = useAnswer(dns.ipFromHostname, { hostname: host ?? '' }, { skip });
  if (literal) return [{ address: host, family: host.includes(':') ? 6 : 4 }];
  return currentData?.addresses ?? (isError ? [] : undefined);
};

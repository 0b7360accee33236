import { dns, type Answer, type sites } from '@quarterdeck/contract';
import type { DomainView } from '@quarterdeck/projections';
import { api } from '../../core/api';
import { requestOf } from '../../core/calls';

export type Generated = Answer<typeof sites.generate>;
/** Result of a check over TLS. */
export type Expiry = Answer<typeof dns.expiry>;

/**
 * Sent as `overwrite`: the SHA-256 of the file that the operator saw and agreed to overwrite, or `-` if there was no
 * file.
 */
export const seenThere = ({ found }: NonNullable<DomainView['drift']>): string => found?.sha256 ?? '-';

const siteApi = api.injectEndpoints({
  endpoints: (build) => ({
    // An RTK mutation, because it runs on demand and its result is not reused.
    checkExpiry: build.mutation<Expiry, string>({ query: (host) => requestOf(dns.expiry, { host }) }),
  }),
});

export const { useCheckExpiryMutation } = siteApi;

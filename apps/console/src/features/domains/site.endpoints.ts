import { dns, type Answer, type sites } from '@quarterdeck/contract';
import type { DomainView } from '@quarterdeck/projections';
import { api } from '../../core/api';
import { requestOf } from '../../core/calls';

export type Generated = Answer<typeof sites.generate>;
/** What is shown over TLS, now. */
export type Expiry = Answer<typeof dns.expiry>;

/** What may go, as `overwrite`: whoever is asked has seen it. `-`: there was no file any more. */
export const seenThere = ({ found }: NonNullable<DomainView['drift']>): string => found?.sha256 ?? '-';

const siteApi = api.injectEndpoints({
  endpoints: (build) => ({
    // A mutation in RTK's sense: it is asked when somebody presses a button, and each time anew.
    checkExpiry: build.mutation<Expiry, string>({ query: (host) => requestOf(dns.expiry, { host }) }),
  }),
});

export const { useCheckExpiryMutation } = siteApi;

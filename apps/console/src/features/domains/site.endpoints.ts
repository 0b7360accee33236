/** The calls about a domain's configuration on its server and about its certificate. */
import type { DomainView, SiteOptions } from '@quarterdeck/projections';
import { api, tagOf, tagsOf } from '../../app/api';
import type { LocationFields } from './domain.endpoints';

export interface Generated {
  nginxStatement: string;
  sha256: string;
  /** What is live, as far as the console knows. */
  applied: string | null;
  same: boolean;
  /** By field of the location, or of the site. */
  problems: Record<string, string>;
}

export interface Draft {
  id: string;
  options?: SiteOptions;
  /** A location that is being edited; new without an id. */
  draft?: { id?: string; data: LocationFields };
}

/** What lies on the server now. */
export interface Found {
  runId: string;
  sha256: string | null;
  text: string | null;
  drifted: boolean;
}

/** What may go, as `overwrite`: whoever is asked has seen it. `-`: there was no file any more. */
export const seenThere = ({ found }: NonNullable<DomainView['drift']>): string => found?.sha256 ?? '-';

/** What is shown over TLS, now. */
export interface Expiry {
  valid: boolean;
  daysRemaining?: number;
  validTo?: string;
  validFrom?: string;
  issuer?: string;
  reason?: string;
}

interface Started {
  runId: string;
}
type Starting = { id: string; runId: string };

const nginx = (url: string) => (body: unknown) => ({ url: `/nginx/${url}`, body });
const ofDomain = (_result: unknown, _error: unknown, { id }: { id: string }) => tagsOf('domains', [id]);

export const siteApi = api.injectEndpoints({
  endpoints: (build) => ({
    generated: build.query<Generated, Draft>({
      query: nginx('generate'),
      providesTags: (_text, _error, { id }) => tagOf('domains', id),
      keepUnusedDataFor: 10,
    }),
    applySite: build.mutation<
      Started & { nginxStatement: string },
      Starting & { options: SiteOptions; seen: string; overwrite?: string }
    >({ query: nginx('exec'), invalidatesTags: ofDomain }),
    restoreSite: build.mutation<
      Started & { nginxStatement: string },
      Starting & { sha256: string; overwrite?: string }
    >({ query: nginx('restore'), invalidatesTags: ofDomain }),
    lookAtSite: build.mutation<Found, Starting>({ query: nginx('look'), invalidatesTags: ofDomain }),
    adoptSite: build.mutation<{ id: string }, { id: string; sha256: string }>({
      query: nginx('adopt'),
      invalidatesTags: ofDomain,
    }),
    removeSite: build.mutation<Started, Starting>({ query: nginx('remove'), invalidatesTags: ofDomain }),
    // A text that was applied once does not change any more.
    appliedText: build.query<{ text: string }, { id: string; sha256: string }>({ query: nginx('applied') }),
    issueCertificate: build.mutation<
      Started,
      Starting & { force?: boolean; options?: SiteOptions; seen?: string }
    >({
      query: nginx('certbot'),
      invalidatesTags: ofDomain,
    }),
    removeCertificate: build.mutation<Started, Starting & { seen?: string }>({
      query: nginx('certbot-rm'),
      invalidatesTags: ofDomain,
    }),
    checkExpiry: build.mutation<Expiry, string>({
      query: (host) => ({ url: '/dns/ssl/expiry', body: { host } }),
    }),
    serverConfig: build.query<{ nginxStatement: string; dockerCompose: string }, string>({
      query: (id) => ({ url: '/server/config', body: { id } }),
      providesTags: tagsOf('domains'),
    }),
  }),
});

export const {
  useGeneratedQuery,
  useApplySiteMutation,
  useRestoreSiteMutation,
  useLookAtSiteMutation,
  useAdoptSiteMutation,
  useRemoveSiteMutation,
  useAppliedTextQuery,
  useIssueCertificateMutation,
  useRemoveCertificateMutation,
  useCheckExpiryMutation,
  useServerConfigQuery,
} = siteApi;

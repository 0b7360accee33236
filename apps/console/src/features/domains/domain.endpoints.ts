/** The calls about domains and what they point to. What they make stale is also told by the socket. */
import type {
  DnsAnswer,
  DomainRow,
  DomainView,
  LocationView,
  ServerView,
  DeployView,
} from '@quarterdeck/projections';
import { api, tagOf, tagsOf } from '../../app/api';

export interface DomainFields {
  serverName: string;
  server: { id: string };
}

/** What stays on the server by choice. */
export interface Kept {
  config: boolean;
  certificate: boolean;
}

interface Written {
  id: string;
  uuid: string;
}

/** What DNS answers for a name, now. */
export interface LookUp {
  outcome: DnsAnswer['outcome'];
  address?: string;
  addresses: DnsAnswer['addresses'];
  timestamp: string | number;
  reason?: string;
}

/** One record below the workspace's parent: `{name}.{SLD}.{TLD}`. */
export interface NewRecord {
  name: string;
  SLD: string;
  TLD: string;
  ip: string;
  replace?: boolean;
}

/** What goes into a location; `url` means what the flags say. */
export type LocationFields = Omit<LocationView, 'id' | 'match'> & {
  match?: LocationView['match'];
};

interface LocationChange {
  /** The domain's id. */
  domain: string;
  data: LocationFields;
  revision?: number;
}

const post = (url: string) => (body: unknown) => ({ url: `/domain/${url}`, body });

export const domainApi = api.injectEndpoints({
  endpoints: (build) => ({
    domains: build.query<DomainRow[], void>({
      query: () => ({ url: '/domain/list' }),
      providesTags: tagsOf('domains'),
    }),
    domainsOfServer: build.query<DomainRow[], string>({
      query: (server) => post('listByServer')({ server: { id: server } }),
      providesTags: tagsOf('domains'),
    }),
    domain: build.query<DomainView, string>({
      query: (id) => post('detail')({ id }),
      providesTags: (_row, _error, id) => tagOf('domains', id),
    }),
    addDomain: build.mutation<Written, DomainFields>({
      query: post('insert'),
      invalidatesTags: tagsOf('domains'),
    }),
    updateDomain: build.mutation<Written, { id: string; data: DomainFields; revision?: number }>({
      query: ({ id, ...body }) => post('update')({ ...body, filters: { id } }),
      invalidatesTags: (_result, _error, { id }) => tagsOf('domains', [id]),
    }),
    removeDomain: build.mutation<
      Written & { runId?: string },
      { id: string; serverName: string; keep: Kept; runId: string }
    >({
      query: post('delete'),
      invalidatesTags: tagsOf('domains'),
    }),
    checkDns: build.mutation<DnsAnswer, string>({
      query: (id) => post('dns/check')({ id }),
      invalidatesTags: (_result, _error, id) => tagsOf('domains', [id]),
    }),
    addLocation: build.mutation<Written, LocationChange>({
      query: ({ domain, ...body }) => post('location/insert')({ ...body, domain: { id: domain } }),
      invalidatesTags: (_result, _error, { domain }) => tagsOf('domains', [domain]),
    }),
    updateLocation: build.mutation<Written, LocationChange & { id: string }>({
      query: ({ id, domain: _domain, ...body }) => post('location/update')({ ...body, filters: { id } }),
      invalidatesTags: (_result, _error, { domain }) => tagsOf('domains', [domain]),
    }),
    removeLocation: build.mutation<Written, { id: string; domain: string }>({
      query: ({ id }) => post('location/delete')({ id }),
      invalidatesTags: (_result, _error, { domain }) => tagsOf('domains', [domain]),
    }),
    readLocationLogs: build.mutation<{ runId: string }, { id: string; seconds: number; runId: string }>({
      query: post('location/logs'),
    }),
    inspectLocation: build.mutation<{ runId: string }, { id: string; runId: string }>({
      query: post('location/inspect'),
    }),
    // What DNS says changes without our doing: it is asked anew whenever it is shown.
    lookUp: build.query<LookUp, string>({
      query: (hostname) => ({ url: `/dns/ipFromHostname?hostname=${encodeURIComponent(hostname)}` }),
      keepUnusedDataFor: 10,
    }),
    addRecord: build.mutation<{ added: boolean; hostname: string; replaced?: string }, NewRecord>({
      query: (body) => ({ url: '/dns/host/add', body }),
    }),
    domainServers: build.query<ServerView[], void>({
      query: () => ({ url: '/server/list', body: {} }),
      providesTags: tagsOf('servers'),
    }),
    packagesOfServer: build.query<DeployView[], string>({
      query: (server) => ({ url: '/deploy/logs/list', body: { filters: { server: { id: server } } } }),
      providesTags: tagsOf('deploys'),
    }),
  }),
});

export const {
  useDomainsQuery,
  useDomainsOfServerQuery,
  useDomainQuery,
  useAddDomainMutation,
  useUpdateDomainMutation,
  useRemoveDomainMutation,
  useCheckDnsMutation,
  useAddLocationMutation,
  useUpdateLocationMutation,
  useRemoveLocationMutation,
  useReadLocationLogsMutation,
  useInspectLocationMutation,
  useLookUpQuery,
  useAddRecordMutation,
  useDomainServersQuery,
  usePackagesOfServerQuery,
} = domainApi;

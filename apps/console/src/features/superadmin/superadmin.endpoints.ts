/**
 * The calls about the whole installation. The socket tells of one workspace alone, so these pages ask again at
 * intervals instead; see the pages.
 */
import type {
  InstallationView,
  MaintenanceKind,
  PersonSummary,
  ReadModelsView,
  RunState,
  RunSummary,
  WorkspaceSummary,
} from '@quarterdeck/projections';
import { api } from '../../app/api';

interface RunPage {
  runs: RunSummary[];
  next?: string;
}

interface ParkedRetry {
  readModel: string;
  stream: string;
}

const superadminApi = api.injectEndpoints({
  endpoints: (build) => ({
    installation: build.query<InstallationView, void>({
      query: () => ({ url: '/superadmin/overview', body: {} }),
    }),
    allWorkspaces: build.query<WorkspaceSummary[], void>({
      query: () => ({ url: '/superadmin/workspaces', body: {} }),
    }),
    allPeople: build.query<PersonSummary[], void>({
      query: () => ({ url: '/superadmin/people', body: {} }),
    }),
    allRuns: build.infiniteQuery<RunPage, { state?: RunState }, string | undefined>({
      infiniteQueryOptions: { initialPageParam: undefined, getNextPageParam: (page) => page.next },
      query: ({ queryArg, pageParam }) => ({
        url: '/superadmin/runs',
        body: { ...queryArg, ...(pageParam && { before: pageParam }) },
      }),
    }),
    readModels: build.query<ReadModelsView, void>({
      query: () => ({ url: '/superadmin/projections', body: {} }),
    }),
    startMaintenance: build.mutation<{ maintenance: string }, { kind: MaintenanceKind; readModel: string }>({
      query: ({ kind, readModel }) => ({ url: `/superadmin/projections/${kind}`, body: { readModel } }),
    }),
    cancelMaintenance: build.mutation<unknown, string>({
      query: (maintenance) => ({ url: '/superadmin/projections/cancel', body: { maintenance } }),
    }),
    acknowledgeForeign: build.mutation<unknown, { upTo: string; reason: string }>({
      query: (body) => ({ url: '/superadmin/foreign/acknowledge', body }),
    }),
    retryParked: build.mutation<{ ok: true; rows: number } | { ok: false; error: string }, ParkedRetry>({
      query: (body) => ({ url: '/superadmin/projections/retry', body }),
    }),
  }),
});

export const {
  useInstallationQuery,
  useAllWorkspacesQuery,
  useAllPeopleQuery,
  useAllRunsInfiniteQuery,
  useReadModelsQuery,
  useStartMaintenanceMutation,
  useCancelMaintenanceMutation,
  useAcknowledgeForeignMutation,
  useRetryParkedMutation,
} = superadminApi;

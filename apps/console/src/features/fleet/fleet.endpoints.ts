/** The calls about runs over many servers. */
import type { FleetDetail, ServerView } from '@quarterdeck/projections';
import { api, tagOf, tagsOf } from '../../app/api';

export interface FleetStart {
  servers: readonly string[];
  cmdType?: number;
  script?: string;
  version?: number;
  concurrency: number;
  runId: string;
}

const fleetApi = api.injectEndpoints({
  endpoints: (build) => ({
    fleetServers: build.query<ServerView[], void>({
      query: () => ({ url: '/server/list', body: {} }),
      providesTags: tagsOf('servers'),
    }),
    fleetRun: build.query<FleetDetail, string>({
      query: (id) => ({ url: '/fleet/detail', body: { id } }),
      // Its own run and those on the servers, and no other: a workspace may be busy with much else.
      providesTags: (detail, _error, id) =>
        [id, ...(detail?.hosts ?? []).map(({ runId }) => runId)].flatMap((run) => tagOf('runs', run)),
    }),
    startFleet: build.mutation<{ runId: string }, FleetStart>({
      query: (body) => ({ url: '/fleet/start', body }),
      invalidatesTags: tagsOf('runs'),
    }),
    rerunFleet: build.mutation<{ runId: string }, { id: string; runId: string }>({
      query: (body) => ({ url: '/fleet/rerun', body }),
      invalidatesTags: tagsOf('runs'),
    }),
  }),
});

export const { useFleetServersQuery, useFleetRunQuery, useStartFleetMutation, useRerunFleetMutation } =
  fleetApi;

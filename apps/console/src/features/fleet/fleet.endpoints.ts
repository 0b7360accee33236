import { fleet } from '@quarterdeck/contract';
import type { FleetDetail } from '@quarterdeck/projections';
import { api, tagOf } from '../../core/api';
import { requestOf } from '../../core/calls';

const fleetApi = api.injectEndpoints({
  endpoints: (build) => ({
    fleetRun: build.query<FleetDetail, string>({
      query: (id) => requestOf(fleet.detail, { id }),
      // Its own run and those on the servers, and no other: a workspace may be busy with much else.
      providesTags: (detail, _error, id) =>
        [id, ...(detail?.hosts ?? []).map(({ runId }) => runId)].flatMap((run) => tagOf('runs', run)),
    }),
  }),
});

export const { useFleetRunQuery } = fleetApi;

import { fleet } from '@quarterdeck/contract';
import type { FleetDetail } from '@quarterdeck/projections';
import { api, tagOf } from '../../core/api';
import { requestOf } from '../../core/calls';

const fleetApi = api.injectEndpoints({
  endpoints: (build) => ({
    fleetRun: build.query<FleetDetail, string>({
      query: (id) => requestOf(fleet.detail, { id }),
      // Only the fleet run and its parts, so other runs in a busy workspace cause no refetch.
      providesTags: (detail, _error, id) =>
        [id, ...(detail?.hosts ?? []).map(({ runId }) => runId)].flatMap((run) => tagOf('runs', run)),
    }),
  }),
});

export const { useFleetRunQuery } = fleetApi;

import { health } from '@quarterdeck/contract';
import type { NewestHealth } from '@quarterdeck/projections';
import { api, tagOf } from '../../../core/api';
import { requestOf } from '../../../core/calls';
import { healthTold } from '../../../records/health';

/** No event makes the newest figures stale: they come by themselves. Whoever was away asks again. */
const FIGURES = 'FIGURES';

const healthApi = api.injectEndpoints({
  endpoints: (build) => ({
    newestHealth: build.query<NewestHealth[], void>({
      query: () => requestOf(health.list, {}),
      providesTags: tagOf('servers', FIGURES),
      onQueryStarted: async (_nothing, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => undefined);
        if (answer) dispatch(healthTold(answer.data));
      },
    }),
  }),
});

export const { useNewestHealthQuery } = healthApi;

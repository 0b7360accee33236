import type { HealthHistory, NewestHealth } from '@quarterdeck/projections';
import { api, tagOf } from '../../../app/api';
import { healthTold } from '../../../app/health';

/** No event makes the newest figures stale: they come by themselves. Whoever was away asks again. */
const FIGURES = 'FIGURES';

const healthApi = api.injectEndpoints({
  endpoints: (build) => ({
    newestHealth: build.query<NewestHealth[], void>({
      query: () => ({ url: '/health/list', body: {} }),
      providesTags: tagOf('servers', FIGURES),
      onQueryStarted: async (_nothing, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => undefined);
        if (answer) dispatch(healthTold(answer.data));
      },
    }),
    healthHistory: build.query<HealthHistory, { id: string; hours: number }>({
      query: (body) => ({ url: '/health/history', body }),
      // Becoming reachable or not is an event of the server.
      providesTags: (_history, _error, { id }) => tagOf('servers', id),
    }),
  }),
});

export const { useNewestHealthQuery, useHealthHistoryQuery } = healthApi;

/** Sees to it that the newest figures are there and stay so: asked for at first, and again after the connection was lost. */
import { health } from '@quarterdeck/contract';
import type { NewestHealth } from '@quarterdeck/projections';
import { api, tagOf } from '../core/api';
import { requestOf } from '../core/calls';
import { useWhenBack } from '../core/connection';
import { healthTold } from './health';

/** No event makes the newest figures stale: the socket brings them. */
const FIGURES = 'FIGURES';

const { useNewestHealthQuery } = api.injectEndpoints({
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

/** For a page that shows the verdict of a server without a list of servers, which brings the figures along. */
export const useLiveHealth = (): void => {
  const { refetch } = useNewestHealthQuery();
  useWhenBack(refetch);
};

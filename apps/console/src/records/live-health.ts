/** Fetches the newest health samples, and again after the connection was lost. */
import { health } from '@quarterdeck/contract';
import type { NewestHealth } from '@quarterdeck/projections';
import { api, tagOf } from '../core/api';
import { requestOf } from '../core/calls';
import { useWhenBack } from '../core/connection';
import { useSession } from '../core/session';
import { healthTold } from './health';

/** Never invalidated by events, because the socket pushes the samples. */
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

/** For pages that show a server's verdict without loading a list of servers, which would include the samples. */
export const useLiveHealth = (): void => {
  const skip = !useSession().can('admin');
  const { refetch } = useNewestHealthQuery(undefined, { skip });
  useWhenBack(() => {
    if (!skip) void refetch();
  });
};

/**
 * Runs of the whole installation, page by page. The socket tells of one workspace alone, so these pages ask again at
 * intervals instead.
 */
import { superadmin, type Answer } from '@quarterdeck/contract';
import type { RunState } from '@quarterdeck/projections';
import { api } from '../../core/api';
import { requestOf } from '../../core/calls';

const superadminApi = api.injectEndpoints({
  endpoints: (build) => ({
    allRuns: build.infiniteQuery<Answer<typeof superadmin.runs>, { state?: RunState }, string | undefined>({
      infiniteQueryOptions: { initialPageParam: undefined, getNextPageParam: (page) => page.next },
      query: ({ queryArg, pageParam }) =>
        requestOf(superadmin.runs, { ...queryArg, ...(pageParam && { before: pageParam }) }),
    }),
  }),
});

export const { useAllRunsInfiniteQuery } = superadminApi;

/**
 * Runs of the whole installation, page by page. The socket reports changes in one workspace only, so these pages
 * poll.
 */
import { superadmin, type Answer, type Sent } from '@quarterdeck/contract';
import { api } from '../../core/api';
import { requestOf } from '../../core/calls';

const superadminApi = api.injectEndpoints({
  endpoints: (build) => ({
    allRuns: build.infiniteQuery<
      Answer<typeof superadmin.runs>,
      Omit<Sent<typeof superadmin.runs>, 'before'>,
      string | undefined
    >({
      infiniteQueryOptions: { initialPageParam: undefined, getNextPageParam: (page) => page.next },
      query: ({ queryArg, pageParam }) =>
        requestOf(superadmin.runs, { ...queryArg, ...(pageParam && { before: pageParam }) }),
    }),
  }),
});

export const { useAllRunsInfiniteQuery } = superadminApi;

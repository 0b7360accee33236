/** The calls about runs that the cache keeps in a way of its own. Output is fetched and followed by `records/run-output`. */
import { runs, type Answer, type Sent } from '@quarterdeck/contract';
import { api, tagsOf } from '../../core/api';
import { requestOf } from '../../core/calls';

/** A search that is empty asks nothing. */
export const withSearch = <F extends object>(filter: F, search: string): F & { search?: string } =>
  search === '' ? filter : { ...filter, search };

export type RunFilter = Omit<Sent<typeof runs.list>, 'before' | 'limit'>;

/** Whether the output of a step still is what was recorded of it; says nothing of one whose end was not seen. */
export type StepCheck = Answer<typeof runs.check>['steps'][number];

const runApi = api.injectEndpoints({
  endpoints: (build) => ({
    runs: build.infiniteQuery<Answer<typeof runs.list>, RunFilter, string | undefined>({
      infiniteQueryOptions: {
        initialPageParam: undefined,
        getNextPageParam: (page) => page.next,
      },
      query: ({ queryArg, pageParam }) =>
        requestOf(runs.list, { ...queryArg, limit: 50, ...(pageParam && { before: pageParam }) }),
      providesTags: tagsOf('runs'),
    }),
    // What a run printed does not change once it has ended; a retried run is another revision.
    runCheck: build.query<StepCheck[], { id: string; revision: number }>({
      query: ({ id }) => requestOf(runs.check, { id }),
      transformResponse: ({ steps }: Answer<typeof runs.check>) => steps,
    }),
  }),
});

export const { useRunsInfiniteQuery, useRunCheckQuery } = runApi;

/** A page of the browser's own: it is saved as it comes, and is never in memory here. */
export const castHref = (id: string): string => `/api/run/cast?id=${encodeURIComponent(id)}`;

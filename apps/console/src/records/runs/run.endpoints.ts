/** Calls about runs that need their own caching. `records/run-output` fetches and follows the output. */
import { runs, type Answer, type Sent } from '@quarterdeck/contract';
import { api, tagsOf } from '../../core/api';
import { requestOf } from '../../core/calls';

/** Leaves out an empty search. */
export const withSearch = <F extends object>(filter: F, search: string): F & { search?: string } =>
  search === '' ? filter : { ...filter, search };

export type RunFilter = Omit<Sent<typeof runs.list>, 'before' | 'limit'>;

/** Whether the output of a step still matches its record; absent for a step whose end was not seen. */
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
    // No tags: the output of an ended run does not change, and a retry has another revision.
    runCheck: build.query<StepCheck[], { id: string; revision: number }>({
      query: ({ id }) => requestOf(runs.check, { id }),
      transformResponse: ({ steps }: Answer<typeof runs.check>) => steps,
    }),
  }),
});

export const { useRunsInfiniteQuery, useRunCheckQuery } = runApi;

/** URL of the recording. The browser downloads it directly, so it is never held in memory here. */
export const castHref = (id: string): string => `/api/run/cast?id=${encodeURIComponent(id)}`;

/** The calls about runs. Output is fetched and followed by `ui/run-output`. */
import type { RunView } from '@quarterdeck/projections';
import { api, tagOf, tagsOf } from '../../app/api';

export interface RunFilter {
  subject?: { kind: string; id: string };
  state?: RunView['state'];
  kind?: string;
  /** Who asked for it. */
  requestedBy?: string;
  /** Its parts. Without it, parts are told only of one subject. */
  parent?: string;
  /** Of one saved script. */
  script?: string;
}

export interface OutputMeasure {
  bytes: number;
  sha256: string;
}

/** Whether the output of a step still is what was recorded of it; says nothing of one whose end was not seen. */
export interface StepCheck {
  step: string;
  attempt: number;
  recorded?: OutputMeasure;
  actual: OutputMeasure;
  matches?: boolean;
  removed?: true;
}

interface RunPage {
  runs: RunView[];
  next?: string;
}

export const runApi = api.injectEndpoints({
  endpoints: (build) => ({
    runs: build.infiniteQuery<RunPage, RunFilter, string | undefined>({
      infiniteQueryOptions: {
        initialPageParam: undefined,
        getNextPageParam: (page) => page.next,
      },
      query: ({ queryArg, pageParam }) => ({
        url: '/run/list',
        body: { ...queryArg, limit: 50, ...(pageParam && { before: pageParam }) },
      }),
      providesTags: tagsOf('runs'),
    }),
    run: build.query<RunView, string>({
      query: (id) => ({ url: '/run/detail', body: { id } }),
      providesTags: (_run, _error, id) => tagOf('runs', id),
    }),
    // What a run printed does not change once it has ended; a retried run is another revision.
    runCheck: build.query<StepCheck[], { id: string; revision: number }>({
      query: ({ id }) => ({ url: '/run/check', body: { id } }),
      transformResponse: ({ steps }: { steps: StepCheck[] }) => steps,
    }),
    cancelRun: build.mutation<unknown, string>({
      query: (id) => ({ url: '/run/cancel', body: { id } }),
      invalidatesTags: (_answer, _error, id) => tagsOf('runs', [id]),
    }),
    retryRun: build.mutation<unknown, string>({
      query: (id) => ({ url: '/run/retry', body: { id } }),
      invalidatesTags: (_answer, _error, id) => tagsOf('runs', [id]),
    }),
  }),
});

export const {
  useRunsInfiniteQuery,
  useRunQuery,
  useRunCheckQuery,
  useCancelRunMutation,
  useRetryRunMutation,
} = runApi;

/** A page of the browser's own: it is saved as it comes, and is never in memory here. */
export const castHref = (id: string): string => `/api/run/cast?id=${encodeURIComponent(id)}`;

/** Runs as the frame shows them; the pages of runs have calls of their own. */
import type { RunView } from '@quarterdeck/projections';
import { api, tagsOf } from '../api';

type Runs = { runs: RunView[] };

const shellRunsApi = api.injectEndpoints({
  endpoints: (build) => ({
    runsInProgress: build.query<RunView[], void>({
      // In this order, so that a run which starts in between is in the second answer.
      queryFn: async (_arg, _call, _extra, fetch) => {
        const requested = await fetch({ url: '/run/list', body: { state: 'requested', limit: 50 } });
        if (requested.error) return { error: requested.error };
        const running = await fetch({ url: '/run/list', body: { state: 'running', limit: 50 } });
        if (running.error) return { error: running.error };
        const runs = [...(requested.data as Runs).runs, ...(running.data as Runs).runs];
        return { data: [...new Map(runs.map((run) => [run.id, run])).values()], meta: requested.meta };
      },
      providesTags: tagsOf('runs'),
    }),
    recentRuns: build.query<RunView[], void>({
      query: () => ({ url: '/run/list', body: { limit: 20 } }),
      transformResponse: ({ runs }: Runs) => runs,
      providesTags: tagsOf('runs'),
    }),
    endedRun: build.query<RunView, string>({ query: (id) => ({ url: '/run/detail', body: { id } }) }),
  }),
});

export const { useRunsInProgressQuery, useRecentRunsQuery, useLazyEndedRunQuery } = shellRunsApi;

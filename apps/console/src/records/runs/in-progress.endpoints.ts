/** The runs in progress, for the application frame. */
import { runs, type Answer } from '@quarterdeck/contract';
import type { RunView } from '@quarterdeck/projections';
import { api, tagsOf } from '../../core/api';
import { requestOf } from '../../core/calls';

type Page = Answer<typeof runs.list>;

const shellRunsApi = api.injectEndpoints({
  endpoints: (build) => ({
    runsInProgress: build.query<RunView[], void>({
      // Requested runs first: a run that starts between the two requests is then in the second answer.
      queryFn: async (_arg, _call, _extra, fetch) => {
        const requested = await fetch(requestOf(runs.list, { state: 'requested', limit: 50 }));
        if (requested.error) return { error: requested.error };
        const running = await fetch(requestOf(runs.list, { state: 'running', limit: 50 }));
        if (running.error) return { error: running.error };
        const found = [...(requested.data as Page).runs, ...(running.data as Page).runs];
        return { data: [...new Map(found.map((run) => [run.id, run])).values()], meta: requested.meta };
      },
      providesTags: tagsOf('runs'),
    }),
  }),
});

export const { useRunsInProgressQuery } = shellRunsApi;

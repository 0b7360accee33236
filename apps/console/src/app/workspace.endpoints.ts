/** The workspace that one is signed in to, and its settings. */
import type { WorkspaceView } from '@quarterdeck/projections';
import { api, tagsOf } from './api';

const workspaceApi = api.injectEndpoints({
  endpoints: (build) => ({
    workspace: build.query<WorkspaceView, void>({
      query: () => ({ url: '/workspace/detail', body: {} }),
      providesTags: tagsOf('workspaces'),
    }),
    configureHealthChecks: build.mutation<
      { id: string },
      WorkspaceView['healthChecks'] & { revision: number }
    >({
      query: (body) => ({ url: '/workspace/health-checks', body }),
      invalidatesTags: tagsOf('workspaces'),
    }),
  }),
});

export const { useWorkspaceQuery, useConfigureHealthChecksMutation } = workspaceApi;

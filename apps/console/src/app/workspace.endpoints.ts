/** The workspace that one is signed in to, and its settings. */
import type { workspaceDns } from '@quarterdeck/events/inputs';
import type { ServerView, WorkspaceView } from '@quarterdeck/projections';
import type { z } from 'zod';
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
    configureContainerFlow: build.mutation<
      { id: string },
      WorkspaceView['containerFlow'] & { revision: number }
    >({
      query: (body) => ({ url: '/workspace/container-flow', body }),
      invalidatesTags: tagsOf('workspaces'),
    }),
    configureDns: build.mutation<{ id: string }, z.infer<typeof workspaceDns>>({
      query: (body) => ({ url: '/workspace/dns', body }),
      invalidatesTags: tagsOf('workspaces'),
    }),
    workspaceServers: build.query<ServerView[], void>({
      query: () => ({ url: '/server/list', body: {} }),
      providesTags: tagsOf('servers'),
    }),
    configureRetention: build.mutation<{ id: string }, WorkspaceView['retention'] & { revision: number }>({
      query: (body) => ({ url: '/workspace/retention', body }),
      invalidatesTags: tagsOf('workspaces'),
    }),
  }),
});

export const {
  useWorkspaceQuery,
  useConfigureHealthChecksMutation,
  useConfigureContainerFlowMutation,
  useConfigureDnsMutation,
  useConfigureRetentionMutation,
  useWorkspaceServersQuery,
} = workspaceApi;

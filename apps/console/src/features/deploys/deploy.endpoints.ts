import type { DeployView } from '@quarterdeck/projections';
import { api, tagsOf } from '../../app/api';

export interface PackagePull {
  server: { id: string };
  cdUrl?: string;
  /** In place of the address: the entry of the log whose address is asked again. */
  deployLog?: { id: string };
  slug?: string | undefined;
}

const deployApi = api.injectEndpoints({
  endpoints: (build) => ({
    deploysOfServer: build.query<DeployView[], string>({
      query: (id) => ({ url: '/deploy/logs/list', body: { filters: { server: { id } } } }),
      providesTags: tagsOf('deploys'),
    }),
    pullPackage: build.mutation<{ id: string; version: string }, PackagePull>({
      query: (body) => ({ url: '/deploy/pull', body }),
      // What failed stands in the log too.
      invalidatesTags: tagsOf('deploys'),
    }),
    removeDeployLog: build.mutation<{ id: string }, string>({
      query: (id) => ({ url: '/deploy/logs/delete', body: { id } }),
      invalidatesTags: tagsOf('deploys'),
    }),
  }),
});

export const { useDeploysOfServerQuery, usePullPackageMutation, useRemoveDeployLogMutation } = deployApi;

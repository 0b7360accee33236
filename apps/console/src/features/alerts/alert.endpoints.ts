import type { AlertView, DomainRow } from '@quarterdeck/projections';
import { api, tagsOf } from '../../app/api';

export interface AlertSettings {
  thresholds: number[];
  webhook?: { url: string; secret?: string };
  revision?: number;
}

const alertApi = api.injectEndpoints({
  endpoints: (build) => ({
    alerts: build.query<AlertView[], void>({
      query: () => ({ url: '/alert/list', body: {} }),
      providesTags: tagsOf('alerts'),
    }),
    openAlerts: build.query<AlertView[], void>({
      query: () => ({ url: '/alert/list', body: { open: true } }),
      providesTags: tagsOf('alerts'),
    }),
    dismissAlert: build.mutation<{ id: string }, string>({
      query: (id) => ({ url: '/alert/dismiss', body: { id } }),
      invalidatesTags: tagsOf('alerts'),
    }),
    testAlerts: build.mutation<{ id: string }, void>({
      query: () => ({ url: '/alert/test', body: {} }),
      invalidatesTags: tagsOf('alerts'),
    }),
    configureAlerts: build.mutation<{ id: string; secret?: string }, AlertSettings>({
      query: (body) => ({ url: '/workspace/alerts', body }),
      invalidatesTags: tagsOf('workspaces'),
    }),
    configureDomainAlerts: build.mutation<
      { id: string },
      { id: string; thresholds: number[] | null; revision: number }
    >({
      query: (body) => ({ url: '/domain/alerts', body }),
      invalidatesTags: (_result, _error, { id }) => tagsOf('domains', [id]),
    }),
    domainsWithEnds: build.query<DomainRow[], void>({
      query: () => ({ url: '/domain/list' }),
      providesTags: tagsOf('domains'),
    }),
  }),
});

export const {
  useAlertsQuery,
  useOpenAlertsQuery,
  useDismissAlertMutation,
  useTestAlertsMutation,
  useConfigureAlertsMutation,
  useConfigureDomainAlertsMutation,
  useDomainsWithEndsQuery,
} = alertApi;

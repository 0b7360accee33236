/** The calls about the SSL monitor. How far a run is comes by the socket in between, see `app/ssl-monitor`. */
import type { NextRenewal, SslCheck, SslMonitorStatus, WorkspaceView } from '@quarterdeck/projections';
import { api, tagOf, tagsOf } from '../../app/api';
import { sslAnswered } from '../../app/ssl-monitor';

/** What one limit of the certificate authority still allows. */
interface Budget {
  limit: 'registeredDomain' | 'exactNames' | 'failures' | 'orders';
  of: string;
  left: number;
  outOf: number;
  /** ISO: when the next is allowed; absent when one is allowed now. */
  nextAt?: string;
  words: string;
}

/** Of a registered domain, for a new name below it. */
export interface DomainBudget {
  domain: string;
  allowed: boolean;
  nextAt?: string;
  words: string;
  budgets: Budget[];
}

type Settings = WorkspaceView['sslMonitor'];

const sslApi = api.injectEndpoints({
  endpoints: (build) => ({
    sslStatus: build.query<SslMonitorStatus, void>({
      query: () => ({ url: '/ssl/status', body: {} }),
      // Which run is the newest, and when the schedule has the next.
      providesTags: [...tagsOf('runs'), ...tagsOf('workspaces')],
      onQueryStarted: async (_nothing, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => undefined);
        if (answer) dispatch(sslAnswered(answer.data));
      },
    }),
    startSsl: build.mutation<{ runId: string }, { runId: string; checkOnly: boolean }>({
      query: (body) => ({ url: '/ssl/run', body }),
      invalidatesTags: tagsOf('runs'),
    }),
    sslChecks: build.query<SslCheck[], string>({
      query: (id) => ({ url: '/ssl/checks', body: { id } }),
      providesTags: (_rows, _error, id) => tagOf('runs', id),
    }),
    sslBudget: build.query<DomainBudget[], void>({
      query: () => ({ url: '/ssl/budget', body: {} }),
      providesTags: tagsOf('domains'),
    }),
    // When it is asked: the authority may suggest something else an hour later.
    nextRenewal: build.query<NextRenewal, string>({
      query: (id) => ({ url: '/domain/renewal', body: { id } }),
      providesTags: (_renewal, _error, id) => tagOf('domains', id),
      keepUnusedDataFor: 10,
    }),
    configureSslMonitor: build.mutation<{ id: string }, Settings & { revision: number }>({
      query: (body) => ({ url: '/workspace/ssl-monitor', body }),
      invalidatesTags: tagsOf('workspaces'),
    }),
  }),
});

export const {
  useSslStatusQuery,
  useStartSslMutation,
  useSslChecksQuery,
  useSslBudgetQuery,
  useNextRenewalQuery,
  useConfigureSslMonitorMutation,
} = sslApi;

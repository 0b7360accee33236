/** Status of the SSL monitor. Between answers, the socket pushes the progress; see `records/ssl-monitor`. */
import { ssl } from '@quarterdeck/contract';
import type { SslMonitorStatus } from '@quarterdeck/projections';
import { api, tagsOf } from '../../core/api';
import { requestOf } from '../../core/calls';
import { sslAnswered } from '../../records/ssl-monitor';

const sslApi = api.injectEndpoints({
  endpoints: (build) => ({
    sslStatus: build.query<SslMonitorStatus, void>({
      query: () => requestOf(ssl.status, {}),
      // The status includes the newest run and the next start by schedule.
      providesTags: [...tagsOf('runs'), ...tagsOf('workspaces')],
      onQueryStarted: async (_nothing, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => undefined);
        if (answer) dispatch(sslAnswered(answer.data));
      },
    }),
  }),
});

export const { useSslStatusQuery } = sslApi;

/** The calls about history. Events never change, so only the newest page is kept fresh by the cache. */
import type { HistoryView } from '@quarterdeck/projections';
import { api, tagsOf } from '../../app/api';

export interface HistoryFilter {
  text?: string;
  types?: string[];
  subject?: { category: string; id?: string };
  actor?: string;
  from?: string;
  to?: string;
  /** A correlation id: everything that one request set in motion. */
  cause?: string;
}

export interface HistoryPage {
  /** Newest first. */
  events: HistoryView[];
  /** Where to go on for older ones; absent at the start of the log. */
  next?: string;
}

export const PAGE_SIZE = 100;

export const historyApi = api.injectEndpoints({
  endpoints: (build) => ({
    latestEvents: build.query<HistoryPage, HistoryFilter>({
      query: (filter) => ({ url: '/history/list', body: { ...filter, limit: PAGE_SIZE } }),
      providesTags: tagsOf('history'),
    }),
    olderEvents: build.query<HistoryPage, HistoryFilter & { before: string; limit?: number }>({
      query: (filter) => ({ url: '/history/list', body: { limit: PAGE_SIZE, ...filter } }),
    }),
    eventDetail: build.query<{ event: HistoryView; chain: HistoryView[] }, string>({
      query: (position) => ({ url: '/history/detail', body: { position } }),
      // The chain of an event may still grow.
      providesTags: tagsOf('history'),
    }),
  }),
});

export const { useLatestEventsQuery, useLazyOlderEventsQuery, useOlderEventsQuery, useEventDetailQuery } =
  historyApi;

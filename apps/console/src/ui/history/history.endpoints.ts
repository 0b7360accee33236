/** The calls about history. Events never change, so only the newest page is kept fresh by the cache. */
import type { Difference, HistoryView, MomentDifference } from '@quarterdeck/projections';
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

/** An event of a chain, with the position of the one that led to it. */
export interface Link extends HistoryView {
  cause?: string;
}

export interface EventDetail {
  event: HistoryView;
  changes: Difference[];
  /** Oldest first; of a very long one its beginning and what stands around the event. */
  chain: Link[];
  /** How many events the whole chain has. */
  chainLength: number;
}

/** What became of one thing: right after the one event until right after the other, or until now. */
export interface DifferenceAsked {
  subject: { category: string; id: string };
  from: string;
  to?: string;
}

const PAGE_SIZE = 100;

export const historyApi = api.injectEndpoints({
  endpoints: (build) => ({
    latestEvents: build.query<HistoryPage, HistoryFilter>({
      query: (filter) => ({ url: '/history/list', body: { ...filter, limit: PAGE_SIZE } }),
      providesTags: tagsOf('history'),
    }),
    olderEvents: build.query<HistoryPage, HistoryFilter & { before: string; limit?: number }>({
      query: (filter) => ({ url: '/history/list', body: { limit: PAGE_SIZE, ...filter } }),
    }),
    eventDetail: build.query<EventDetail, string>({
      query: (position) => ({ url: '/history/detail', body: { position } }),
      // The chain of an event may still grow.
      providesTags: tagsOf('history'),
    }),
    difference: build.query<MomentDifference, DifferenceAsked>({
      query: (asked) => ({ url: '/moment/difference', body: asked }),
      providesTags: tagsOf('history'),
    }),
  }),
});

export const { useLatestEventsQuery, useLazyOlderEventsQuery, useEventDetailQuery, useDifferenceQuery } =
  historyApi;

/** Pages of history. Events never change, so the cache only has to refresh the newest page. */
import { skipToken, type SkipToken } from '@reduxjs/toolkit/query/react';
import { history, type Answer, type Sent } from '@quarterdeck/contract';
import type { HistoryView } from '@quarterdeck/projections';
import { useCallback } from 'react';
import { api } from '../../core/api';
import { requestOf, useAnswer } from '../../core/calls';

export type HistoryFilter = Omit<Sent<typeof history.list>, 'before' | 'limit'>;
export type HistoryPage = Answer<typeof history.list>;
export type EventDetail = Answer<typeof history.detail>;
/** An event of a chain, with the position of its cause. */
export type Link = EventDetail['chain'][number];

const PAGE_SIZE = 100;
const MAX_PAGE = 200;

const historyApi = api.injectEndpoints({
  endpoints: (build) => ({
    // No tags: an older page never becomes stale.
    olderEvents: build.query<HistoryPage, Sent<typeof history.list>>({
      query: (filter) => requestOf(history.list, { limit: PAGE_SIZE, ...filter }),
    }),
  }),
});

export const { useLazyOlderEventsQuery } = historyApi;

export const useLatestEvents = (filter: HistoryFilter | SkipToken) =>
  useAnswer(history.list, filter === skipToken ? skipToken : { ...filter, limit: PAGE_SIZE });

/** At most so many events, newest first; `more`: there are older ones. @throws ApiError */
export const useAllEvents = () => {
  const [older] = useLazyOlderEventsQuery();
  return useCallback(
    async (filter: HistoryFilter, most: number): Promise<{ events: HistoryView[]; more: boolean }> => {
      const events: HistoryView[] = [];
      let before: string | undefined;
      do {
        const page = await older({
          ...filter,
          limit: MAX_PAGE,
          ...(before !== undefined && { before }),
        }).unwrap();
        events.push(...page.events);
        before = page.next;
      } while (before !== undefined && events.length < most);
      return { events, more: before !== undefined };
    },
    [older],
  );
};

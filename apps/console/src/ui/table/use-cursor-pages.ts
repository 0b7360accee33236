/** Pages of a list that the back end searches and continues by a cursor. The page after the shown one is fetched ahead. */
import { useEffect, useMemo } from 'react';
import { PAGE_SIZE } from '../page-size';
import { useTableAddress } from './table-address';

interface CursorQuery {
  /** `undefined` while the rows are those of the question before. */
  currentData?: unknown;
  error?: unknown;
  isFetching: boolean;
  hasNextPage: boolean;
  fetchNextPage(): unknown;
  refetch(): unknown;
}

/** `<DataTable {...useCursorPages(rows, query)} />` */
export const useCursorPages = <Row>(
  /** As many as were fetched. */
  rows: readonly Row[] | undefined,
  { currentData, error, isFetching, hasNextPage, fetchNextPage, refetch }: CursorQuery,
  urlKey?: string,
) => {
  const { page, search } = useTableAddress(urlKey);
  const found = rows?.length ?? 0;
  const wantsMore = hasNextPage && found <= page * PAGE_SIZE && !isFetching && error === undefined;
  useEffect(() => {
    if (wantsMore) fetchNextPage();
  }, [wantsMore, fetchNextPage]);
  const first = (Math.min(page, Math.max(1, Math.ceil(found / PAGE_SIZE))) - 1) * PAGE_SIZE;
  return {
    query: { data: useMemo(() => rows?.slice(first, first + PAGE_SIZE), [rows, first]), error, refetch },
    paged: {
      found,
      // With a search, nobody counts all rows.
      total: search === '' && currentData !== undefined ? found : undefined,
      more: hasNextPage,
      options: {},
    },
    searchable: true,
    ...(urlKey !== undefined && { urlKey }),
  };
};

/** Fetches the page of a list that the table's address asks for: search, filters, order and page. */
import type { Read } from '@quarterdeck/contract';
import { MAX_PAGE_SIZE, type ListPageAsked } from '@quarterdeck/events/inputs';
import type { ListPage } from '@quarterdeck/projections';
import { useCallback, useMemo } from 'react';
import { ask, useAnswer } from '../../core/calls';
import { useAppDispatch } from '../../core/hooks';
import { PAGE_SIZE } from '../page-size';
import { filtersById, sortWritten, useTableAddress } from './table-address';

interface ListPageOptions {
  /** Order if the address has none: `alias` or `-at`. Default: the back end's order. */
  defaultSort?: string | undefined;
  /** Parent that the list belongs to: `{ server: { id } }`. Keep the object stable between renders. */
  within?: object;
  urlKey?: string;
  skip?: boolean;
  /** For lists whose changes are not pushed. */
  pollingInterval?: number;
}

/** `<DataTable {...useListPage(scripts.page, { defaultSort: 'name' }).table} />` */
export const useListPage = <Row>(
  call: Read<ListPageAsked, unknown, ListPage<Row>>,
  { defaultSort, within, urlKey, skip = false, ...polled }: ListPageOptions = {},
) => {
  const { search, sort, filters, page } = useTableAddress(urlKey);
  const input = useMemo((): ListPageAsked => {
    const written = filters.filter(({ value }) => value !== '');
    const order = sortWritten(sort) ?? defaultSort;
    return {
      ...within,
      ...(search !== '' && { search }),
      ...(order !== undefined && { sort: order }),
      ...(written.length > 0 && { filters: filtersById(written) }),
      ...(page > 1 && { page }),
      size: PAGE_SIZE,
    };
  }, [within, search, sort, defaultSort, filters, page]);
  const { data, error, refetch, isFetching, fulfilledTimeStamp } = useAnswer(call, input as never, {
    skip,
    ...polled,
  });
  const paged = useMemo(
    () => data && { found: data.found, total: data.total, options: data.options },
    [data],
  );
  const dispatch = useAppDispatch();
  /** Fetches all rows that match the search and the filters. @throws ApiError */
  const allFound = useCallback(async (): Promise<Row[]> => {
    const rows: Row[] = [];
    for (let page = 1; ; page += 1) {
      const question = dispatch(ask(call, { ...input, page, size: MAX_PAGE_SIZE } as never));
      const answer = await question.unwrap().finally(() => question.unsubscribe());
      rows.push(...answer.rows);
      if (answer.rows.length < MAX_PAGE_SIZE) return rows;
    }
  }, [dispatch, call, input]);
  return {
    total: data?.total,
    isFetching,
    allFound,
    fulfilledTimeStamp,
    table: {
      query: { data: data?.rows, error, refetch },
      ...(paged && { paged }),
      ...(defaultSort !== undefined && { defaultSort }),
      ...(urlKey !== undefined && { urlKey }),
    },
  };
};

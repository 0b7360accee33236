/** One page of a list, as the address of the table asks for it: search, filters, order and page. */
import type { Read } from '@quarterdeck/contract';
import { MAX_PAGE_SIZE, type ListPageAsked } from '@quarterdeck/events/inputs';
import type { ListPage } from '@quarterdeck/projections';
import { useCallback, useMemo } from 'react';
import { ask, useAnswer } from '../../core/calls';
import { useAppDispatch } from '../../core/hooks';
import { PAGE_SIZE } from '../page-size';
import { filtersById, sortWritten, useTableAddress } from './table-address';

interface ListPageOptions {
  /** Order while the address names none: `alias` or `-at`. Without it that of the back end holds. */
  defaultSort?: string | undefined;
  /** What the list is within: `{ server: { id } }`. Keep the object stable between renders. */
  within?: object;
  urlKey?: string;
  skip?: boolean;
  /** Where no push says that it has changed. */
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
  /** Every row that the search and the filters find. @throws ApiError */
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

/**
 * Rows of a list of any length, of which only those in view are fetched: the one or two pages that they are on. Pages stay
 * in the cache for a while, so scrolling back asks nothing.
 */
import { useDebouncedValue } from '@mantine/hooks';
import type { Read } from '@quarterdeck/contract';
import type { ListPage } from '@quarterdeck/projections';
import { skipToken } from '@reduxjs/toolkit/query';
import { useAnswer } from '../../core/calls';

const ROWS_A_PAGE = 100;

interface InView {
  first: number;
  last: number;
}

interface PageAsked {
  page?: number | undefined;
  size?: number | undefined;
}

const STAYED_MS = 100;

/** Leaves out the pages that a fast scroll only passes: their answers would come before those of the page where it ends. */
const useStayedOn = (page: number): number => useDebouncedValue(page, STAYED_MS, { leading: true })[0];

export const useWindowed = <Asked extends PageAsked, Row>(
  call: Read<Asked, unknown, ListPage<Row>>,
  asked: Omit<Asked, keyof PageAsked>,
  { first, last }: InView,
) => {
  const from = useStayedOn(Math.floor(first / ROWS_A_PAGE));
  const to = useStayedOn(Math.floor(last / ROWS_A_PAGE));
  const on = (page: number) => ({ ...asked, page: page + 1, size: ROWS_A_PAGE }) as unknown as Asked;
  const upper = useAnswer(call, on(from));
  const lower = useAnswer(call, to === from ? skipToken : on(to));
  const { data, error, refetch } = upper;
  return {
    /** While another search is under way, that of the one before. */
    found: data?.found,
    total: data?.total,
    error: error ?? (to === from ? undefined : lower.error),
    refetch,
    /** Undefined until its page has been fetched. */
    row: (index: number): Row | undefined => {
      const page = Math.floor(index / ROWS_A_PAGE);
      const answer = page === from ? upper.currentData : page === to ? lower.currentData : undefined;
      return answer?.rows[index % ROWS_A_PAGE];
    },
  };
};

import { toApiError } from '../core/http';

/** What an RTK Query hook returns, as far as it matters to what is shown. */
export interface QueryLike<T> {
  data?: T | undefined;
  /** The answer to this very question; `data` may still be the one to the question before. */
  currentData?: T | undefined;
  error?: unknown;
  refetch?: () => unknown;
}

/** What there is to show, what went wrong and how to ask again. */
export const loaded = <T>(query: QueryLike<T>) => ({
  data: 'currentData' in query ? query.currentData : query.data,
  error: query.error === undefined ? undefined : toApiError(query.error),
  retry: query.refetch && (() => void query.refetch?.()),
});

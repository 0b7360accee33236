import { toApiError } from '../core/http';

/** The part of an RTK Query result that is needed to show it. */
export interface QueryLike<T> {
  data?: T | undefined;
  /** The answer for the current input; `data` may still be the one for the previous input. */
  currentData?: T | undefined;
  error?: unknown;
  refetch?: () => unknown;
}

/** The data to show, the error and a retry function. */
export const loaded = <T>(query: QueryLike<T>) => ({
  data: 'currentData' in query ? query.currentData : query.data,
  error: query.error === undefined ? undefined : toApiError(query.error),
  retry: query.refetch && (() => void query.refetch?.()),
});

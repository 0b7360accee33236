import type { ReactNode } from 'react';
import { toApiError, type ApiError } from '../core/http';
import { ErrorState } from './ErrorState';
import { Loading } from './Loading';

/** What an RTK Query hook returns, as far as it matters here. */
export interface QueryLike<T> {
  data?: T | undefined;
  /** The answer to this very question; `data` may still be the one to the question before. */
  currentData?: T | undefined;
  error?: unknown;
  refetch?: () => unknown;
}

interface DataViewProps<T> {
  query: QueryLike<T>;
  /** What is being loaded: "Server". */
  what: string;
  children: (data: T) => ReactNode;
  /** Instead of the general skeleton. */
  loading?: ReactNode;
  /** Instead of the general error. */
  error?: (error: ApiError) => ReactNode;
}

/**
 * Loading, then the content or what went wrong. Content that is already there stays, also when a refetch fails; that of
 * another question does not.
 */
export function DataView<T>({ query, what, children, loading, error }: DataViewProps<T>) {
  const data = 'currentData' in query ? query.currentData : query.data;
  const retry = query.refetch && (() => void query.refetch?.());
  const failed = query.error === undefined ? undefined : toApiError(query.error);
  // A thing that is gone does not stand on the page as if it were there.
  const gone = failed?.status === 404 || failed?.status === 403;
  if (failed && (data === undefined || gone)) {
    return (
      <>{error?.(failed) ?? <ErrorState error={failed} what={what} onRetry={gone ? undefined : retry} />}</>
    );
  }
  if (data === undefined) return <>{loading ?? <Loading label={`Loading ${what.toLowerCase()}`} />}</>;
  return (
    <>
      {failed && <ErrorState error={failed} what={what} onRetry={retry} inline />}
      {children(data)}
    </>
  );
}

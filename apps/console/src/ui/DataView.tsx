import type { ReactNode } from 'react';
import { toApiError, type ApiError } from '../core/http';
import { ErrorState } from './ErrorState';
import { Loading } from './Loading';

/** The part of an RTK Query result that is used here. */
export interface QueryLike<T> {
  data?: T | undefined;
  /** The answer for the current input; `data` may still be the one for the previous input. */
  currentData?: T | undefined;
  error?: unknown;
  refetch?: () => unknown;
}

interface DataViewProps<T> {
  query: QueryLike<T>;
  /** What is being loaded: "Server". */
  what: string;
  children: (data: T) => ReactNode;
  /** Replaces the default skeleton. */
  loading?: ReactNode;
  /** Replaces the default error. */
  error?: (error: ApiError) => ReactNode;
}

/**
 * Shows a skeleton, then the content or the error. Content stays visible if a refetch fails, but not if the query's
 * input changed.
 */
export function DataView<T>({ query, what, children, loading, error }: DataViewProps<T>) {
  const data = 'currentData' in query ? query.currentData : query.data;
  const retry = query.refetch && (() => void query.refetch?.());
  const failed = query.error === undefined ? undefined : toApiError(query.error);
  // Deleted or forbidden content is not shown any longer.
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

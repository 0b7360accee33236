import type { ReactNode } from 'react';
import type { ApiError } from '../core/http';
import { ErrorState } from './ErrorState';
import { Loading } from './Loading';
import { loaded, type QueryLike } from './query';

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
  const { data, error: failed, retry } = loaded(query);
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

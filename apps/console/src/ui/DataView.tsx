import type { ReactNode } from 'react';
import type { ApiError } from '../core/http';
import { ErrorState } from './ErrorState';
import { Loading } from './Loading';
import { loaded, type QueryLike } from './query';
import { inSentence } from './in-sentence';

interface DataViewProps<T> {
  query: QueryLike<T>;
  /** What is being loaded: "Server". */
  what: string;
  children: (data: T) => ReactNode;
  /** Replaces the default skeleton. */
  loading?: ReactNode;
  /** Replaces the default error, unless it returns false. */
  error?: (error: ApiError) => ReactNode;
}

/**
 * Shows a skeleton, then the content or the error. Content stays visible if a refetch fails, but not if the query's
 * input changed.
 */
export function DataView<T>({ query, what, children, loading, error }: DataViewProps<T>) {
  const { data, error: failed, retry } = loaded(query);
  // A record that was deleted or became forbidden must not stay on the page.
  const gone = failed?.status === 404 || failed?.status === 403;
  if (failed && (data === undefined || gone)) {
    return (
      <>{error?.(failed) || <ErrorState error={failed} what={what} onRetry={gone ? undefined : retry} />}</>
    );
  }
  if (data === undefined) return <>{loading ?? <Loading label={`Loading ${inSentence(what)}`} />}</>;
  return (
    <>
      {failed && <ErrorState error={failed} what={what} onRetry={retry} inline />}
      {children(data)}
    </>
  );
}

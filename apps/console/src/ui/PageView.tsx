import type { ReactNode } from 'react';
import { DataView, type QueryLike } from './DataView';
import { ErrorState } from './ErrorState';
import { PageHeader } from './PageHeader';

interface PageViewProps<T> {
  query: QueryLike<T>;
  /** What the page shows: "Server". */
  what: string;
  children: (data: T) => ReactNode;
}

/** A `DataView` that is a whole page: where there is nothing to show, it has a head and the reason. */
export const PageView = <T,>({ query, what, children }: PageViewProps<T>) => (
  <DataView
    query={query}
    what={what}
    error={(error) => (
      <>
        <PageHeader title={what} />
        <ErrorState
          error={error}
          what={what}
          onRetry={error.status === 404 ? undefined : () => void query.refetch?.()}
        />
      </>
    )}
  >
    {children}
  </DataView>
);

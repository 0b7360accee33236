import type { ReactNode } from 'react';
import { DataView } from '../ui/DataView';
import type { QueryLike } from '../ui/query';
import { ErrorState } from '../ui/ErrorState';
import type { Removed } from './history/undoing';
import { WasRemoved } from './history/WasRemoved';
import { PageHeader } from '../ui/PageHeader';

interface PageViewProps<T> {
  query: QueryLike<T>;
  /** What the page shows: "Server". */
  what: string;
  /** Where the history may know that it was removed. */
  subject?: Removed;
  children: (data: T) => ReactNode;
}

/** A `DataView` that is a whole page: where there is nothing to show, it has a head and the reason. */
export const PageView = <T,>({ query, what, subject, children }: PageViewProps<T>) => (
  <DataView
    query={query}
    what={what}
    error={(error) => {
      const gone = error.status === 404;
      const failed = (
        <ErrorState error={error} what={what} onRetry={gone ? undefined : () => void query.refetch?.()} />
      );
      return (
        <>
          <PageHeader title={what} />
          {gone && subject ? <WasRemoved subject={subject} otherwise={failed} /> : failed}
        </>
      );
    }}
  >
    {children}
  </DataView>
);

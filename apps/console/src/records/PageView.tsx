import type { ReactNode } from 'react';
import { DataView } from '../ui/DataView';
import { inSentence } from '../ui/in-sentence';
import { DetailSkeleton } from '../ui/Loading';
import type { QueryLike } from '../ui/query';
import { ErrorState } from '../ui/ErrorState';
import type { Removed } from './history/undoing';
import { WasRemoved } from './history/WasRemoved';
import { PageHeader } from '../ui/PageHeader';

interface PageViewProps<T> {
  query: QueryLike<T>;
  /** Name of the record shown, for titles and errors: "Server". */
  what: string;
  /** If given, a 404 looks in the history for the removal of this subject. */
  subject?: Removed;
  children: (data: T) => ReactNode;
}

/** A `DataView` for a whole page: if loading fails, it shows a page header and the error. */
export const PageView = <T,>({ query, what, subject, children }: PageViewProps<T>) => (
  <DataView
    query={query}
    what={what}
    loading={<DetailSkeleton label={`Loading ${inSentence(what)}`} />}
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

import type { ApiError } from '../app/http';
import { ErrorState } from './ErrorState';
import { PageHeader } from './PageHeader';

interface NotThereProps {
  error: ApiError;
  /** What the page would have shown: "Server". */
  what: string;
  onRetry: () => unknown;
}

/** A whole page that has nothing but the reason why it is empty. */
export const NotThere = ({ error, what, onRetry }: NotThereProps) => (
  <>
    <PageHeader title={what} />
    <ErrorState error={error} what={what} onRetry={error.status === 404 ? undefined : () => void onRetry()} />
  </>
);

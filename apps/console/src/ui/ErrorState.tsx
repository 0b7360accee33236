import { Button } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useEffect, type ReactNode } from 'react';
import type { ApiError } from '../core/http';
import { CopyText } from './CopyText';
import { AfterAWhile } from './Loading';
import styles from './States.module.css';

interface ErrorStateProps {
  error: ApiError;
  /** What failed: "Servers". */
  what: string;
  onRetry?: (() => void) | undefined;
  /** Shown above content that stays. */
  inline?: boolean;
  children?: ReactNode;
}

const advice = ({ status, retryAfterSeconds }: ApiError): string => {
  if (status === 'offline') return 'It is retried as soon as the connection is back.';
  if (status === 403) return 'An administrator of your workspace can give you access.';
  if (status === 404) return 'It may have been removed. The history shows by whom.';
  if (status === 429 || status === 503) return `Try again in ${retryAfterSeconds ?? 'a few'} seconds.`;
  return 'Try again. If the problem persists, give the id below to your administrator.';
};

/** Leaving the page aborts its calls, which Firefox reports as failed before the next page appears. */
const LEAVING_MS = 400;

/** Shows what failed, what to do, and the id to look up in the log. The rest of the page stays. */
export function ErrorState(props: ErrorStateProps) {
  const shown = <Shown {...props} />;
  return props.error.status === 'offline' ? <AfterAWhile ms={LEAVING_MS}>{shown}</AfterAWhile> : shown;
}

function Shown({ error, what, onRetry, inline = false, children }: ErrorStateProps) {
  useEffect(() => console.error('Data load failed', what, error), [error, what]);
  const title = error.status === 404 ? error.msg : `${what} could not be loaded`;
  return (
    <div className={styles.error} data-inline={inline || undefined} role="alert">
      <IconAlertCircle size={18} aria-hidden className={styles.errorIcon} />
      <div>
        <strong>{title}</strong>
        {error.status !== 404 && <p>{error.msg}</p>}
        <p className={styles.advice}>{advice(error)}</p>
        {error.correlationId && (
          <p className={styles.advice}>
            Correlation id <CopyText value={error.correlationId} />
          </p>
        )}
        {children}
        {onRetry && (
          <Button variant="default" mt={8} onClick={onRetry}>
            Try again
          </Button>
        )}
      </div>
    </div>
  );
}

import { Box, Button, Flex } from '@mantine/core';
import { IconAlertCircle, IconHistoryOff } from '@tabler/icons-react';
import { useEffect, type ReactNode } from 'react';
import type { ApiError } from '../core/http';
import { CopyText } from './CopyText';
import { EmptyState } from './EmptyState';
import { AfterAWhile } from './Loading';
import { Note } from './Note';
import { refusedInstant } from './refused-instant';
import look from './look.module.css';

interface ErrorStateProps {
  error: ApiError;
  /** What failed: "Servers". */
  what: string;
  onRetry?: (() => void) | undefined;
  /** Shown above content that stays. */
  inline?: boolean;
  children?: ReactNode;
}

const advice = ({ status, data, retryAfterSeconds }: ApiError): string => {
  if (status === 'offline') return 'It is retried as soon as the connection is back.';
  if (status === 400 && data) return 'Change the search, the filters or the address.';
  if (status === 403) return 'An administrator of your workspace can give you access.';
  if (status === 404) return 'It may have been removed. Administrators see in the history by whom.';
  if (status === 429 || status === 503) return `Try again in ${retryAfterSeconds ?? 'a few'} seconds.`;
  return 'Try again. If the problem persists, give the id below to your administrator.';
};

/** `server could not be found` as a sentence. */
const gone = (msg: string): string =>
  msg.replace(/^(?:this )?([\w -]+) could not be found$/i, 'This $1 does not exist (any more).');

/** Leaving the page aborts its calls, which Firefox reports as failed before the next page appears. */
const LEAVING_MS = 400;

/** Shows what failed, what to do, and the id to look up in the log. The rest of the page stays. */
export function ErrorState(props: ErrorStateProps) {
  const shown = <Shown {...props} />;
  return props.error.status === 'offline' ? <AfterAWhile ms={LEAVING_MS}>{shown}</AfterAWhile> : shown;
}

/** Neither an error nor something to try again: there is no such instant. */
const NotThen = ({ children }: { children: string }) => (
  <div role="alert">
    <EmptyState icon={IconHistoryOff} title="Nothing to show at this instant">
      {children} Choose another instant, or go back to now.
    </EmptyState>
  </div>
);

function Shown({ error, what, onRetry, inline = false, children }: ErrorStateProps) {
  useEffect(() => console.error('Data load failed', what, error), [error, what]);
  const noInstant = refusedInstant(error);
  if (noInstant !== undefined) return <NotThen>{noInstant}</NotThen>;
  const title = error.status === 404 ? gone(error.msg) : `${what} could not be loaded`;
  return (
    <Flex
      role="alert"
      gap={10}
      mb={inline ? 12 : 0}
      p="14px 16px"
      bg="var(--qd-bad-tint)"
      bd="1px solid var(--qd-bad-border)"
      bdrs="lg"
    >
      <IconAlertCircle size={18} aria-hidden color="var(--qd-bad)" style={{ flex: 'none' }} />
      <Box miw={0}>
        <strong>{title}</strong>
        {error.status !== 404 && (
          <Box component="p" className={look.wrap} m="2px 0 0">
            {error.msg}
          </Box>
        )}
        <Note mt={2}>{advice(error)}</Note>
        {error.correlationId && (
          <Note mt={2}>
            Correlation id <CopyText value={error.correlationId} />
          </Note>
        )}
        {children}
        {onRetry && (
          <Button variant="default" mt={8} onClick={onRetry}>
            Try again
          </Button>
        )}
      </Box>
    </Flex>
  );
}

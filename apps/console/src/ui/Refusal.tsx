/** What was asked for and refused, where it was asked. */
import { Alert } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ApiError } from '../core/http';
import { CopyText } from './CopyText';

interface RefusalProps {
  /** In words: "Nothing was done". */
  what: string;
  /** Absent: nothing was refused. */
  error: Pick<ApiError, 'msg' | 'data' | 'correlationId'> | undefined;
  onClose?: (() => void) | undefined;
  /** The way on. */
  children?: ReactNode;
}

export const Refusal = ({ what, error, onClose, children }: RefusalProps) =>
  error && (
    <Alert
      role="alert"
      color="red"
      variant="light"
      icon={<IconAlertCircle size={18} aria-hidden />}
      title={what}
      mb="md"
      withCloseButton={onClose !== undefined}
      closeButtonLabel="Dismiss"
      {...(onClose && { onClose })}
    >
      <div>{error.msg}</div>
      {Object.entries(error.data ?? {})
        .filter(([, message]) => message !== error.msg)
        .map(([name, message]) => (
          <div key={name}>
            {name}: {message}
          </div>
        ))}
      {error.correlationId && (
        <div>
          Correlation id <CopyText value={error.correlationId} />
        </div>
      )}
      {children}
    </Alert>
  );

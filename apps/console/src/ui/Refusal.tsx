/** Shows a refused command where it was given. */
import { Alert } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ApiError } from '../core/http';
import { CopyText } from './CopyText';
import { Holders } from './Holders';

interface RefusalProps {
  /** Title: "Nothing was done". */
  what: string;
  /** If absent, nothing is shown. */
  error: Pick<ApiError, 'msg' | 'data' | 'correlationId' | 'heldBy'> | undefined;
  onClose?: (() => void) | undefined;
  /** What to do next. */
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
      <Holders of={error.heldBy} />
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

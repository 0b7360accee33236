/** What went wrong with something that was asked of a server, where it was asked, and the way to where it is mended. */
import { Alert, Button, Group } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { DisabledInPast } from '../../core/past/in-past';
import type { ApiError } from '../../core/http';
import { CopyText } from '../../ui/CopyText';
import { remedyFor } from './server-words';

interface FailureProps {
  what: string;
  error: Pick<ApiError, 'msg' | 'code' | 'correlationId'>;
  /** The server's id. */
  server: string;
  onRetry?: () => void;
  retrying?: boolean;
  onClose?: () => void;
  /** Where it can be seen what stood in the way; default: by the code of the failure. */
  seeAlso?: { label: string; to: string } | undefined;
}

export const Failure = ({ what, error, server, onRetry, retrying, onClose, seeAlso }: FailureProps) => {
  const remedy = seeAlso ?? remedyFor(error.code, server);
  return (
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
      {error.correlationId && (
        <div>
          Correlation id <CopyText value={error.correlationId} />
        </div>
      )}
      {(onRetry || remedy) && (
        <Group mt="xs" gap="sm">
          {onRetry && (
            <DisabledInPast>
              <Button variant="default" size="compact-sm" loading={retrying} onClick={onRetry}>
                Retry
              </Button>
            </DisabledInPast>
          )}
          {remedy && <Link to={remedy.to}>{remedy.label}</Link>}
        </Group>
      )}
    </Alert>
  );
};

/** Error of a server action, with Retry and a link to the page where the cause can be fixed. */
import { Button, Group } from '@mantine/core';
import { Link } from 'react-router';
import { DisabledInPast } from '../../core/as-of/in-past';
import type { ApiError } from '../../core/http';
import { remedyOf } from '../../records/runs';
import { Refusal } from '../../ui/Refusal';

interface FailureProps {
  what: string;
  error: Pick<ApiError, 'msg' | 'code' | 'correlationId' | 'heldBy'>;
  /** The server's id. */
  server: string;
  onRetry?: () => void;
  retrying?: boolean;
  onClose?: () => void;
  /** Link to what blocked the action; by default chosen by the error code. */
  seeAlso?: { label: string; to: string } | undefined;
}

export const Failure = ({ what, error, server, onRetry, retrying, onClose, seeAlso }: FailureProps) => {
  const remedy = seeAlso ?? remedyOf(error.code, server)?.link;
  return (
    <Refusal what={what} error={error} onClose={onClose}>
      {(onRetry || remedy) && (
        <Group mt="xs" gap="sm">
          {onRetry && (
            <DisabledInPast>
              <Button variant="default" loading={retrying} onClick={onRetry}>
                Retry
              </Button>
            </DisabledInPast>
          )}
          {remedy && <Link to={remedy.to}>{remedy.label}</Link>}
        </Group>
      )}
    </Refusal>
  );
};

/** Cancels a deploy that is waiting or running. */
import { Button } from '@mantine/core';
import { runs } from '@quarterdeck/contract';
import { useChange } from '../../core/calls';
import { toApiError, type ApiError } from '../../core/http';
import { DisabledInPast } from '../../core/past/in-past';
import { confirmAction } from '../../ui/confirm';
import type { Release } from '../../records/verdicts';

interface CancelButtonProps {
  release: Release;
  /** Called with `undefined` when a new attempt starts, to clear the last error. */
  onRefused: (error: ApiError | undefined) => void;
}

export const CancelButton = ({ release, onRefused }: CancelButtonProps) => {
  const [cancel, { isLoading }] = useChange(runs.cancel);
  const carryOut = async (): Promise<void> => {
    const confirmed = await confirmAction({
      title: `Cancel the deploy of ${release.package.version}?`,
      body:
        release.run === 'requested'
          ? 'It has not begun, and changed nothing on the server.'
          : 'The current version keeps serving, unless the new one has already taken over.',
      confirmLabel: 'Cancel the deploy',
      dismissLabel: 'Keep it',
      danger: true,
    });
    if (!confirmed) return;
    onRefused(undefined);
    const { error } = await cancel({ id: release.id });
    if (error) onRefused(toApiError(error));
  };
  return (
    <DisabledInPast>
      <Button variant="default" loading={isLoading} onClick={() => void carryOut()}>
        Cancel
      </Button>
    </DisabledInPast>
  );
};

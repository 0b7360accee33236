/** Cancels a deploy that is waiting or running. */
import { Button } from '@mantine/core';
import { runs } from '@quarterdeck/contract';
import { useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import type { Act } from '../../ui/use-action';
import type { Release } from '../../records/verdicts';
import { NOTHING_DONE } from './DeployQuestion';

interface CancelButtonProps {
  release: Release;
  act: Act;
}

export const CancelButton = ({ release, act }: CancelButtonProps) => {
  const [cancel, { isLoading }] = useChange(runs.cancel);
  const carryOut = () =>
    act({
      ask: {
        title: `Cancel the deploy of ${release.package.version}?`,
        body:
          release.run === 'requested'
            ? 'It has not begun, and changed nothing on the server.'
            : 'The current version keeps serving, unless the new one has already taken over.',
        confirmLabel: 'Cancel the deploy',
        dismissLabel: 'Keep it',
        danger: true,
      },
      send: () => cancel({ id: release.id }).unwrap(),
      failed: NOTHING_DONE,
    });
  return (
    <DisabledInPast>
      <Button variant="default" loading={isLoading} onClick={() => void carryOut()}>
        Cancel
      </Button>
    </DisabledInPast>
  );
};

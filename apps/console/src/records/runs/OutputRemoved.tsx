/** Old output may have been removed. Shown in its place, with the time of the removal. */
import { Alert } from '@mantine/core';
import type { RunView } from '@quarterdeck/projections';
import { RelativeTime } from '../../ui/RelativeTime';

export const OutputRemoved = ({ run: { outputRemoved } }: { run: Pick<RunView, 'outputRemoved'> }) => {
  if (!outputRemoved) return null;
  const { at, days, bytes } = outputRemoved;
  return (
    <Alert color="gray" variant="light" role="status" mb="md" title="The output was removed">
      The output, {bytes.toLocaleString('en')} bytes, was removed <RelativeTime at={at} />: this workspace
      kept it for {days === 1 ? '1 day' : `${days} days`}. The history keeps the size and SHA-256 of each
      step.
    </Alert>
  );
};

/** Who cancelled a run, or why it was interrupted. */
import { Alert } from '@mantine/core';
import type { RunView } from '@quarterdeck/projections';
import { Actor } from '../actor';
import { RelativeTime } from '../../ui/RelativeTime';

/** Recorded when nothing else was the reason; who it was is said in the title. */
const ASKED = /^as an operator asked(?:; )?/;

export const WhyEnded = ({ run, reason }: { run: RunView; reason: string }) => {
  const { state, cancelRequested: asked } = run;
  if (state !== 'cancelled' || !asked)
    return (
      <Alert color="yellow" variant="light" title={`The run was ${state}`} mb="md">
        {reason}
      </Alert>
    );
  const more = reason.replace(ASKED, '');
  return (
    <Alert
      color="gray"
      variant="light"
      mb="md"
      title={
        <>
          Cancelled by <Actor id={asked.by} />
        </>
      }
    >
      Requested <RelativeTime at={asked.at} />
      {more === '' ? '.' : `; ${more}.`}
    </Alert>
  );
};

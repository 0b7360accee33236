/** Says who cancelled a run, or why it did not succeed. */
import { Alert } from '@mantine/core';
import { reasonBesideAsking } from '@quarterdeck/events';
import type { RunView } from '@quarterdeck/projections';
import { Actor } from '../actor';
import { RelativeTime } from '../../ui/RelativeTime';

const CancelledBy = ({ by }: { by: string }) => (
  <>
    Cancelled by <Actor id={by} inSentence />
  </>
);

/** The short form for a list. */
export const WhyEndedInLine = ({
  run: { state, cancelRequested: asked, reason = '' },
}: {
  run: Pick<RunView, 'state' | 'cancelRequested' | 'reason'>;
}) => {
  const more = reasonBesideAsking(reason);
  if (state !== 'cancelled' || !asked) return more;
  return (
    <>
      <CancelledBy by={asked.by} />
      {more !== '' && `; ${more}`}
    </>
  );
};

export const WhyEnded = ({ run, reason }: { run: RunView; reason: string }) => {
  const { state, cancelRequested: asked } = run;
  if (state !== 'cancelled' || !asked)
    return (
      <Alert color="yellow" variant="light" title={`The run was ${state}`} mb="md">
        {reason}
      </Alert>
    );
  const more = reasonBesideAsking(reason);
  return (
    <Alert color="gray" variant="light" mb="md" title={<CancelledBy by={asked.by} />}>
      Requested <RelativeTime at={asked.at} />
      {more === '' ? '.' : `; ${more}.`}
    </Alert>
  );
};

import { doneOf, progressWords, type Progress } from './host-state';
import { Box } from '@mantine/core';
import { Note } from '../../ui/Note';
import { Meter } from '../../ui/Meter';

/** Progress bar with one segment for each outcome, and the same as text. */
export const FleetProgress = ({ progress, live }: { progress: Progress; live: boolean }) => {
  const { all, succeeded, failed, cancelled, underWay } = progress;
  const parts = (
    [
      ['good', succeeded],
      ['bad', failed],
      ['quiet', cancelled],
      ['info', underWay],
    ] as const
  )
    .filter(([, count]) => count > 0)
    .map(([tone, count]) => ({ tone, share: count / all }));
  return (
    <Box m="4px 0 16px">
      <Meter
        parts={parts}
        role="progressbar"
        aria-label="Servers done"
        aria-valuemin={0}
        aria-valuemax={all}
        aria-valuenow={doneOf(progress)}
        aria-valuetext={progressWords(progress)}
      />
      <Note mt={6} role={live ? 'status' : undefined}>
        {progressWords(progress)}
      </Note>
    </Box>
  );
};

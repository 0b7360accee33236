/** The read-model maintenance in progress, or else how the last one ended. */
import { Box, Button } from '@mantine/core';
import type { ReadModelsView } from '@quarterdeck/projections';
import { RelativeTime } from '../../ui/RelativeTime';
import { progressInWords, workInWords } from './superadmin-words';
import { Note } from '../../ui/Note';
import { Card } from '../../ui/Card';
import { Meter } from '../../ui/Meter';

interface MaintenancePanelProps {
  view: Pick<ReadModelsView, 'current' | 'progress' | 'last'>;
  onCancel: (maintenance: string) => void;
}

const titleOf = ({ current, progress }: MaintenancePanelProps['view']): string => {
  if (current) return workInWords(current);
  const [only, ...more] = progress?.projections ?? [];
  const readModel = only !== undefined && more.length === 0 ? only : 'all';
  return `${workInWords({ kind: progress?.kind ?? 'rebuild', readModel })} after an update`;
};

const noteOf = ({ current, progress }: MaintenancePanelProps['view']): string => {
  if (current?.cancelRequested)
    return 'Cancel requested. It takes effect when the process has stopped its work.';
  if (!progress) return 'Requested. It begins as soon as the leading process is notified.';
  if (current && current.attempts > 1)
    return `Attempt ${current.attempts}: an earlier process ended during the work.`;
  return progress.kind === 'rebuild'
    ? 'The current read models stay in use meanwhile.'
    : 'The console keeps working meanwhile.';
};

export const MaintenancePanel = ({ view, onCancel }: MaintenancePanelProps) => {
  const { current, progress, last } = view;
  if (!current && !progress)
    return (
      <Note maw="80ch" mb={12}>
        {last ? (
          <>
            Last maintenance, <RelativeTime at={last.at} />: {last.says}.
          </>
        ) : (
          'No read model was rebuilt or verified by hand yet.'
        )}
      </Note>
    );
  const words = progress ? progressInWords(progress) : 'not begun';
  const title = titleOf(view);
  return (
    <Card
      p="14px 16px"
      mb={12}
      aria-label={title}
      title={title}
      actions={
        current && (
          <Button
            variant="default"
            disabled={current.cancelRequested}
            onClick={() => onCancel(current.maintenance)}
          >
            {current.cancelRequested ? 'Cancel requested' : 'Cancel'}
          </Button>
        )
      }
    >
      <Meter
        parts={[{ tone: 'info', share: progress?.share ?? 0 }]}
        role="progressbar"
        aria-label={title}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.floor((progress?.share ?? 0) * 100)}
        aria-valuetext={words}
      />
      <Box component="p" m="6px 0">
        {words}
      </Box>
      <Note>{noteOf(view)}</Note>
    </Card>
  );
};

import { Button } from '@mantine/core';
import { IconParking } from '@tabler/icons-react';
import type { ParkedStream } from '@quarterdeck/projections';
import { useState } from 'react';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { RelativeTime } from '../../ui/RelativeTime';
import classes from './superadmin.module.css';

const columns: readonly Column<ParkedStream>[] = [
  { id: 'stream', header: 'Stream', value: ({ stream }) => stream, mono: true, copy: true, priority: 1 },
  { id: 'projection', header: 'Read model', value: ({ projection }) => projection, priority: 2 },
  {
    id: 'event',
    header: 'Event',
    value: ({ type, position, skipped }) =>
      `${type} at ${position}${skipped > 0 ? `, ${skipped} more wait behind it` : ''}`,
  },
  {
    id: 'error',
    header: 'Why',
    value: ({ error }) => error,
    cell: ({ error }) => <span className={classes.error}>{error}</span>,
    priority: 3,
  },
  { id: 'attempts', header: 'Attempts', value: ({ attempts }) => attempts, align: 'right' },
  {
    id: 'parkedAt',
    header: 'Since',
    value: ({ parkedAt }) => parkedAt,
    cell: ({ parkedAt }) => <RelativeTime at={parkedAt} />,
  },
];

interface ParkedStreamsProps {
  streams: readonly ParkedStream[];
  onRetry: (stream: ParkedStream) => Promise<unknown>;
}

export const ParkedStreams = ({ streams, onRetry }: ParkedStreamsProps) => (
  <section aria-labelledby="parked">
    <h2 id="parked">Parked streams</h2>
    <p className={classes.hint}>
      A read model that cannot process an event sets its stream aside and continues with all others. Retry
      once the cause is fixed.
    </p>
    <DataTable
      label="Parked streams"
      rows={streams}
      columns={columns}
      rowKey={({ projection, stream }) => `${projection} ${stream}`}
      urlKey="parked"
      actions={(stream) => <RetryButton stream={stream} onRetry={onRetry} />}
      empty={
        <EmptyState title="No stream is parked" icon={IconParking}>
          Every read model has every event.
        </EmptyState>
      }
    />
  </section>
);

const RetryButton = ({ stream, onRetry }: { stream: ParkedStream } & Pick<ParkedStreamsProps, 'onRetry'>) => {
  const [busy, setBusy] = useState(false);
  return (
    <Button
      variant="default"
      loading={busy}
      aria-label={`Retry ${stream.stream} in ${stream.projection}`}
      onClick={() => {
        setBusy(true);
        void onRetry(stream).finally(() => setBusy(false));
      }}
    >
      Retry
    </Button>
  );
};

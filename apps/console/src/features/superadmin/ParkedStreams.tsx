import { Box, Button } from '@mantine/core';
import { IconParking } from '@tabler/icons-react';
import type { ParkedStream } from '@quarterdeck/projections';
import { useState } from 'react';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { RelativeTime } from '../../ui/RelativeTime';
import look from '../../ui/look.module.css';
import { Note } from '../../ui/Note';
import { Section } from '../../ui/Card';

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
    cell: ({ error }) => (
      <Box component="span" className={look.wrap} display="block" maw="32ch">
        {error}
      </Box>
    ),
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
  <Section title="Parked streams">
    <Note maw="80ch" mb={12}>
      A read model that cannot process an event sets its stream aside and continues with all others. Retry
      once the cause is fixed.
    </Note>
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
  </Section>
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

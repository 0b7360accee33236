/** A row for each server: state, duration, exit code and last line of output. */
import { Box, Switch } from '@mantine/core';
import { IconHourglass, IconPlayerSkipForward } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { reasonBesideAsking } from '@quarterdeck/events';
import { paths } from '../../core/paths';
import { DataTable, type Column } from '../../ui/DataTable';
import { Elapsed, exitCodeOf, tookMs, waitsInFewWords } from '../../records/runs';
import { withParams } from '../../ui/params';
import { StateBadge } from '../../ui/StateBadge';
import { failuresFirst, stateWords, type HostRow } from './host-state';

const HostState = ({ state }: { state: HostRow['state'] }) => {
  if (state === 'waiting')
    return <StateBadge state="waiting" tone="quiet" icon={IconHourglass} label={stateWords.waiting} />;
  if (state === 'notStarted')
    return (
      <StateBadge state="notStarted" tone="bad" icon={IconPlayerSkipForward} label={stateWords.notStarted} />
    );
  return <StateBadge state={state} label={stateWords[state]} />;
};

/** Last line of output; without one, the reason why the run did not start or how it ended. */
const lastWords = ({ lastLine, notStarted, run }: HostRow): string | undefined =>
  lastLine ?? notStarted ?? (run && waitsInFewWords(run)) ?? (run?.reason && reasonBesideAsking(run.reason));

const columns: readonly Column<HostRow>[] = [
  { id: 'server', header: 'Server', value: ({ server }) => server.name, filter: 'text', priority: 1 },
  {
    id: 'state',
    header: 'State',
    value: ({ state }) => stateWords[state],
    cell: ({ state }) => <HostState state={state} />,
    filter: 'category',
    priority: 2,
    width: '1%',
  },
  {
    id: 'duration',
    header: 'Duration',
    value: ({ run }) => run && tookMs(run),
    cell: ({ run }) => run && <Elapsed since={run.startedAt ?? run.requestedAt} ms={tookMs(run)} />,
    align: 'right',
    width: '1%',
  },
  {
    id: 'exit',
    header: 'Exit code',
    value: ({ run }) => run && exitCodeOf(run),
    filter: 'number',
    align: 'right',
    width: '1%',
  },
  {
    id: 'last',
    header: 'Last line',
    value: lastWords,
    cell: (row) => (
      <Box component="span" ff="monospace" fz="0.925em">
        {lastWords(row)}
      </Box>
    ),
    filter: 'text',
    priority: 3,
  },
];

const rowKey = ({ server }: HostRow): string => server.id;
const hrefOf = ({ run }: HostRow): string | undefined => run && paths.run(run.id);

export const HostGrid = ({ rows }: { rows: readonly HostRow[] }) => {
  const navigate = useNavigate();
  const [params, setParams] = useSearchParams();
  const failures = params.get('first') === 'failures';
  const putFirst = (wanted: boolean): void =>
    setParams((before) => withParams(before, { first: wanted ? 'failures' : undefined }), {
      preventScrollReset: true,
      replace: true,
    });
  const shown = useMemo(() => (failures ? failuresFirst(rows) : rows), [failures, rows]);
  return (
    <DataTable
      label="Servers of this run"
      rows={shown}
      columns={columns}
      rowKey={rowKey}
      href={hrefOf}
      onOpen={(row) => row.run && void navigate(paths.run(row.run.id))}
      pageSize={500}
      searchable
      tools={
        <Switch
          ml="auto"
          size="sm"
          label="Failures first"
          checked={failures}
          onChange={(event) => putFirst(event.currentTarget.checked)}
        />
      }
    />
  );
};

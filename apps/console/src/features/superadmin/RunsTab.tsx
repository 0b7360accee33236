import { Button, Select } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import type { RunState as State, RunSummary } from '@quarterdeck/projections';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { nameOfActor } from '../../records/actor';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { withParams } from '../../ui/params';
import { RelativeTime } from '../../ui/RelativeTime';
import { useTableAddress } from '../../ui/table/table-address';
import { useCursorPages } from '../../ui/table/use-cursor-pages';
import { Elapsed, withSearch } from '../../records/runs';
import { StateBadge } from '../../ui/StateBadge';
import { useAllRunsInfiniteQuery } from './superadmin.endpoints';

const LOOK_MS = 5_000;

const states: readonly State[] = ['requested', 'running', 'succeeded', 'failed', 'interrupted', 'cancelled'];

const tookMs = ({ startedAt, endedAt }: RunSummary): number | undefined =>
  startedAt && endedAt ? Date.parse(endedAt) - Date.parse(startedAt) : undefined;

const inOrder: readonly Column<RunSummary>[] = [
  { id: 'run', header: 'Run', value: ({ label }) => label, priority: 1 },
  { id: 'on', header: 'On', value: ({ subject }) => subject, priority: 3 },
  { id: 'workspace', header: 'Workspace', value: ({ workspace }) => workspace.name },
  {
    id: 'state',
    header: 'State',
    value: ({ state }) => state,
    cell: ({ state }) => <StateBadge state={state} />,
    priority: 2,
  },
  { id: 'by', header: 'By', value: ({ requestedBy }) => nameOfActor(requestedBy) },
  {
    id: 'requested',
    header: 'Requested',
    value: ({ requestedAt }) => requestedAt,
    cell: ({ requestedAt }) => <RelativeTime at={requestedAt} />,
  },
  {
    id: 'duration',
    header: 'Duration',
    value: tookMs,
    cell: (run) => <Elapsed since={run.startedAt} ms={tookMs(run)} />,
    align: 'right',
  },
];

/** The back end returns runs in a fixed order. */
const columns = inOrder.map((column) => ({ ...column, sortable: false }));

export const RunsTab = () => {
  const [params, setParams] = useSearchParams();
  const state = states.find((one) => one === params.get('state'));
  const { search } = useTableAddress();
  const filter = useMemo(() => withSearch(state === undefined ? {} : { state }, search), [state, search]);
  const query = useAllRunsInfiniteQuery(filter, { pollingInterval: LOOK_MS });
  const rows = useMemo(() => query.data?.pages.flatMap(({ runs }) => runs), [query.data]);
  const choose = (wanted: string | null): void =>
    setParams((before) => withParams(before, { state: wanted ?? undefined, page: undefined }), {
      preventScrollReset: true,
    });
  return (
    <DataTable
      label="Runs"
      {...useCursorPages(rows, query)}
      columns={columns}
      rowKey={({ id }) => id}
      tools={
        <Select
          aria-label="State"
          placeholder="Any state"
          data={[...states]}
          value={state ?? null}
          onChange={choose}
          clearable
          clearButtonProps={{ 'aria-label': 'Any state' }}
          size="xs"
          w={160}
        />
      }
      empty={
        <EmptyState
          title={state === undefined ? 'No runs yet' : `No ${state} runs`}
          icon={IconPlayerPlay}
          action={
            state !== undefined && (
              <Button variant="default" onClick={() => choose(null)}>
                Show runs of any state
              </Button>
            )
          }
        >
          The runs of all workspaces will appear here. Their output is shown only in their own workspace.
        </EmptyState>
      }
    />
  );
};

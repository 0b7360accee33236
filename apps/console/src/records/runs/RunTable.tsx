/** Runs, newest first, live; older ones when asked. */
import { Button, Group } from '@mantine/core';
import { IconBan, IconRefresh } from '@tabler/icons-react';
import { runReason, runVerdict, type RunView } from '@quarterdeck/projections';
import { useMemo, type ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { toApiError } from '../../core/http';
import { paths } from '../../core/paths';
import { useActorName } from '../actor';
import { DataTable, type Column } from '../../ui/DataTable';
import { ActionMenu, type Action } from '../../ui/DetailPage';
import { RelativeTime } from '../../ui/RelativeTime';
import { useTableAddress } from '../../ui/table/table-address';
import { Elapsed } from './Elapsed';
import { useRunsInfiniteQuery, type RunFilter } from './run.endpoints';
import { canCancel, canRetry, kindInWords, runTitle, tookMs } from './run-words';
import { RunState } from './RunState';
import classes from './RunTable.module.css';
import { ActionFailure, useRunActions } from './use-run-actions';

interface RunTableProps {
  filter: RunFilter;
  label: string;
  empty: ReactNode;
  /** What they have in common, and what is therefore not told of each: their subject, or that they are parts of one run. */
  of?: 'subject' | 'run';
  urlKey?: string;
  /** Filters within what is loaded; left out where the server filters. */
  withFilters?: boolean;
}

/** Where it is seen best: many servers have a grid of their own. */
const pageOf = ({ kind, id }: RunView): string => (kind === 'fleet' ? paths.fleetRun(id) : paths.run(id));

const sameForAll = { subject: ['subject'], run: ['run', 'kind', 'by', 'requested'] };

const Reason = ({ run }: { run: RunView }) => {
  const reason = runReason(run);
  return reason === undefined ? null : (
    <span className={classes.reason} title={reason}>
      {reason}
    </span>
  );
};

export const RunTable = ({ filter, label, empty, of, urlKey, withFilters = true }: RunTableProps) => {
  const navigate = useNavigate();
  const nameOf = useActorName();
  const { cancel, retry, busy, failure, dismiss } = useRunActions();
  const query = useRunsInfiniteQuery(filter);
  const { search, filters } = useTableAddress(urlKey);
  /** The table looks only through what is loaded. */
  const narrowed = search !== '' || filters.length > 0;
  const rows = useMemo(() => query.currentData?.pages.flatMap((page) => page.runs), [query.currentData]);
  const columns = useMemo((): Column<RunView>[] => {
    const all: Column<RunView>[] = [
      { id: 'run', header: 'Run', value: (run) => run.label, filter: 'category', priority: 1 },
      { id: 'kind', header: 'Kind', value: (run) => kindInWords(run.kind), filter: 'category' },
      {
        id: 'subject',
        header: 'On',
        value: (run) => run.subject.name,
        filter: 'text',
        priority: of === 'run' ? 1 : 3,
      },
      {
        id: 'state',
        header: 'State',
        value: (run) => runVerdict(run).label,
        cell: (run) => (
          <div className={classes.state}>
            <RunState run={run} />
            <Reason run={run} />
          </div>
        ),
        priority: 2,
      },
      { id: 'by', header: 'By', value: (run) => nameOf(run.requestedBy), filter: 'category' },
      {
        id: 'requested',
        header: 'Requested',
        value: (run) => run.requestedAt,
        cell: (run) => <RelativeTime at={run.requestedAt} />,
      },
      {
        id: 'duration',
        header: 'Duration',
        value: (run) => run.durationMs,
        cell: (run) => <Elapsed since={run.startedAt} ms={tookMs(run)} />,
        align: 'right',
      },
    ];
    return all
      .filter(({ id }) => of === undefined || !sameForAll[of].includes(id))
      .map(({ filter, ...column }) => (withFilters && filter ? { ...column, filter } : column));
  }, [nameOf, of, withFilters]);

  return (
    <>
      <ActionFailure failure={failure} onClose={dismiss} />
      <DataTable
        label={label}
        rows={rows}
        columns={columns}
        rowKey={(run) => run.id}
        href={pageOf}
        onOpen={(run) => void navigate(pageOf(run))}
        error={query.error === undefined ? undefined : toApiError(query.error)}
        onRetry={() => void query.refetch()}
        empty={empty}
        searchable
        actions={(run) => {
          const actions: Action[] = [
            ...(canRetry(run)
              ? [{ label: 'Retry', icon: <IconRefresh size={15} />, onClick: () => void retry(run) }]
              : []),
            ...(canCancel(run)
              ? [
                  {
                    label: 'Cancel run',
                    icon: <IconBan size={15} />,
                    danger: true,
                    onClick: () => void cancel(run),
                  },
                ]
              : []),
          ];
          return (
            actions.length > 0 &&
            busy !== run.id && <ActionMenu actions={actions} label={`Actions of ${runTitle(run)}`} />
          );
        }}
        {...(urlKey && { urlKey })}
      />
      {query.hasNextPage && (
        <Group gap="sm" mt="sm">
          {narrowed && <span role="status">Searched so far: the newest {rows?.length}.</span>}
          <Button
            variant="default"
            size="compact-sm"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {narrowed ? 'Search older runs' : 'Load older runs'}
          </Button>
        </Group>
      )}
    </>
  );
};

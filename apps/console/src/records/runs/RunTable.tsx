/** Runs, newest first, live; searched and paged by the back end. */
import { IconBan, IconRefresh } from '@tabler/icons-react';
import { runReason, runVerdict, type RunView } from '@quarterdeck/projections';
import { useMemo, type ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../core/paths';
import { useActorName } from '../actor';
import { DataTable, type Column } from '../../ui/DataTable';
import { ActionMenu, type Action } from '../../ui/DetailPage';
import { RelativeTime } from '../../ui/RelativeTime';
import { useTableAddress } from '../../ui/table/table-address';
import { useCursorPages } from '../../ui/table/use-cursor-pages';
import { Elapsed } from './Elapsed';
import { useRunsInfiniteQuery, withSearch, type RunFilter } from './run.endpoints';
import { canCancel, canRetry, kindInWords, runTitle, tookMs, waitsInFewWords } from './run-words';
import { RunState } from './RunState';
import classes from './RunTable.module.css';
import { ActionFailure, useRunActions } from './use-run-actions';
import { Dim } from '../../ui/Note';
import look from '../../ui/look.module.css';

interface RunTableProps {
  filter: RunFilter;
  label: string;
  empty: ReactNode;
  tools?: ReactNode;
  /** What the runs have in common: their subject, or the run that they are parts of. Hides the redundant columns. */
  of?: 'subject' | 'run';
  urlKey?: string;
}

/** Runs on many servers have a different page. */
const pageOf = ({ kind, id }: RunView): string => (kind === 'fleet' ? paths.fleetRun(id) : paths.run(id));

const sameForAll = { subject: ['subject'], run: ['run', 'kind', 'by', 'requested'] };

const Reason = ({ run }: { run: RunView }) => {
  const reason = waitsInFewWords(run) ?? runReason(run);
  return reason === undefined ? null : (
    <Dim className={look.cut} miw={0} maw="100%" fz={12} title={reason}>
      {reason}
    </Dim>
  );
};

export const RunTable = ({ filter, label, empty, tools, of, urlKey }: RunTableProps) => {
  const navigate = useNavigate();
  const nameOf = useActorName();
  const { cancel, retry, busy, failure, dismiss } = useRunActions();
  const { search } = useTableAddress(urlKey);
  const query = useRunsInfiniteQuery(useMemo(() => withSearch(filter, search), [filter, search]));
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.runs), [query.data]);
  const columns = useMemo((): Column<RunView>[] => {
    const all: Column<RunView>[] = [
      { id: 'run', header: 'Run', value: (run) => run.label, priority: 1 },
      { id: 'kind', header: 'Kind', value: (run) => kindInWords(run.kind) },
      {
        id: 'subject',
        header: 'On',
        value: (run) => run.subject.name,
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
      { id: 'by', header: 'By', value: (run) => nameOf(run.requestedBy) },
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
      .map((column) => ({ ...column, sortable: false }));
  }, [nameOf, of]);

  return (
    <>
      <ActionFailure failure={failure} onClose={dismiss} />
      <DataTable
        label={label}
        {...useCursorPages(rows, query, urlKey)}
        columns={columns}
        rowKey={(run) => run.id}
        href={pageOf}
        onOpen={(run) => void navigate(pageOf(run))}
        empty={empty}
        tools={tools}
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
      />
    </>
  );
};

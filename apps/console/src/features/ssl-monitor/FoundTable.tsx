/** The results of a run for each domain, and the state of its renewal. */
import { ssl } from '@quarterdeck/contract';
import {
  columnsById,
  foundWords,
  renewalWords,
  type SslCheck,
  sslColumns,
  type SslCounters,
} from '@quarterdeck/projections';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router';
import { paths } from '../../core/paths';
import { DataTable, type Column } from '../../ui/DataTable';
import { DaysBar } from '../../ui/DaysBar';
import { EmptyState } from '../../ui/EmptyState';
import { StateBadge } from '../../ui/StateBadge';
import { useListPage } from '../../ui/table/use-list-page';
import { Found } from './Found';
import { toneIcons } from './phase-icons';

const Renewal = ({ of }: { of: SslCheck['renewal'] }) => {
  if (!of) return null;
  const { label, tone } = renewalWords[of.is];
  return (
    <>
      <StateBadge state={label} tone={tone} icon={toneIcons[tone]} />{' '}
      {of.run !== undefined && <Link to={paths.run(of.run)}>Open run</Link>}
    </>
  );
};

const { domain, days, state, renewal } = columnsById(sslColumns);

const columns: Column<SslCheck>[] = [
  { ...domain, header: 'Domain', mono: true, priority: 1 },
  {
    ...days,
    header: 'Days left',
    cell: ({ found }) =>
      found?.daysRemaining !== undefined && (
        <DaysBar days={found.daysRemaining} tone={foundWords({ found }).tone} />
      ),
    align: 'right',
    width: '1%',
    priority: 3,
  },
  { ...state, header: 'State', cell: (check) => <Found check={check} />, priority: 2 },
  { ...renewal, header: 'Renewal', cell: (check) => <Renewal of={check.renewal} /> },
];

interface FoundTableProps {
  run: string;
  /** Counters of a run that may still be going on; when they grow, the table is fetched again. */
  counters?: SslCounters;
  urlKey: string;
}

export const FoundTable = ({ run, counters, urlKey }: FoundTableProps) => {
  const within = useMemo(() => ({ id: run }), [run]);
  const { table, isFetching } = useListPage(ssl.checksPage, { within, urlKey });
  useRefetchWhileGrowing(counters, isFetching, table.query.refetch);
  return (
    <DataTable
      label="Domains of the run"
      {...table}
      columns={columns}
      rowKey={(check) => check.domain}
      href={(check) => paths.domain(check.domain, 'certificate')}
      searchable
      empty={
        <EmptyState title="No domains">
          The run found none, or its results are no longer kept. The activity log is still available.
        </EmptyState>
      }
    />
  );
};

/** A run checks many domains per second. */
const AT_MOST_EVERY_MS = 1000;

/** Refetches while the counters of a run grow. */
const useRefetchWhileGrowing = (
  counters: SslCounters | undefined,
  isFetching: boolean,
  refetch: () => void,
): void => {
  const now = counters ? counters.total + counters.checked + counters.renewed + counters.failed : 0;
  const latest = useRef({ now, refetch });
  useEffect(() => {
    latest.current = { now, refetch };
  }, [now, refetch]);
  const [asked, setAsked] = useState(now);
  const behind = asked !== now;
  // Further growth does not postpone a refetch that is already due.
  useEffect(() => {
    if (!behind || isFetching) return undefined;
    const timer = setTimeout(() => {
      setAsked(latest.current.now);
      latest.current.refetch();
    }, AT_MOST_EVERY_MS);
    return () => clearTimeout(timer);
  }, [behind, isFetching]);
};

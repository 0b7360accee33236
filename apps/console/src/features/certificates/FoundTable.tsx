/** What a run found, domain by domain, and what became of renewals. */
import type { SslCheck, SslCounters } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { toApiError } from '../../core/http';
import { paths } from '../../core/paths';
import { DataTable, type Column } from '../../ui/DataTable';
import { DaysBar } from '../../ui/DaysBar';
import { EmptyState } from '../../ui/EmptyState';
import { StateBadge } from '../../ui/StateBadge';
import { Found } from './Found';
import { foundWords, renewalWords } from './monitor-words';
import { toneIcons } from './phase-icons';
import { useChecks } from './use-checks';

const Renewal = ({ renewal }: Pick<SslCheck, 'renewal'>) => {
  if (!renewal) return null;
  const { label, tone } = renewalWords[renewal.is];
  return (
    <>
      <StateBadge state={label} tone={tone} icon={toneIcons[tone]} />{' '}
      {renewal.run !== undefined && <Link to={paths.run(renewal.run)}>Open run</Link>}
    </>
  );
};

const columns: Column<SslCheck>[] = [
  {
    id: 'domain',
    header: 'Domain',
    value: ({ serverName }) => serverName,
    mono: true,
    priority: 1,
  },
  {
    id: 'days',
    header: 'Days left',
    value: ({ found }) => found?.daysRemaining,
    cell: ({ found }) =>
      found?.daysRemaining !== undefined && (
        // By what the workspace counted as expiring when it was looked at.
        <DaysBar days={found.daysRemaining} expiring={found.label === 'expiring'} />
      ),
    filter: 'number',
    align: 'right',
    width: '1%',
    priority: 3,
  },
  {
    id: 'state',
    header: 'State',
    value: (check) => foundWords(check).label,
    cell: (check) => <Found check={check} />,
    filter: 'category',
    priority: 2,
  },
  {
    id: 'renewal',
    header: 'Renewal',
    value: ({ renewal }) => renewal && renewalWords[renewal.is].label,
    cell: ({ renewal }) => <Renewal renewal={renewal} />,
    filter: 'category',
  },
];

interface FoundTableProps {
  run: string;
  /** Of a run that may go on: when they grow, there is more to see. */
  counters?: SslCounters;
  urlKey: string;
}

export const FoundTable = ({ run, counters, urlKey }: FoundTableProps) => {
  const { rows, error, refetch } = useChecks(run, counters);
  return (
    <DataTable
      label="Domains of the run"
      rows={rows}
      columns={columns}
      rowKey={({ domain }) => domain}
      href={({ domain }) => paths.domain(domain, 'certificate')}
      error={error === undefined ? undefined : toApiError(error)}
      onRetry={refetch}
      searchable
      urlKey={urlKey}
      empty={
        <EmptyState title="No domains">
          The run found none, or its results are no longer kept. The activity log is still available.
        </EmptyState>
      }
    />
  );
};

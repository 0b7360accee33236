/** All domains of the workspace: where they point, what is applied for them, how long their certificates hold. */
import { Button } from '@mantine/core';
import { domains as domainCalls } from '@quarterdeck/contract';
import { IconPlus, IconWorld } from '@tabler/icons-react';
import type { AsOf, DomainRow } from '@quarterdeck/projections';
import { useMemo, type ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { useAnswer } from '../../core/calls';
import { toApiError } from '../../core/http';
import { useNow } from '../../core/past/clock';
import { paths } from '../../core/paths';
import { useShortcut } from '../../core/shortcuts';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader } from '../../ui/PageHeader';
import { daysColumn, nameColumn, stateColumns, worstFirst } from './domain-columns';
import classes from './domains.module.css';
import { useExpiringDays } from './use-expiring-days';

const serverColumn: Column<DomainRow> = {
  id: 'server',
  header: 'Server',
  value: ({ server }) => server.alias,
  cell: ({ server }) => server.alias && <Link to={paths.server(server.id)}>{server.alias}</Link>,
  filter: 'category',
};

const columnsAt = (asOf: AsOf): Column<DomainRow>[] => [
  nameColumn,
  ...stateColumns(asOf),
  daysColumn(asOf),
  serverColumn,
];

interface DomainListPageProps {
  /** Strips above the list. */
  panels?: ReactNode;
}

export const DomainListPage = ({ panels }: DomainListPageProps) => {
  const navigate = useNavigate();
  const { data: domains, error, refetch, fulfilledTimeStamp } = useAnswer(domainCalls.list);
  // Days are counted to when the list was fetched: they do not change while one reads.
  const now = useNow(fulfilledTimeStamp);
  const expiringDays = useExpiringDays();
  const asOf = useMemo(() => ({ now, expiringDays }), [now, expiringDays]);
  const columns = useMemo(() => columnsAt(asOf), [asOf]);
  const rows = useMemo(() => domains && worstFirst(domains, asOf), [domains, asOf]);
  useShortcut('n', () => void navigate(paths.domainAdd()));
  const add = (
    <Button component={Link} to={paths.domainAdd()} leftSection={<IconPlus size={16} aria-hidden />}>
      Add new
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Domains"
        count={domains?.length}
        description="The names under which your servers answer, with their DNS, their web server rules and their certificates."
        actions={add}
      />
      {panels && <div className={classes.panels}>{panels}</div>}
      <DataTable
        label="Domains"
        rows={rows}
        columns={columns}
        rowKey={(domain) => domain.id}
        href={(domain) => paths.domain(domain.id)}
        onOpen={(domain) => void navigate(paths.domain(domain.id))}
        actions={(domain) => (
          <Link to={paths.domainEdit(domain.id)} aria-label={`Edit ${domain.serverName}`}>
            Edit
          </Link>
        )}
        error={error === undefined ? undefined : toApiError(error)}
        onRetry={() => void refetch()}
        searchable
        empty={
          <EmptyState title="No domains yet" icon={IconWorld} action={add}>
            Add one that points to a server, and its locations, its configuration and its certificate will
            appear here.
          </EmptyState>
        }
      />
    </>
  );
};

/**
 * All domains of the workspace: where they point, what is applied for them, and how long their certificates are valid.
 */
import { domains as domainCalls } from '@quarterdeck/contract';
import { IconPlus, IconWorld } from '@tabler/icons-react';
import { type AsOf, columnsById, domainColumns, type DomainRow } from '@quarterdeck/projections';
import { useMemo, type ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { useNow } from '../../core/as-of/clock';
import { paths } from '../../core/paths';
import { useShortcut } from '../../core/shortcuts';
import { Action } from '../../ui/Action';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader } from '../../ui/PageHeader';
import { PrintList } from '../../ui/PrintButton';
import { useListPage } from '../../ui/table/use-list-page';
import { columnsOf } from './domain-columns';
import { useExpiringDays } from '../../records/verdicts';
import { Stacked } from '../../ui/Columns';

const columnsAt = (asOf: AsOf): Column<DomainRow>[] => {
  const { server, expires } = columnsById(domainColumns(asOf));
  return [
    ...columnsOf(asOf),
    {
      ...server,
      header: 'Server',
      cell: ({ server: of }) => of.alias && <Link to={paths.server(of.id)}>{of.alias}</Link>,
      maxWidth: '160px',
    },
    { ...expires, header: 'Expires', onDemand: true, mono: true },
  ];
};

interface DomainListPageProps {
  /** Panels of other features, rendered below the list so that loading them does not shift it. */
  panels?: ReactNode;
}

export const DomainListPage = ({ panels }: DomainListPageProps) => {
  const navigate = useNavigate();
  const { total, table, allFound, fulfilledTimeStamp } = useListPage(domainCalls.page);
  // Days are counted from when the list was fetched, so they do not change while someone reads it.
  const now = useNow(fulfilledTimeStamp);
  const expiringDays = useExpiringDays();
  const asOf = useMemo(() => ({ now, expiringDays }), [now, expiringDays]);
  const columns = useMemo(() => columnsAt(asOf), [asOf]);
  useShortcut('n', () => void navigate(paths.domainAdd()));
  const add = (
    <Action icon={IconPlus} does={paths.domainAdd()}>
      Add new
    </Action>
  );
  return (
    <>
      <PageHeader
        title="Domains"
        count={total}
        description="Domain names on your servers, with DNS, configuration and certificate."
        actions={add}
      />
      <DataTable
        label="Domains"
        chooser="domains"
        {...table}
        columns={columns}
        rowKey={(domain) => domain.id}
        href={(domain) => paths.domain(domain.id)}
        onOpen={(domain) => void navigate(paths.domain(domain.id))}
        actions={(domain) => (
          <Link to={paths.domainEdit(domain.id)} aria-label={`Edit ${domain.serverName}`}>
            Edit
          </Link>
        )}
        searchable
        tools={<PrintList title="Domains and certificates" columns={columns} allFound={allFound} />}
        empty={
          <EmptyState title="No domains yet" icon={IconWorld} action={add}>
            Domains with their locations, configurations and certificates will appear here.
          </EmptyState>
        }
      />
      {panels && <Stacked mt={20}>{panels}</Stacked>}
    </>
  );
};

/** Releases that are serving, across all products. */
import { callsOf, deploys } from '@quarterdeck/contract';
import { product, service } from '@quarterdeck/events';
import { IconRocket } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { useAnswer } from '../../core/calls';
import { paths, plainPath } from '../../core/paths';
import { useLiveHealth } from '../../records/live-health';
import { useActorName } from '../../records/actor';
import { ActionFailure } from '../../records/runs';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader } from '../../ui/PageHeader';
import { RelativeTime } from '../../ui/RelativeTime';
import { useAction } from '../../ui/use-action';
import { releasePath, type Release } from '../../records/verdicts';
import { byColumn, envColumn, serverColumn, stateColumn } from './deploy-columns';
import { StopButton } from './StopButton';

export const Running = () => {
  const nameOf = useActorName();
  useLiveHealth();
  const query = useAnswer(deploys.running, {});
  const { data } = query;
  const { data: products } = useAnswer(callsOf(product).list, {});
  const { act, failure, dismiss } = useAction();
  const columns = useMemo((): Column<Release>[] => {
    const productName = (id: string): string => products?.find((one) => one.id === id)?.name ?? '';
    return [
      { ...serverColumn, priority: 1 },
      {
        id: 'service',
        header: 'Service',
        value: (row) => `${row.service.name} ${row.package.version}`,
        cell: (row) => (
          <>
            <Link to={plainPath(product, row.product, `${service.path}/${row.service.id}/detail/deploy`)}>
              {row.service.name}
            </Link>{' '}
            <Link to={releasePath(row)}>{row.package.version}</Link>
          </>
        ),
        priority: 1,
      },
      { id: 'product', header: 'Product', value: (row) => productName(row.product), filter: 'category' },
      stateColumn,
      envColumn,
      { id: 'port', header: 'Port', value: (row) => row.port, align: 'right' },
      {
        id: 'since',
        header: 'Since',
        value: (row) => row.served?.at ?? row.date,
        cell: (row) => (
          <Link to={paths.run(row.id)}>
            <RelativeTime at={row.served?.at ?? row.date} />
          </Link>
        ),
      },
      byColumn(nameOf),
      {
        id: 'actions',
        header: 'Actions',
        value: () => '',
        cell: (row) => <StopButton release={row} act={act} />,
        width: '1%',
        priority: 2,
      },
    ];
  }, [nameOf, products, act]);
  return (
    <>
      <PageHeader title="Running services" count={data?.length} />
      <ActionFailure failure={failure} onClose={dismiss} />
      <DataTable
        label="Running services"
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        urlKey="running"
        empty={
          <EmptyState title="Nothing runs yet" icon={IconRocket}>
            Services that were deployed will appear here with their version and their server.
          </EmptyState>
        }
      />
    </>
  );
};

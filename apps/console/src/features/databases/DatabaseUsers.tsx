/** A tab of a database: the services that use it. */
import { callsOf } from '@quarterdeck/contract';
import { product as productNoun, service } from '@quarterdeck/events';
import { IconBox } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { useAnswer } from '../../core/calls';
import { below, plainPath } from '../../core/paths';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { usersOf, type DatabaseUser } from './database-users';

const columns: readonly Column<DatabaseUser>[] = [
  { id: 'service', header: 'Service', value: ({ name }) => name, priority: 1 },
  { id: 'server', header: 'Server', value: ({ server }) => server?.name, priority: 2 },
  { id: 'port', header: 'Port', value: ({ port }) => port, align: 'right', priority: 3 },
];

export const DatabaseUsers = ({ id, product }: { id: string; product: string }) => {
  const navigate = useNavigate();
  const {
    currentData: services,
    error,
    refetch,
  } = useAnswer(callsOf(service).list, { product: { id: product } });
  const data = useMemo(() => services && usersOf(id, services), [id, services]);
  const to = (user: DatabaseUser): string =>
    plainPath(productNoun, product, `${below.service}/${user.id}/detail`);
  return (
    <DataTable
      label="Services that use this database"
      query={{ data, error, refetch }}
      columns={columns}
      rowKey={(one) => one.id}
      href={to}
      onOpen={(one) => void navigate(to(one))}
      empty={
        <EmptyState title="No service uses this database" icon={IconBox}>
          Services that name it as one of their databases will appear here.
        </EmptyState>
      }
    />
  );
};

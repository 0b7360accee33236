/** Columns shared by the lists of releases. */
import { Link } from 'react-router';
import { paths } from '../../core/paths';
import { EnvBadge } from '../../records/EnvBadge';
import type { Release } from '../../records/verdicts';
import type { Column } from '../../ui/DataTable';

export const envColumn: Column<Release> = {
  id: 'env',
  header: 'Environment',
  value: (row) => row.env.id,
  cell: (row) => <EnvBadge id={row.env.id} />,
};

export const serverColumn: Column<Release> = {
  id: 'server',
  header: 'Server',
  value: (row) => row.server.name,
  cell: ({ server, serverRemoved }) =>
    serverRemoved ? `${server.name} (removed)` : <Link to={paths.server(server.id)}>{server.name}</Link>,
  filter: 'category',
};

export const byColumn = (nameOf: (actor: string) => string): Column<Release> => ({
  id: 'by',
  header: 'By',
  value: (row) => nameOf(row.by),
  filter: 'category',
});

/** Columns that lists of releases share. */
import { releaseColumns } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { paths } from '../../core/paths';
import { EnvBadge } from '../../records/EnvBadge';
import type { Release } from '../../records/verdicts';
import type { Column } from '../../ui/DataTable';

const [, , , env, server] = releaseColumns;

export const envColumn: Column<Release> = {
  ...env,
  header: 'Environment',
  cell: (row) => <EnvBadge id={row.env.id} />,
};

export const serverColumn: Column<Release> = {
  ...server,
  header: 'Server',
  cell: (row) =>
    row.serverRemoved ? (
      `${row.server.name} (removed)`
    ) : (
      <Link to={paths.server(row.server.id)}>{row.server.name}</Link>
    ),
};

export const byColumn = (nameOf: (actor: string) => string): Column<Release> => ({
  id: 'by',
  header: 'By',
  value: (row) => nameOf(row.by),
  filter: 'category',
});

/** Columns that lists of releases share. */
import { product, service } from '@quarterdeck/events';
import { columnsById, deployColumns } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { paths, plainPath } from '../../core/paths';
import { EnvBadge } from '../../records/EnvBadge';
import { releasePath, ReleaseState, type Release } from '../../records/verdicts';
import type { Column } from '../../ui/DataTable';
import { RelativeTime } from '../../ui/RelativeTime';

const { date, version, state, env, server, why, service: ofService } = columnsById(deployColumns);

/** Leads to the run. */
export const dateColumn: Column<Release> = {
  ...date,
  header: 'Date',
  cell: (row) => (
    <Link to={paths.run(row.id)}>
      <RelativeTime at={row.date} />
    </Link>
  ),
};

/** Leads to the page of the deploy. */
export const versionColumn: Column<Release> = {
  ...version,
  header: 'Version',
  cell: (row) => (
    <Link to={releasePath(row)}>
      {row.package.version}
      {row.rollbackTo !== undefined && ' (rollback)'}
    </Link>
  ),
  priority: 1,
};

export const stateColumn: Column<Release> = {
  ...state,
  header: 'State',
  cell: (row) => <ReleaseState release={row} />,
  priority: 2,
};

export const whyColumn: Column<Release> = { ...why, header: 'Why' };

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

/** Leads to the page of the service. */
export const serviceColumn: Column<Release> = {
  ...ofService,
  header: 'Service',
  cell: (row) => (
    <Link to={plainPath(product, row.product, `${service.path}/${row.service.id}/detail`)}>
      {row.service.name}
    </Link>
  ),
  priority: 1,
};

/** For lists that the back end pages, which cannot sort or filter by a name that it does not know. */
export const pagedByColumn = (nameOf: (actor: string) => string): Column<Release> => ({
  id: 'by',
  header: 'By',
  value: (row) => nameOf(row.by),
  sortable: false,
});

export const byColumn = (nameOf: (actor: string) => string): Column<Release> => ({
  ...pagedByColumn(nameOf),
  sortable: true,
  filter: 'category',
});

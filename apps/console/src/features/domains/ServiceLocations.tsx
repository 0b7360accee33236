/** A tab of a service: the locations in all domains that lead to it. */
import { locations, type Answer } from '@quarterdeck/contract';
import { IconRoute } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { EnvBadge } from '../../records/EnvBadge';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';

type Row = Answer<typeof locations.listByService>[number];

const foundBy: Record<Row['by'], string> = {
  link: 'Its service',
  package: 'Its package',
  port: 'Its target',
};

const columns: readonly Column<Row>[] = [
  {
    id: 'domain',
    header: 'Domain',
    value: ({ domain }) => domain.serverName,
    cell: ({ domain }) => <Link to={paths.domain(domain.id)}>{domain.serverName}</Link>,
    mono: true,
    priority: 1,
  },
  { id: 'location', header: 'Location', value: ({ location }) => location, mono: true, priority: 2 },
  { id: 'url', header: 'Target', value: ({ url = '' }) => url, mono: true, priority: 3 },
  {
    id: 'by',
    header: 'Found by',
    value: ({ by }) => foundBy[by],
    filter: 'category',
  },
  {
    id: 'env',
    header: 'Environment',
    value: ({ env }) => env ?? 0,
    cell: ({ env }) => (env === undefined ? null : <EnvBadge id={env} />),
  },
];

export const ServiceLocations = ({ service, port }: { service: string; port: number }) => {
  const navigate = useNavigate();
  const query = useAnswer(locations.listByService, { service: { id: service } });
  return (
    <DataTable
      label="Domain locations"
      query={query}
      columns={columns}
      rowKey={({ id }) => id}
      onOpen={({ domain }) => void navigate(paths.domain(domain.id, 'locations'))}
      empty={
        <EmptyState title="No location leads here yet" icon={IconRoute}>
          Choose this service when you edit a location of a domain. Locations on its server without a service
          that pass requests to port {port} will appear here too.
        </EmptyState>
      }
    />
  );
};

/** The deploys of services to one server. */
import { deploys } from '@quarterdeck/contract';
import { IconRocket } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { useActorName } from '../../records/actor';
import { releasePath, type Release } from '../../records/verdicts';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { useListPage } from '../../ui/table/use-list-page';
import {
  dateColumn,
  envColumn,
  pagedByColumn,
  serviceColumn,
  stateColumn,
  versionColumn,
  whyColumn,
} from './deploy-columns';
import { Section } from '../../ui/Card';

export const ServerDeploys = ({ server }: { server: string }) => {
  const navigate = useNavigate();
  const nameOf = useActorName();
  const within = useMemo(() => ({ server: { id: server } }), [server]);
  const { table } = useListPage(deploys.releasePage, {
    defaultSort: '-date',
    urlKey: 'services',
    within,
  });
  const columns = useMemo(
    (): Column<Release>[] => [
      dateColumn,
      serviceColumn,
      versionColumn,
      stateColumn,
      envColumn,
      pagedByColumn(nameOf),
      whyColumn,
    ],
    [nameOf],
  );
  return (
    <Section mt={24} title="Deploys of services">
      <DataTable
        label="Deploys of services"
        {...table}
        columns={columns}
        rowKey={({ id }) => id}
        onOpen={(row) => void navigate(releasePath(row))}
        searchable
        empty={
          <EmptyState title="No service was deployed here yet" icon={IconRocket}>
            Deploys of the services of this server will appear here.
          </EmptyState>
        }
      />
    </Section>
  );
};

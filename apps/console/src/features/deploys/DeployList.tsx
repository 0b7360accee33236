/** Deploys of a service. Each has a page, where it can be compared with any other one. */
import { Button } from '@mantine/core';
import { deploys } from '@quarterdeck/contract';
import { IconRocket } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link, useNavigate } from 'react-router';
import { useLiveHealth } from '../../records/live-health';
import { useActorName } from '../../records/actor';
import { ActionFailure } from '../../records/runs';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader } from '../../ui/PageHeader';
import { useListPage } from '../../ui/table/use-list-page';
import { useAction } from '../../ui/use-action';
import { CancelButton } from './CancelButton';
import { releasePath, type Release } from '../../records/verdicts';
import {
  dateColumn,
  envColumn,
  pagedByColumn,
  serverColumn,
  stateColumn,
  versionColumn,
  whyColumn,
} from './deploy-columns';
import { StopButton } from './StopButton';
import { useServing } from './use-serving';

const NONE: readonly Release[] = [];

/** The one that served before it, else the deploy before it, of those in the list. */
const before = ({ date }: Release, rows: readonly Release[]): Release | undefined => {
  const earlier = rows
    .filter((one) => one.date < date)
    .toSorted((one, other) => other.date.localeCompare(one.date));
  return earlier.find(({ state }) => state === 'served') ?? earlier[0];
};

export const DeployList = ({ service }: { service: { id: string; name: string } }) => {
  const navigate = useNavigate();
  const nameOf = useActorName();
  useLiveHealth();
  const within = useMemo(() => ({ service: { id: service.id } }), [service.id]);
  const { table, total } = useListPage(deploys.releasePage, {
    defaultSort: '-date',
    urlKey: 'deploys',
    within,
  });
  const serving = useServing(service.id);
  const rows = table.query.data ?? NONE;
  const { act, failure, dismiss } = useAction();
  const columns = useMemo(
    (): Column<Release>[] => [
      dateColumn,
      versionColumn,
      stateColumn,
      envColumn,
      serverColumn,
      pagedByColumn(nameOf),
      whyColumn,
      {
        id: 'compare',
        header: 'Actions',
        value: () => '',
        sortable: false,
        cell: (row) => (
          <>
            {(row.run === 'requested' || row.run === 'running') && <CancelButton release={row} act={act} />}
            {row.serves && <StopButton release={row} act={act} />}
            <Button
              component={Link}
              variant="default"
              to={releasePath(row, (serving && serving.id !== row.id ? serving : before(row, rows))?.id)}
            >
              Compare
            </Button>
          </>
        ),
        width: '1%',
        priority: 2,
      },
    ],
    [nameOf, serving, rows, act],
  );
  return (
    <>
      <PageHeader title="Deploys" count={total} />
      <ActionFailure failure={failure} onClose={dismiss} />
      <DataTable
        label={`Deploys of ${service.name}`}
        {...table}
        columns={columns}
        rowKey={({ id }) => id}
        onOpen={(row) => void navigate(releasePath(row))}
        searchable
        empty={
          <EmptyState title="No deploys yet" icon={IconRocket}>
            Each deploy of {service.name} will appear here with its package and what it was deployed with.
          </EmptyState>
        }
      />
    </>
  );
};

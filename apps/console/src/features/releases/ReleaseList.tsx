/** Deploys of a service, with comparison to the one that serves, and rollback. */
import { Button, Group } from '@mantine/core';
import { releases } from '@quarterdeck/contract';
import { releaseColumns } from '@quarterdeck/projections';
import { IconRocket } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useAnswer, useChange } from '../../core/calls';
import { toApiError, type ApiError } from '../../core/http';
import { DisabledInPast } from '../../core/past/in-past';
import { paths } from '../../core/paths';
import { useActorName } from '../../records/actor';
import { newRunId } from '../../records/runs';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader } from '../../ui/PageHeader';
import { Refusal } from '../../ui/Refusal';
import { RelativeTime } from '../../ui/RelativeTime';
import { useListPage } from '../../ui/table/use-list-page';
import { CancelButton } from './CancelButton';
import { Comparison } from './Comparison';
import { ReleaseState, type Release } from '../../records/verdicts';
import { envColumn, serverColumn } from './release-columns';
import { Why } from './DeployQuestion';
import { StopButton } from './StopButton';

const [date, version, state, , , reason] = releaseColumns;

export const ReleaseList = ({ service }: { service: { id: string; name: string } }) => {
  const navigate = useNavigate();
  const nameOf = useActorName();
  const within = useMemo(() => ({ service: { id: service.id } }), [service.id]);
  const { table, total } = useListPage(releases.releasePage, {
    defaultSort: '-date',
    urlKey: 'deploys',
    within,
  });
  const { data: running } = useAnswer(releases.running, {});
  const [rollBack, { isLoading }] = useChange(releases.rollback);
  const [chosen, setChosen] = useState<Release>();
  const [failure, setFailure] = useState<ApiError>();
  const [why, setWhy] = useState('');
  const serving = useMemo(
    () =>
      running
        ?.filter((one) => one.service.id === service.id)
        .toSorted((one, other) => other.date.localeCompare(one.date))[0],
    [running, service.id],
  );
  const columns = useMemo(
    (): Column<Release>[] => [
      {
        ...date,
        header: 'Date',
        cell: (row) => (
          <Link to={paths.run(row.id)}>
            <RelativeTime at={row.date} />
          </Link>
        ),
      },
      {
        ...version,
        header: 'Version',
        cell: (row) => `${row.package.version}${row.rollbackTo === undefined ? '' : ' (rollback)'}`,
        priority: 1,
      },
      {
        ...state,
        header: 'State',
        cell: (row) => <ReleaseState release={row} />,
        priority: 2,
      },
      envColumn,
      serverColumn,
      { id: 'by', header: 'By', value: (row) => nameOf(row.by), sortable: false },
      { ...reason, header: 'Why' },
      {
        id: 'compare',
        header: 'Actions',
        value: () => '',
        sortable: false,
        cell: (row) => (
          <>
            {(row.run === 'requested' || row.run === 'running') && (
              <CancelButton release={row} onRefused={setFailure} />
            )}
            {row.serves && <StopButton release={row} onRefused={setFailure} />}
            {!row.serves && row.state === 'served' && serving && (
              <Button variant="default" onClick={() => setChosen(row)}>
                Compare
              </Button>
            )}
          </>
        ),
        width: '1%',
        priority: 2,
      },
    ],
    [nameOf, serving],
  );
  const carryOut = async ({ id }: Release): Promise<void> => {
    setFailure(undefined);
    const runId = newRunId();
    const { error: refused } = await rollBack({ id, runId, why });
    if (refused) setFailure(toApiError(refused));
    else void navigate(paths.run(runId));
  };
  return (
    <>
      <PageHeader title="Deploys" count={total} />
      <Refusal what="Nothing was done" error={failure} />
      {chosen && serving && (
        <section aria-label="Comparison">
          <Comparison from={serving} to={chosen} />
          <DisabledInPast>
            <Why value={why} onChange={setWhy} my="sm" maw={480} />
            <Group gap="xs" mb="md">
              <Button loading={isLoading} onClick={() => void carryOut(chosen)}>
                Roll back to {chosen.package.version}
              </Button>
              <Button variant="default" onClick={() => setChosen(undefined)}>
                Close
              </Button>
            </Group>
          </DisabledInPast>
        </section>
      )}
      <DataTable
        label={`Deploys of ${service.name}`}
        {...table}
        columns={columns}
        rowKey={({ id }) => id}
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

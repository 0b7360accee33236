/** All runs of the workspace, newest first. The parts of a run are listed on that run's page instead. */
import { Button } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link, useSearchParams } from 'react-router';
import { paths } from '../../core/paths';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader } from '../../ui/PageHeader';
import { RunTable } from '../../records/runs';
import { isRunFiltered, readRunFilter, withRunFilter } from './run-filter';
import { RunFilters } from './RunFilters';

export const RunListPage = () => {
  const [params, setParams] = useSearchParams();
  const filter = useMemo(() => readRunFilter(params), [params]);
  const clear = () => setParams({}, { preventScrollReset: true });
  return (
    <>
      <PageHeader title="Runs" description="All work on your servers, with its output, live and recorded." />
      <RunFilters
        filter={filter}
        change={(key, value) =>
          setParams((latest) => withRunFilter(latest, key, value), { preventScrollReset: true })
        }
        clear={clear}
      />
      <RunTable
        filter={filter}
        label="Runs"
        empty={
          isRunFiltered(filter) ? (
            <EmptyState
              title="No runs match"
              icon={IconPlayerPlay}
              action={
                <Button variant="default" onClick={clear}>
                  Remove all filters
                </Button>
              }
            >
              No run matches these filters yet.
            </EmptyState>
          ) : (
            <EmptyState
              title="No runs yet"
              icon={IconPlayerPlay}
              action={<Link to={paths.servers()}>Go to the servers</Link>}
            >
              Commands that you run on servers will appear here with their output.
            </EmptyState>
          )
        }
      />
    </>
  );
};

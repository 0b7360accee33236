/** All runs of the workspace, newest first; parts of a run stand on the page of that run. */
import { IconPlayerPlay } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link, useSearchParams } from 'react-router';
import { paths } from '../../core/paths';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader } from '../../ui/PageHeader';
import { RunTable } from '../../records/runs';
import { isRunFiltered, readRunFilter, withoutRunFilters, withRunFilter } from './run-filter';
import { RunFilters } from './RunFilters';

export const RunListPage = () => {
  const [params, setParams] = useSearchParams();
  const filter = useMemo(() => readRunFilter(params), [params]);
  return (
    <>
      <PageHeader title="Runs" description="All work on your servers, with its output, live and recorded." />
      <RunTable
        filter={filter}
        label="Runs"
        tools={
          <RunFilters
            filter={filter}
            change={(key, value) =>
              setParams((latest) => withRunFilter(latest, key, value), { preventScrollReset: true })
            }
            clear={() => setParams(withoutRunFilters, { preventScrollReset: true })}
          />
        }
        empty={
          isRunFiltered(filter) ? undefined : (
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

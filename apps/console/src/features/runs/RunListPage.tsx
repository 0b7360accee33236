/** All runs of the workspace, newest first; parts of a run stand on the page of that run. */
import { schedule } from '@quarterdeck/events';
import { IconCalendarClock, IconPlayerPlay } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link, useSearchParams } from 'react-router';
import { paths, plainPath } from '../../core/paths';
import { EmptyState } from '../../ui/EmptyState';
import { Action } from '../../ui/Action';
import { PageHeader } from '../../ui/PageHeader';
import { kindInWords, type RunFilter, runKinds, RunTable } from '../../records/runs';
import {
  isRunFiltered,
  readRunFilter,
  type RunFilterKey,
  runStates,
  withoutRunFilters,
  withRunFilter,
} from './run-filter';
import { Select } from '@mantine/core';
import { useActorName } from '../../records/actor';
import { actorChoices, serverChoices } from '../../records/choices';
import { ChoiceSelect, useChosen } from '../../ui/choice';
import { filterChoice, FilterForm } from '../../ui/FilterForm';

export const RunListPage = () => {
  const [params, setParams] = useSearchParams();
  const filter = useMemo(() => readRunFilter(params), [params]);
  return (
    <>
      <PageHeader
        title="Runs"
        description="All work on your servers, with its output, live and recorded."
        reading={
          <Action icon={IconCalendarClock} variant="default" does={plainPath(schedule)}>
            Schedules
          </Action>
        }
      />
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

/** Filters of the run list. The URL holds the chosen values. */
interface RunFiltersProps {
  filter: RunFilter;
  change: (key: RunFilterKey, value: string | undefined) => void;
  clear: () => void;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const states = runStates.map((state) => ({ value: state, label: capital(state) }));

const RunFilters = ({ filter, change, clear }: RunFiltersProps) => {
  const { state, kind, subject, requestedBy } = filter;
  return (
    <FilterForm inForce={useInForce(filter, change)} clear={clear}>
      <Select
        label="State"
        data={states}
        value={state ?? null}
        onChange={(value) => change('state', value ?? undefined)}
        {...filterChoice}
      />
      <Select
        label="Kind"
        data={[...runKinds]}
        value={kind ?? null}
        onChange={(value) => change('kind', value ?? undefined)}
        {...filterChoice}
      />
      <ChoiceSelect
        label="Server"
        from={serverChoices}
        value={subject?.id ?? ''}
        onChange={(value) => change('server', value)}
        {...filterChoice}
      />
      <ChoiceSelect
        label="Who"
        from={actorChoices}
        value={requestedBy ?? ''}
        onChange={(value) => change('by', value)}
        {...filterChoice}
      />
    </FilterForm>
  );
};

const useInForce = (
  { state, kind, subject, requestedBy }: RunFilter,
  change: (key: RunFilterKey, value: string | undefined) => void,
) => {
  const nameOf = useActorName();
  const server = useChosen(serverChoices, subject?.id ?? '').label;
  const words: Partial<Record<RunFilterKey, string>> = {
    ...(state && { state: `State: ${state}` }),
    ...(kind && { kind: `Kind: ${kindInWords(kind)}` }),
    ...(subject && { server: `Server: ${server}` }),
    ...(requestedBy && { by: `By ${nameOf(requestedBy)}` }),
  };
  return (Object.entries(words) as [RunFilterKey, string][]).map(([key, one]) => ({
    words: one,
    remove: () => change(key, undefined),
  }));
};

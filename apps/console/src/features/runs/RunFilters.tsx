/** Filters of the run list. The URL holds the chosen values. */
import { Select } from '@mantine/core';
import { useActorName } from '../../records/actor';
import { actorChoices, serverChoices } from '../../records/choices';
import { kindInWords, runKinds, type RunFilter } from '../../records/runs';
import { ChoiceSelect, useChosen } from '../../ui/choice';
import { filterChoice, FilterForm } from '../../ui/FilterForm';
import { runStates, type RunFilterKey } from './run-filter';

interface RunFiltersProps {
  filter: RunFilter;
  change: (key: RunFilterKey, value: string | undefined) => void;
  clear: () => void;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const states = runStates.map((state) => ({ value: state, label: capital(state) }));

export const RunFilters = ({ filter, change, clear }: RunFiltersProps) => {
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

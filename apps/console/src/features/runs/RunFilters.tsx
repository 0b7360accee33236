/** Which runs to list: chosen here, kept in the address. */
import { Button, Select } from '@mantine/core';
import { people as personCalls } from '@quarterdeck/contract';
import { IconX } from '@tabler/icons-react';
import { useAnswer } from '../../core/calls';
import { actorName } from '../../records/actor';
import { serverChoices } from '../../records/choices';
import { runKinds, type RunFilter } from '../../records/runs';
import { ChoiceSelect } from '../../ui/choice';
import { isRunFiltered, runStates, type RunFilterKey } from './run-filter';
import classes from './RunListPage.module.css';

interface RunFiltersProps {
  filter: RunFilter;
  change: (key: RunFilterKey, value: string | undefined) => void;
  clear: () => void;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const states = runStates.map((state) => ({ value: state, label: capital(state) }));

/** Opens when asked, not when the focus passes; the list itself scrolls, so that it needs no focusable area around it. */
const choice = {
  clearable: true,
  size: 'sm',
  openOnFocus: false,
  withScrollArea: false,
  classNames: { options: classes.options },
} as const;

export const RunFilters = ({ filter, change, clear }: RunFiltersProps) => {
  const { data: people = [] } = useAnswer(personCalls.list);
  const { state, kind, subject, requestedBy } = filter;
  const who = [
    ...people.map(({ id }) => ({ value: id, label: actorName(id, people) })),
    ...['system', 'cli'].map((id) => ({ value: id, label: actorName(id) })),
  ];
  return (
    <div className={classes.filters} role="search" aria-label="Runs">
      <Select
        aria-label="State"
        placeholder="Any state"
        data={states}
        value={state ?? null}
        onChange={(value) => change('state', value ?? undefined)}
        {...choice}
      />
      <Select
        aria-label="Kind"
        placeholder="Any kind"
        data={[...runKinds]}
        value={kind ?? null}
        onChange={(value) => change('kind', value ?? undefined)}
        {...choice}
      />
      <ChoiceSelect
        aria-label="Server"
        placeholder="Any server"
        from={serverChoices}
        value={subject?.id ?? ''}
        onChange={(value) => change('server', value === '' ? undefined : value)}
        {...choice}
      />
      <Select
        aria-label="Who"
        placeholder="Anybody"
        data={who}
        value={requestedBy ?? null}
        onChange={(value) => change('by', value ?? undefined)}
        searchable
        {...choice}
      />
      {isRunFiltered(filter) && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<IconX size={14} aria-hidden />}
          onClick={clear}
        >
          Clear filters
        </Button>
      )}
    </div>
  );
};

/** Which runs to list: chosen here, kept in the address. */
import { Button, Select } from '@mantine/core';
import { people as personCalls, servers as serverCalls } from '@quarterdeck/contract';
import { IconX } from '@tabler/icons-react';
import { useAnswer } from '../../core/calls';
import { actorName } from '../../records/actor';
import { runKinds, type RunFilter } from '../../records/runs';
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
  const { data: servers = [] } = useAnswer(serverCalls.list);
  const { state, kind, subject, requestedBy } = filter;
  const known = servers.map(({ id, alias }) => ({ value: id, label: alias }));
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
      <Select
        aria-label="Server"
        placeholder="Any server"
        data={
          // A server that is gone still has its runs.
          subject && !known.some(({ value }) => value === subject.id)
            ? [...known, { value: subject.id, label: 'A deleted server' }]
            : known
        }
        value={subject?.id ?? null}
        onChange={(value) => change('server', value ?? undefined)}
        searchable
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
          size="sm"
          leftSection={<IconX size={14} aria-hidden />}
          onClick={clear}
        >
          Clear filters
        </Button>
      )}
    </div>
  );
};

/** What to look for in the history: everything in the address, the active ones as chips. */
import { Button, MultiSelect, Popover, Select, TextInput } from '@mantine/core';
import { people as personCalls } from '@quarterdeck/contract';
import { nouns } from '@quarterdeck/events';
import { IconFilterPlus, IconX } from '@tabler/icons-react';
import { useAnswer } from '../../core/calls';
import { actorName } from '../../records/actor';
import { absoluteTime } from '../../ui/RelativeTime';
import { TIME_ZONE } from '../../ui/time-zone';
import { SearchField } from '../../ui/SearchField';
import { knownTypes, typeInWords, type HistoryFilter } from '../../records/history';
import { toLocalInput, type FilterChange } from './history-filter';
import classes from './HistoryPage.module.css';

interface HistoryFiltersProps {
  filter: HistoryFilter;
  change: (change: FilterChange) => void;
}

const categories = nouns.flatMap(({ category, words }) =>
  words ? [{ value: category, label: words.many, one: words.one }] : [],
);

/** Opens when asked, not when the focus passes; the list itself scrolls, so that it needs no focusable area around it. */
const choice = {
  clearable: true,
  openOnFocus: false,
  withScrollArea: false,
  classNames: { options: classes.options },
  comboboxProps: { withinPortal: false },
} as const;

export const HistoryFilters = ({ filter, change }: HistoryFiltersProps) => {
  const { data: people = [] } = useAnswer(personCalls.list);
  const actors = [
    ...people.map((person) => ({ value: person.id, label: actorName(person.id, people) })),
    { value: 'system', label: actorName('system') },
    { value: 'cli', label: actorName('cli') },
  ];
  return (
    <div className={classes.filters} role="search" aria-label="History">
      <SearchField
        className={classes.search}
        label="Search history"
        value={filter.text ?? ''}
        onChange={(text) => change({ text })}
      />
      <Popover position="bottom-start" withinPortal trapFocus returnFocus width={340} shadow="md">
        <Popover.Target>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            leftSection={<IconFilterPlus size={15} aria-hidden />}
          >
            Filter
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          <div className={classes.form}>
            <MultiSelect
              label="What happened"
              data={[...knownTypes]}
              value={filter.types ?? []}
              onChange={(type) => change({ type })}
              searchable
              {...choice}
            />
            <Select
              label="Subject type"
              data={categories}
              value={filter.subject?.category ?? null}
              onChange={(category) => change({ category: category ?? undefined, id: undefined })}
              {...choice}
            />
            <Select
              label="Who"
              data={actors}
              value={filter.actor ?? null}
              onChange={(actor) => change({ actor: actor ?? undefined })}
              searchable
              {...choice}
            />
            <Instant label="From" value={filter.from} onChange={(from) => change({ from })} />
            <Instant label="To" value={filter.to} onChange={(to) => change({ to })} />
          </div>
        </Popover.Dropdown>
      </Popover>
      {chipsOf(filter, actors).map(({ words, without }) => (
        <Button
          key={words}
          variant="light"
          size="compact-sm"
          radius="xl"
          className={classes.chip}
          rightSection={<IconX size={13} aria-hidden />}
          aria-label={`Remove filter: ${words}`}
          onClick={() => change(without)}
        >
          {words}
        </Button>
      ))}
    </div>
  );
};

const Instant = ({
  label,
  value,
  onChange,
}: {
  label: string;
  value?: string;
  onChange: (iso: string | undefined) => void;
}) => (
  <TextInput
    type="datetime-local"
    label={label}
    description={TIME_ZONE}
    value={toLocalInput(value)}
    onChange={(event) =>
      onChange(
        event.currentTarget.value === '' ? undefined : new Date(event.currentTarget.value).toISOString(),
      )
    }
  />
);

const chipsOf = (filter: HistoryFilter, actors: readonly { value: string; label: string }[]) => {
  const { types = [], subject, actor, from, to, cause } = filter;
  const chips: { words: string; without: FilterChange }[] = types.map((type) => ({
    words: typeInWords(type),
    without: { type: types.filter((other) => other !== type) },
  }));
  if (subject) {
    const kind = categories.find(({ value }) => value === subject.category);
    chips.push({
      words: (subject.id ? kind?.one : kind?.label) ?? subject.category,
      without: { category: undefined, id: undefined },
    });
  }
  if (actor)
    chips.push({
      words: `By ${actors.find(({ value }) => value === actor)?.label ?? actor}`,
      without: { actor: undefined },
    });
  if (from) chips.push({ words: `From ${absoluteTime(from)}`, without: { from: undefined } });
  if (to) chips.push({ words: `To ${absoluteTime(to)}`, without: { to: undefined } });
  if (cause) chips.push({ words: 'One cause', without: { cause: undefined } });
  return chips;
};

/** Filters of the history. The URL holds them; active ones are shown as chips. */
import { Group, MultiSelect, Select, TextInput } from '@mantine/core';
import { nouns } from '@quarterdeck/events';
import { useActorName } from '../../records/actor';
import { actorChoices } from '../../records/choices';
import { ChoiceSelect } from '../../ui/choice';
import { filterChoice, FilterForm } from '../../ui/FilterForm';
import { absoluteTime } from '../../ui/RelativeTime';
import { fromLocalInput, toLocalInput } from '../../ui/local-time';
import { TIME_ZONE } from '../../ui/time-zone';
import { SearchField } from '../../ui/SearchField';
import { knownTypes, typeInWords, type HistoryFilter } from '../../records/history';
import type { FilterChange } from './history-filter';

interface HistoryFiltersProps {
  filter: HistoryFilter;
  change: (change: FilterChange) => void;
}

const categories = nouns.flatMap(({ category, words }) =>
  words ? [{ value: category, label: words.many, one: words.one }] : [],
);

export const HistoryFilters = ({ filter, change }: HistoryFiltersProps) => {
  const nameOf = useActorName();
  return (
    <Group gap={8} mb={12} role="search" aria-label="History">
      <SearchField label="Search history" value={filter.text ?? ''} onChange={(text) => change({ text })} />
      <FilterForm
        inForce={filtersIn(filter, nameOf).map(({ words, without }) => ({
          words,
          remove: () => change(without),
        }))}
        clear={() => change(cleared)}
      >
        <MultiSelect
          label="Event type"
          data={[...knownTypes]}
          value={filter.types ?? []}
          onChange={(type) => change({ type })}
          searchable
          {...filterChoice}
        />
        <Select
          label="Subject type"
          data={categories}
          value={filter.subject?.category ?? null}
          onChange={(category) => change({ category: category ?? undefined, id: undefined })}
          {...filterChoice}
        />
        <ChoiceSelect
          label="Who"
          from={actorChoices}
          value={filter.actor ?? ''}
          onChange={(actor) => change({ actor })}
          {...filterChoice}
        />
        <Instant label="From" value={filter.from} onChange={(from) => change({ from })} />
        <Instant label="To" value={filter.to} onChange={(to) => change({ to })} />
      </FilterForm>
    </Group>
  );
};

/** Clears every filter except the search text. */
const cleared: FilterChange = {
  type: [],
  category: undefined,
  id: undefined,
  actor: undefined,
  from: undefined,
  to: undefined,
  cause: undefined,
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
    onChange={(event) => onChange(fromLocalInput(event.currentTarget.value))}
  />
);

const filtersIn = (filter: HistoryFilter, nameOf: (actor: string) => string) => {
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
  if (actor) chips.push({ words: `By ${nameOf(actor)}`, without: { actor: undefined } });
  if (from) chips.push({ words: `From ${absoluteTime(from)}`, without: { from: undefined } });
  if (to) chips.push({ words: `To ${absoluteTime(to)}`, without: { to: undefined } });
  if (cause) chips.push({ words: 'One cause', without: { cause: undefined } });
  return chips;
};

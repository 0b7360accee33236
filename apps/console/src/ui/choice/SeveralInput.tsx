/** Chooses several options, or several rows of a list. The value is a JSON array, as forms keep it. */
import { MultiSelect, Pill, type MultiSelectProps } from '@mantine/core';
import { MAX_PAGE_SIZE } from '@quarterdeck/events/inputs';
import { useMemo, useState } from 'react';
import { useSomeRows } from '../table/use-some-rows';
import { ChosenName } from './ChosenName';
import type { Choices } from './choices';

interface SeveralInputProps extends Pick<
  MultiSelectProps,
  'label' | 'description' | 'error' | 'name' | 'autoFocus' | 'aria-label' | 'inputWrapperOrder'
> {
  value: string;
  onChange: (value: string) => void;
}

const listIn = (value: string): string[] => (value === '' ? [] : (JSON.parse(value) as string[]));
/** As forms write JSON, so that a choice that was taken back is no change. */
const written = (values: readonly string[]): string => JSON.stringify(values, null, 2);

const shared = {
  searchable: true,
  clearable: true,
  hidePickedOptions: true,
  limit: MAX_PAGE_SIZE,
} as const;

export const SeveralOptions = ({
  options,
  value,
  onChange,
  name,
  ...looks
}: SeveralInputProps & { options: readonly string[] }) => (
  <MultiSelect
    {...shared}
    {...looks}
    // The form uses the name to focus the input that a message is about.
    {...(name !== undefined && { attributes: { input: { name } } })}
    data={[...options]}
    value={listIn(value)}
    onChange={(chosen) => onChange(written(chosen))}
    nothingFoundMessage="Nothing found"
  />
);

export const SeveralRows = ({
  from,
  value,
  onChange,
  name,
  ...looks
}: SeveralInputProps & { from: Choices }) => {
  const [typed, setTyped] = useState('');
  const { rows, loading } = useSomeRows(from.page, typed, { first: from.first });
  const chosen = useMemo(() => listIn(value), [value]);
  const data = useMemo(() => {
    const labels = new Map(chosen.map((id) => [id, id]));
    for (const row of rows) labels.set(row.id, from.labelOf(row));
    return [...labels].map(([id, label]) => ({ value: id, label }));
  }, [from, rows, chosen]);
  return (
    <MultiSelect
      {...shared}
      {...looks}
      {...(name !== undefined && { attributes: { input: { name } } })}
      data={data}
      value={chosen}
      onChange={(ids) => onChange(written(ids))}
      onSearchChange={setTyped}
      // A chosen row may be far down a long list.
      renderPill={({ option, value: id, onRemove, disabled }) => (
        <Pill withRemoveButton={disabled !== true} onRemove={onRemove}>
          <ChosenName from={from} id={String(option?.value ?? id)} />
        </Pill>
      )}
      nothingFoundMessage={loading ? 'Searching …' : 'Nothing found'}
    />
  );
};

/** Chooses one row of a list of any length: fetches the first rows, and those that contain a typed word. */
import { Select, type ComboboxParsedItem, type SelectProps } from '@mantine/core';
import { MAX_PAGE_SIZE } from '@quarterdeck/events/inputs';
import { useMemo, useState } from 'react';
import { useSomeRows } from '../table/use-some-rows';
import type { Choices } from './choices';
import { useChosen } from './use-chosen';

export interface ChoiceProps {
  from: Choices;
  /** The id of a row, or `''`. */
  value: string;
  onChange: (value: string) => void;
  /** A row that cannot be chosen. */
  without?: string | undefined;
}

/** Keeps the options whose label contains every typed word. */
const withEveryWord = ({ options, search }: { options: ComboboxParsedItem[]; search: string }) => {
  const words = search.toLowerCase().split(/\s+/);
  return options.filter(
    (option) => 'label' in option && words.every((word) => String(option.label).toLowerCase().includes(word)),
  );
};

type Looks = Omit<SelectProps, 'value' | 'onChange' | 'data' | 'searchable' | 'filter'>;

export const ChoiceSelect = ({ from, value, onChange, without, ...looks }: ChoiceProps & Looks) => {
  const [typed, setTyped] = useState('');
  const { label } = useChosen(from, value);
  // The search input contains the label of the chosen row; that is not a search.
  const { rows, loading } = useSomeRows(from.page, typed === label ? '' : typed, { first: from.first });
  const data = useMemo(() => {
    const options = new Map(rows.map((row) => [row.id, from.labelOf(row)]));
    for (const { id, label: name } of from.besides ?? []) options.set(id, name);
    if (value !== '') options.set(value, label);
    if (without !== undefined) options.delete(without);
    return [...options].map(([id, name]) => ({ value: id, label: name }));
  }, [from, rows, value, label, without]);
  return (
    <Select
      {...looks}
      data={data}
      value={value === '' ? null : value}
      onChange={(chosen) => onChange(chosen ?? '')}
      onSearchChange={setTyped}
      filter={withEveryWord}
      limit={MAX_PAGE_SIZE}
      nothingFoundMessage={loading ? 'Searching …' : 'Nothing found'}
      searchable
    />
  );
};

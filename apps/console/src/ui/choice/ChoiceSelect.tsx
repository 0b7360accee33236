/** Chooses one row of a list, however long it is: the browser gets the first rows, and those with a word that is typed. */
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

/** Every word that is typed is in the label. */
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
  // What was chosen is written where one types.
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

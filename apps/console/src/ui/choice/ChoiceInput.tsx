/** Chooses one row of a list: with a native select for a short list, otherwise with a searchable one. */
import { NativeSelect, type NativeSelectProps } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import { useSomeRows } from '../table/use-some-rows';
import { ChoiceSelect, type ChoiceProps } from './ChoiceSelect';
import { useChosen } from './use-chosen';

interface ChoiceInputProps
  extends
    ChoiceProps,
    Pick<
      NativeSelectProps,
      'label' | 'description' | 'error' | 'name' | 'className' | 'mt' | 'autoFocus' | 'aria-label'
    > {
  /** Label of the empty choice. */
  empty?: string;
}

const ORDER = ['label', 'input', 'description', 'error'] as const;

export const ChoiceInput = ({ empty = '', error, name, ...props }: ChoiceInputProps) => {
  const { from, value, onChange, without, ...looks } = props;
  const { rows } = useSomeRows(from.page, '', { first: from.first });
  const chosen = useChosen(from, value);
  const searched = useRef<HTMLInputElement>(null);
  // It replaces the short list as soon as the number of rows is known, and keeps the focus of that one.
  useLayoutEffect(() => {
    if (looks.autoFocus && chosen.isLong && document.activeElement === document.body)
      searched.current?.focus();
  }, [looks.autoFocus, chosen.isLong]);
  const shared = {
    ...looks,
    error: error ?? (chosen.error && `The list could not be loaded: ${chosen.error}`),
    inputWrapperOrder: [...ORDER],
  };
  if (chosen.isLong)
    return (
      <ChoiceSelect
        {...shared}
        ref={searched}
        autoFocus={false}
        openOnFocus={!looks.autoFocus}
        from={from}
        value={value}
        onChange={onChange}
        without={without}
        // The form uses the name to focus the input that a message is about.
        {...(name !== undefined && { attributes: { input: { name } } })}
        placeholder={empty}
        clearable
      />
    );
  const options = [
    ...rows.map((row) => ({ value: row.id, label: from.labelOf(row) })),
    ...(from.besides ?? []).map(({ id, label }) => ({ value: id, label })),
  ];
  const isKnown = value === '' || options.some((option) => option.value === value);
  return (
    <NativeSelect
      {...shared}
      {...(name !== undefined && { name })}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[
        { value: '', label: empty },
        ...options.filter((option) => option.value !== without),
        ...(isKnown ? [] : [{ value, label: chosen.label }]),
      ]}
    />
  );
};

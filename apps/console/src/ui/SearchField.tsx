import { ActionIcon, TextInput } from '@mantine/core';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import styles from './SearchField.module.css';
import { useStillHere } from './use-still-here';

interface SearchFieldProps {
  /** "Search history" */
  label: string;
  /** The search text in the address. */
  value: string;
  /** Called when typing pauses. */
  onChange: (value: string) => void;
  /** Bottom margin. */
  mb?: number;
}

/** Calls that search accept no longer text. */
const MAX_SEARCH = 200;

/** The row of the list below that the Tab key would reach. */
const rowBelow = (field: HTMLElement): HTMLElement | null | undefined =>
  field.closest('section')?.querySelector<HTMLElement>('[data-row][tabindex="0"]');

/** Searches while the user types. `/` focuses the field, Escape clears it, the down arrow goes to the rows. */
export const SearchField = ({ label, value, onChange, ...room }: SearchFieldProps) => {
  const [typed, setTyped] = useTyped(value, onChange);
  return (
    <TextInput
      className={styles.field}
      {...room}
      data-search
      type="search"
      size="xs"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={15} aria-hidden />}
      rightSection={
        typed !== '' && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label="Clear search"
            onClick={() => setTyped('')}
          >
            <IconX size={14} />
          </ActionIcon>
        )
      }
      maxLength={MAX_SEARCH}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'ArrowDown') {
          const row = rowBelow(event.currentTarget);
          if (row) event.preventDefault();
          row?.focus();
        }
        if (event.key !== 'Escape' || typed === '') return;
        event.stopPropagation();
        setTyped('');
      }}
    />
  );
};

const PAUSE_MS = 150;

/** State of a debounced text: shown immediately, reported when typing pauses. */
const useTyped = (value: string, onChange: (value: string) => void) => {
  const [typed, setTyped] = useState(value);
  const told = useRef(value);
  useEffect(() => {
    // When the reported text arrives in the address, it must not replace newer input.
    if (value === told.current) return;
    told.current = value;
    setTyped(value);
  }, [value]);
  const stillHere = useStillHere();
  const tell = useEffectEvent((): boolean => {
    if (!stillHere()) return false;
    told.current = typed;
    onChange(typed);
    return true;
  });
  useEffect(() => {
    if (typed === told.current) return undefined;
    // Repeats until it succeeds, since a pending navigation may be abandoned.
    const timer = setInterval(() => tell() && clearInterval(timer), PAUSE_MS);
    return () => clearInterval(timer);
  }, [typed]);
  return [typed, setTyped] as const;
};

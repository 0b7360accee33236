import { ActionIcon, TextInput } from '@mantine/core';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import styles from './SearchField.module.css';
import { useStillHere } from './use-still-here';

interface SearchFieldProps {
  /** "Search history" */
  label: string;
  /** What is looked for, as the address has it. */
  value: string;
  /** Told when typing pauses. */
  onChange: (value: string) => void;
  /** Room below. */
  mb?: number;
}

/** Finds as one types; `/` leads here, Escape empties it. */
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
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || typed === '') return;
        event.stopPropagation();
        setTyped('');
      }}
    />
  );
};

const PAUSE_MS = 150;

/** A text that is shown letter by letter and told on when typing pauses. */
const useTyped = (value: string, onChange: (value: string) => void) => {
  const [typed, setTyped] = useState(value);
  const told = useRef(value);
  useEffect(() => {
    // Our own words coming back are no reason to take away what was typed since.
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
    // Tried again, for who was about to leave may stay after all.
    const timer = setInterval(() => tell() && clearInterval(timer), PAUSE_MS);
    return () => clearInterval(timer);
  }, [typed]);
  return [typed, setTyped] as const;
};

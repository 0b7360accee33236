import { ActionIcon, TextInput } from '@mantine/core';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';

interface SearchFieldProps {
  /** "Search history" */
  label: string;
  /** What is looked for, as the address has it. */
  value: string;
  /** Told when typing pauses. */
  onChange: (value: string) => void;
  className?: string | undefined;
}

/** Finds as one types; `/` leads here, Escape empties it. */
export const SearchField = ({ label, value, onChange, className }: SearchFieldProps) => {
  const [typed, setTyped] = useTyped(value, onChange);
  return (
    <TextInput
      className={className}
      data-search
      type="search"
      size="sm"
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
  const tell = useEffectEvent(() => {
    told.current = typed;
    onChange(typed);
  });
  useEffect(() => {
    if (typed === told.current) return undefined;
    const timer = setTimeout(tell, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return [typed, setTyped] as const;
};

/** JSON that somebody types. Names that fit the word at the caret are offered below it. */
import { Box, Textarea } from '@mantine/core';
import { useId, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import look from '../../ui/look.module.css';
import { completed, completionAt } from './completions';
import styles from './api-instances.module.css';

interface JsonInputProps {
  label: string;
  help?: string;
  value: string;
  rows: number;
  names: readonly string[];
  error?: string | undefined;
  placeholder?: string;
  onChange: (text: string) => void;
}

export const JsonInput = ({
  label,
  help,
  value,
  rows,
  names,
  error,
  placeholder,
  onChange,
}: JsonInputProps) => {
  const list = useId();
  const input = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState<number>();
  const [active, setActive] = useState(0);
  const goTo = useRef<number>(undefined);
  // After a name was filled in, the caret is behind it.
  useLayoutEffect(() => {
    if (goTo.current === undefined) return;
    input.current?.setSelectionRange(goTo.current, goTo.current);
    goTo.current = undefined;
  }, [value]);
  const offer = useMemo(
    () => (caret === undefined ? undefined : completionAt(value, caret, names)),
    [value, caret, names],
  );
  const offered = offer?.names ?? [];
  const take = (name: string | undefined): void => {
    if (!offer || caret === undefined || name === undefined) return;
    const next = completed(value, caret, offer, name);
    goTo.current = next.caret;
    setCaret(undefined);
    onChange(next.text);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (offered.length === 0) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setActive((active + step + offered.length) % offered.length);
    else if (event.key === 'Enter') take(offered[active]);
    else if (event.key === 'Escape') setCaret(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Box pos="relative">
      <Textarea
        ref={input}
        label={label}
        description={help}
        error={error}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        rows={rows}
        resize="vertical"
        spellCheck={false}
        autoComplete="off"
        placeholder={placeholder}
        classNames={{ input: look.mono ?? '' }}
        value={value}
        aria-autocomplete="list"
        aria-controls={offered.length > 0 ? list : undefined}
        aria-activedescendant={offered.length > 0 ? `${list}-${active}` : undefined}
        onChange={({ currentTarget }) => {
          setCaret(currentTarget.selectionStart);
          setActive(0);
          onChange(currentTarget.value);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setCaret(undefined)}
      />
      {offered.length > 0 && (
        <div id={list} role="listbox" aria-label={`Names for ${label}`} className={styles.names}>
          {offered.map((name, at) => (
            <div
              key={name}
              id={`${list}-${at}`}
              role="option"
              tabIndex={-1}
              aria-selected={at === active}
              className={styles.name}
              // Before the input loses the focus.
              onMouseDown={(event) => {
                event.preventDefault();
                take(name);
              }}
            >
              {name}
            </div>
          ))}
        </div>
      )}
    </Box>
  );
};

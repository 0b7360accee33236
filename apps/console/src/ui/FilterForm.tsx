/** Filters that the back end applies to the whole list: one form to choose them, and chips for the active ones. */
import { Button, Popover, Stack } from '@mantine/core';
import { IconFilterPlus, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './FilterForm.module.css';

export interface FilterInForce {
  /** `State: failed` */
  words: string;
  remove: () => void;
}

interface FilterFormProps {
  inForce: readonly FilterInForce[];
  /** Removes all of them at once. */
  clear: () => void;
  children: ReactNode;
}

/** Props for a select in the form: it opens on click, not on focus, and its option list scrolls natively. */
export const filterChoice = {
  clearable: true,
  openOnFocus: false,
  withScrollArea: false,
  classNames: { options: classes.options },
  comboboxProps: { withinPortal: false },
} as const;

export const FilterForm = ({ inForce, clear, children }: FilterFormProps) => (
  <>
    <Popover position="bottom-start" withinPortal trapFocus returnFocus width={340} shadow="md">
      <Popover.Target>
        <Button variant="subtle" color="gray" leftSection={<IconFilterPlus size={15} aria-hidden />}>
          Filter
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap={12}>{children}</Stack>
      </Popover.Dropdown>
    </Popover>
    {inForce.map(({ words, remove }) => (
      <Button
        key={words}
        variant="light"
        radius="xl"
        className={classes.chip}
        rightSection={<IconX size={13} aria-hidden />}
        aria-label={`Remove filter: ${words}`}
        onClick={remove}
      >
        {words}
      </Button>
    ))}
    {inForce.length > 1 && (
      <Button variant="subtle" color="gray" onClick={clear}>
        Clear all
      </Button>
    )}
  </>
);

import { CloseButton, Popover } from '@mantine/core';
import { useState } from 'react';
import { part } from '../part';
import styles from './around-table.module.css';
import type { Column } from './columns';
import { inWords } from './filters';

const FilterEditor = part(() => import('./FilterEditor'), 'Loading filter');

interface FilterChipProps<Row> {
  column: Column<Row>;
  choices: () => string[];
  value: string;
  startOpen: boolean;
  onChange: (value: string) => void;
  onOpen: () => void;
  onClose: () => void;
}

export function FilterChip<Row>({
  column,
  choices,
  value,
  startOpen,
  onChange,
  onOpen,
  onClose,
}: FilterChipProps<Row>) {
  const [opened, setOpened] = useState(startOpen);
  const open = (): void => {
    setOpened(true);
    onOpen();
  };
  const close = (): void => {
    setOpened(false);
    onClose();
  };
  return (
    <Popover
      opened={opened}
      onChange={(to) => (to ? open() : close())}
      position="bottom-start"
      trapFocus
      withinPortal
    >
      <span className={styles.chip}>
        <Popover.Target>
          <button type="button" onClick={() => (opened ? close() : open())}>
            {value === '' ? `${column.header} …` : inWords(column, value)}
          </button>
        </Popover.Target>
        <CloseButton
          size="xs"
          aria-label={`Remove filter ${column.header}`}
          onClick={() => {
            onChange('');
            close();
          }}
        />
      </span>
      <Popover.Dropdown
        onKeyDown={(event) => event.key === 'Enter' && column.filter !== 'category' && close()}
      >
        <FilterEditor
          header={column.header}
          kind={column.filter ?? 'text'}
          choices={choices}
          value={value}
          onChange={onChange}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

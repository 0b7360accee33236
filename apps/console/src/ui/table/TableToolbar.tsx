import { Button, Group, Menu } from '@mantine/core';
import { IconArrowsSort, IconColumns3, IconFilterPlus } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { SearchField } from '../SearchField';
import type { Column } from './columns';
import { FilterChip } from './FilterChip';
import type { TableAddress } from './table-address';
import type { ChosenColumns } from './use-chosen-columns';
import { inSentence } from '../in-sentence';

interface TableToolbarProps<Row> {
  columns: readonly Column<Row>[];
  choicesOf: (column: Column<Row>) => string[];
  view: TableAddress;
  narrow: boolean;
  label: string;
  searchable: boolean;
  /** Set if people can choose the columns. */
  chosenColumns?: ChosenColumns<Row>;
  /** Further controls at the end of the toolbar. */
  tools: ReactNode;
  /** True if `tools` is empty. */
  bare: boolean;
}

const isSortable = ({ sortable }: { sortable?: boolean }): boolean => sortable !== false;

export function TableToolbar<Row>({
  columns,
  choicesOf,
  view,
  narrow,
  label,
  searchable,
  chosenColumns,
  tools,
  bare,
}: TableToolbarProps<Row>) {
  /** The filter being added or edited. It may be empty for a moment, so the address cannot hold it. */
  const [draft, setDraft] = useState<string>();
  const filterable = columns.filter((column) => column.filter);
  const active = view.filters.filter(({ id }) => filterable.some((column) => column.id === id));
  const free = filterable.filter(
    (column) => column.id !== draft && !active.some(({ id }) => id === column.id),
  );
  const chips = [
    ...active,
    ...(draft && !active.some(({ id }) => id === draft) ? [{ id: draft, value: '' }] : []),
  ];
  const write = (id: string, value: string): void => {
    const others = view.filters.filter((filter) => filter.id !== id);
    view.change({ filters: value === '' ? others : [...others, { id, value }] });
  };
  const sortable = narrow && columns.some(isSortable);
  if (!searchable && filterable.length === 0 && !sortable && bare) return null;

  return (
    <Group gap={8} mb={10}>
      {searchable && (
        <SearchField
          label={`Search ${inSentence(label)}`}
          value={view.search}
          onChange={(search) => view.change({ search })}
        />
      )}
      {chips.map(({ id, value }) => {
        const column = filterable.find((candidate) => candidate.id === id);
        return column === undefined ? null : (
          <FilterChip
            key={id}
            column={column}
            choices={() => choicesOf(column)}
            value={value}
            startOpen={id === draft}
            onChange={(next) => write(id, next)}
            onOpen={() => setDraft(id)}
            onClose={() => setDraft((now) => (now === id ? undefined : now))}
          />
        );
      })}
      {free.length > 0 && (
        <Menu position="bottom-start" withinPortal returnFocus={false}>
          <Menu.Target>
            <Button variant="subtle" color="gray" leftSection={<IconFilterPlus size={15} />}>
              Filter
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {free.map((column) => (
              <Menu.Item key={column.id} onClick={() => setDraft(column.id)}>
                {column.header}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {active.length > 1 && (
        <Button variant="subtle" color="gray" onClick={() => view.change({ filters: [] })}>
          Clear all
        </Button>
      )}
      {sortable && <SortMenu columns={columns} view={view} />}
      {chosenColumns && <ColumnMenu columns={columns} chosen={chosenColumns} />}
      {tools}
    </Group>
  );
}

/** Cards have no header row to click. */
function SortMenu<Row>({ columns, view }: { columns: readonly Column<Row>[]; view: TableAddress }) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="subtle" color="gray" leftSection={<IconArrowsSort size={15} />}>
          Sort
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {columns.filter(isSortable).map(({ id, header }) => (
          <Menu.Item
            key={id}
            onClick={() => view.change({ sort: { id, desc: view.sort?.id === id && !view.sort.desc } })}
          >
            {header}
            {view.sort?.id === id && (view.sort.desc ? ', descending' : ', ascending')}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

interface ColumnMenuProps<Row> {
  columns: readonly Column<Row>[];
  chosen: ChosenColumns<Row>;
}

/** Menu to show and hide columns. The first column names the row, so it cannot be hidden. */
const ColumnMenu = <Row,>({ columns, chosen: { shown, choose, reset } }: ColumnMenuProps<Row>) => (
  <Menu position="bottom-end" withinPortal closeOnItemClick={false}>
    <Menu.Target>
      <Button variant="subtle" color="gray" leftSection={<IconColumns3 size={15} />}>
        Columns
      </Button>
    </Menu.Target>
    <Menu.Dropdown>
      <Menu.CheckboxGroup value={shown.map(({ id }) => id)} onChange={(ids) => choose(ids)}>
        {columns.slice(1).map(({ id, header }) => (
          <Menu.CheckboxItem key={id} value={id}>
            {header}
          </Menu.CheckboxItem>
        ))}
      </Menu.CheckboxGroup>
      {reset && (
        <>
          <Menu.Divider />
          <Menu.Item onClick={reset}>Default columns</Menu.Item>
        </>
      )}
    </Menu.Dropdown>
  </Menu>
);

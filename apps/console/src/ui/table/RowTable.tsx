import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react';
import { textOf } from '@quarterdeck/projections';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Fragment, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import type { DataTableProps } from '../DataTable';
import styles from '../DataTable.module.css';
import { Cell } from './Cell';
import type { Column } from './columns';
import { SelectAllBox, SelectBox } from './SelectBoxes';
import type { TableView } from './table-address';
import { VisuallyHidden } from '@mantine/core';
import { usePrinting } from '../printing';

export interface TableBodyProps<Row> extends DataTableProps<Row> {
  rows: readonly Row[];
  /** Keys of all rows that match search and filters, including those on other pages if they are loaded. */
  foundKeys: readonly string[];
  sort: TableView['sort'];
  flashing: ReadonlySet<string>;
  change: (next: Partial<TableView>) => void;
}

const ROW_PX = 37;
/** Up to this many, all rows of a page are rendered, so the browser's own search finds them. */
const VIRTUAL_FROM = 100;

/** A click on a link, on a button or at the end of a selection is not a click on the row. */
const meantElsewhere = (event: MouseEvent | KeyboardEvent): boolean =>
  (event.target as HTMLElement).closest('a, button, input, label') !== null ||
  (event.type === 'click' && (window.getSelection()?.toString() ?? '') !== '');

const cutOf = <Row,>({ maxWidth, value }: Column<Row>, row: Row) =>
  maxWidth === undefined ? {} : { style: { maxWidth }, title: textOf(value(row)) };

export function RowTable<Row extends object>(props: TableBodyProps<Row>) {
  const { rows, columns, rowKey, label, onOpen, actions, flashing, selection } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const printing = usePrinting();
  const virtual = rows.length > VIRTUAL_FROM && !printing;
  const virtualizer = useVirtualizer({
    // Measuring forces a layout, so it is off if all rows are rendered.
    enabled: virtual,
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  const items = virtualizer.getVirtualItems();
  const start = virtual ? (items[0]?.index ?? 0) : 0;
  const end = virtual ? (items.at(-1)?.index ?? -1) + 1 : rows.length;
  const current = Math.min(active, rows.length - 1);

  const goTo = (index: number): void => {
    const to = Math.max(0, Math.min(rows.length - 1, index));
    setActive(to);
    if (virtual) virtualizer.scrollToIndex(to);
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-row="${to}"]`)?.focus());
  };
  const onKeyDown = (event: KeyboardEvent, index: number, row: Row): void => {
    const to = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (event.key === 'Enter' && onOpen && !meantElsewhere(event)) onOpen(row);
    else if (to !== undefined && event.target === event.currentTarget) goTo(to);
    else return;
    event.preventDefault();
  };

  return (
    <div className={styles.scroller} data-virtual={virtual || undefined} ref={scroller}>
      <table className={styles.table} aria-label={label} aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            {selection && (
              <th scope="col" className={styles.select}>
                <SelectAllBox selection={selection} foundKeys={props.foundKeys} />
              </th>
            )}
            {columns.map((column) => (
              <HeaderCell key={column.id} column={column} {...props} />
            ))}
            {actions && (
              <th className={styles.actions}>
                <VisuallyHidden>Actions</VisuallyHidden>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {start > 0 && <Spacer px={start * ROW_PX} span={columns.length + 2} />}
          {rows.slice(start, end).map((row, offset) => {
            const index = start + offset;
            const below = props.expanded?.(row);
            return (
              <Fragment key={rowKey(row)}>
                <tr
                  data-row={index}
                  data-flash={flashing.has(rowKey(row)) || undefined}
                  data-opens={onOpen !== undefined || undefined}
                  data-chosen={selection?.chosen.has(rowKey(row)) || undefined}
                  aria-rowindex={index + 2}
                  tabIndex={onOpen ? (index === current ? 0 : -1) : undefined}
                  onFocus={(event) => event.target === event.currentTarget && setActive(index)}
                  onKeyDown={(event) => onKeyDown(event, index, row)}
                  onClick={(event) => !meantElsewhere(event) && onOpen?.(row)}
                >
                  {selection && (
                    <td className={styles.select}>
                      <SelectBox selection={selection} row={row} id={rowKey(row)} />
                    </td>
                  )}
                  {columns.map((column, at) => (
                    <td key={column.id} data-align={column.align} {...cutOf(column, row)}>
                      <Cell column={column} row={row} href={at === 0 ? props.href?.(row) : undefined} />
                    </td>
                  ))}
                  {actions && <td className={styles.actions}>{actions(row)}</td>}
                </tr>
                {below && (
                  <tr className={styles.expansion}>
                    <td colSpan={columns.length + (selection ? 1 : 0) + (actions ? 1 : 0)}>{below}</td>
                  </tr>
                )}
              </Fragment>
            );
          })}
          {end < rows.length && <Spacer px={(rows.length - end) * ROW_PX} span={columns.length + 2} />}
        </tbody>
      </table>
    </div>
  );
}

function HeaderCell<Row extends object>({
  column,
  sort,
  change,
}: TableBodyProps<Row> & { column: Column<Row> }) {
  const direction = sort?.id === column.id ? (sort.desc ? 'descending' : 'ascending') : undefined;
  const style = column.width ? { width: column.width } : undefined;
  if (column.sortable === false) {
    return (
      <th scope="col" data-align={column.align} style={style}>
        {column.header}
      </th>
    );
  }
  // Cycles through ascending, descending and unsorted.
  const next =
    direction === undefined
      ? { id: column.id, desc: false }
      : direction === 'ascending'
        ? { id: column.id, desc: true }
        : undefined;
  const Icon =
    direction === undefined ? IconArrowsSort : direction === 'ascending' ? IconArrowUp : IconArrowDown;
  return (
    <th scope="col" data-align={column.align} style={style} aria-sort={direction ?? 'none'}>
      <button
        type="button"
        className={styles.sort}
        data-active={direction !== undefined || undefined}
        onClick={() => change({ sort: next })}
      >
        {column.header}
        <Icon size={13} aria-hidden />
      </button>
    </th>
  );
}

const Spacer = ({ px, span }: { px: number; span: number }) => (
  <tr aria-hidden className={styles.spacer}>
    <td colSpan={span} style={{ height: px }} />
  </tr>
);

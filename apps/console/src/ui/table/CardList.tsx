import type { KeyboardEvent } from 'react';
import styles from '../DataTable.module.css';
import { Cell } from './Cell';
import type { TableBodyProps } from './RowTable';
import { SelectBox } from './SelectBoxes';

/** For narrow screens: one card per row, with the most important columns. */
export function CardList<Row extends object>(props: TableBodyProps<Row>) {
  const { rows, columns, rowKey, label, onOpen, href, actions, flashing, selection } = props;
  const ranked = [...columns]
    .sort((a, b) => (a.priority ?? 9) - (b.priority ?? 9))
    .filter(({ priority }, at) => priority !== undefined || at < 3);
  const [title, ...rest] = ranked;
  const onKeyDown = (event: KeyboardEvent, row: Row): void => {
    if (event.key === 'Enter' && event.target === event.currentTarget) onOpen?.(row);
  };
  return (
    <ul className={styles.cards} aria-label={label}>
      {rows.map((row) => (
        <li
          key={rowKey(row)}
          data-flash={flashing.has(rowKey(row)) || undefined}
          data-opens={onOpen !== undefined || undefined}
          data-chosen={selection?.chosen.has(rowKey(row)) || undefined}
          onClick={(event) =>
            (event.target as HTMLElement).closest('a, button, label') === null && onOpen?.(row)
          }
          onKeyDown={(event) => onKeyDown(event, row)}
        >
          <div className={styles.cardTitle}>
            {selection && <SelectBox selection={selection} row={row} id={rowKey(row)} />}
            {title && <Cell column={title} row={row} href={href?.(row)} />}
          </div>
          <dl>
            {rest.map((column) => (
              <div key={column.id}>
                <dt>{column.header}</dt>
                <dd>
                  <Cell column={column} row={row} />
                </dd>
              </div>
            ))}
          </dl>
          {actions && <div className={styles.cardActions}>{actions(row)}</div>}
          {props.expanded?.(row)}
        </li>
      ))}
    </ul>
  );
}

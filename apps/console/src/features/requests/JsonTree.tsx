/** JSON as a tree. Only the rows on the screen are rendered. */
import { Box } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import { CopyText } from '../../ui/CopyText';
import { Loading } from '../../ui/Loading';
import look from '../../ui/look.module.css';
import { Dim, Note } from '../../ui/Note';
import type { JsonRow } from './json-rows';
import classes from './requests.module.css';
import { useJsonRows } from './use-json-rows';

const ROW_PX = 22;
const INDENT_PX = 16;
/** Rows that Page Up and Page Down skip. */
const PAGE = 20;

/** Where a key leads, or what it does with the row. */
const keyed = (
  key: string,
  at: number,
  last: number,
  row: JsonRow | undefined,
): number | 'toggle' | undefined => {
  switch (key) {
    case 'ArrowDown':
      return Math.min(last, at + 1);
    case 'ArrowUp':
      return Math.max(0, at - 1);
    case 'PageDown':
      return Math.min(last, at + PAGE);
    case 'PageUp':
      return Math.max(0, at - PAGE);
    case 'Home':
      return 0;
    case 'End':
      return last;
    case 'ArrowRight':
      if (row?.open === undefined) return at;
      return row.open ? at + 1 : 'toggle';
    case 'ArrowLeft':
      return row?.open ? 'toggle' : (row?.parent ?? at);
    case 'Enter':
    case ' ':
      return row?.open === undefined ? at : 'toggle';
    default:
      return undefined;
  }
};

/** The tree keeps the focus, because its rows come and go while it is scrolled. */
export const JsonTree = ({ bytes }: { bytes: Uint8Array }) => {
  const { told, ask, toggle } = useJsonRows(bytes);
  const scroller = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const id = useId();
  const total = told?.is === 'rows' ? told.count : 0;
  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 20,
  });
  const items = virtualizer.getVirtualItems();
  const from = items[0]?.index ?? 0;
  const to = (items.at(-1)?.index ?? 99) + 1;
  useEffect(() => ask(from, to), [ask, from, to]);
  if (!told) return <Loading label="Loading JSON" />;
  if (told.is === 'no JSON') return <Note>This body is no JSON: {told.reason}</Note>;
  const active = told.rows[at - told.from];
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const next = keyed(event.key, at, total - 1, active);
    if (next === undefined) return;
    event.preventDefault();
    if (next === 'toggle') {
      if (active) toggle(active.path);
      return;
    }
    setAt(next);
    virtualizer.scrollToIndex(next);
  };
  const onClick = ({ target }: MouseEvent): void => {
    const clicked = Number((target as Element).closest<HTMLElement>('[data-at]')?.dataset['at']);
    const row = told.rows[clicked - told.from];
    if (!row) return;
    setAt(clicked);
    // A click that ends the selection of a text must not close the row.
    if (row.open !== undefined && getSelection()?.isCollapsed !== false) toggle(row.path);
  };
  return (
    <>
      <Box
        ref={scroller}
        className={`${look.scroller} ${look.mono}`}
        mah="60vh"
        p={8}
        role="tree"
        aria-label="Body as JSON"
        aria-activedescendant={active && `${id}${at}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onClick={onClick}
      >
        <div className={classes.rows} style={{ height: total * ROW_PX }}>
          {told.rows.map((row, index) => (
            <Row
              key={row.path}
              id={`${id}${told.from + index}`}
              row={row}
              at={told.from + index}
              top={(told.from + index) * ROW_PX}
              isActive={row === active}
            />
          ))}
        </div>
      </Box>
      <Note below aria-live="off">
        Path: {active && !active.isGroup && active.path !== '' ? <CopyText value={active.path} /> : 'none'}
      </Note>
    </>
  );
};

interface RowProps {
  id: string;
  row: JsonRow;
  /** Its number. */
  at: number;
  top: number;
  isActive: boolean;
}

const Row = ({ id, row, at, top, isActive }: RowProps) => {
  const { depth, key, text, open, place, of } = row;
  const Shape = open ? IconChevronDown : IconChevronRight;
  return (
    <div
      id={id}
      className={classes.row}
      role="treeitem"
      aria-level={depth + 1}
      aria-posinset={place}
      aria-setsize={of}
      aria-expanded={open}
      aria-selected={isActive}
      style={{ transform: `translateY(${top}px)`, paddingLeft: depth * INDENT_PX }}
      data-at={at}
    >
      <span className={classes.toggle}>{open !== undefined && <Shape size={14} aria-hidden />}</span>
      {key !== undefined && <span className={classes.key}>{key}: </span>}
      {open === undefined ? <span>{text}</span> : <Dim>{text}</Dim>}
    </div>
  );
};

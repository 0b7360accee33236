/** JSON as a tree. Only the rows on the screen are rendered. */
import { Box } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { Loading } from '../../ui/Loading';
import look from '../../ui/look.module.css';
import { Dim, Note } from '../../ui/Note';
import type { JsonRow } from './json-rows';
import classes from './requests.module.css';
import { useJsonRows } from './use-json-rows';

const ROW_PX = 22;
const INDENT_PX = 16;

export const JsonTree = ({ bytes }: { bytes: Uint8Array }) => {
  const { told, ask, toggle } = useJsonRows(bytes);
  const scroller = useRef<HTMLDivElement>(null);
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
  return (
    <Box
      ref={scroller}
      className={`${look.scroller} ${look.mono}`}
      mah="60vh"
      p={8}
      role="tree"
      aria-label="Body as JSON"
      tabIndex={0}
    >
      <div className={classes.rows} style={{ height: total * ROW_PX }}>
        {told.rows.map((row, at) => (
          <Row key={row.path} row={row} top={(told.from + at) * ROW_PX} onToggle={toggle} />
        ))}
      </div>
    </Box>
  );
};

const Row = ({ row, top, onToggle }: { row: JsonRow; top: number; onToggle: (path: string) => void }) => {
  const { path, depth, key, text, open } = row;
  const name = path === '' ? 'the whole' : path;
  return (
    <div
      className={classes.row}
      role="treeitem"
      aria-level={depth + 1}
      aria-expanded={open}
      aria-selected={false}
      style={{ transform: `translateY(${top}px)`, paddingLeft: depth * INDENT_PX }}
    >
      {open === undefined ? (
        <span className={classes.toggle} />
      ) : (
        <button
          type="button"
          className={classes.toggle}
          aria-label={`${open ? 'Close' : 'Open'} ${name}`}
          onClick={() => onToggle(path)}
        >
          {open ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
        </button>
      )}
      {key !== undefined && <span className={classes.key}>{key}: </span>}
      {open === undefined ? <span>{text}</span> : <Dim>{text}</Dim>}
    </div>
  );
};

/** The keys of a product: only those in view are on the page, and only those near it are fetched. */
import { Box, VisuallyHidden } from '@mantine/core';
import { texts, type Sent } from '@quarterdeck/contract';
import { ENGLISH_SHOWN, type TextRow } from '@quarterdeck/projections';
import { languages } from '@quarterdeck/texts/languages';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Link } from 'react-router';
import { ErrorState } from '../../ui/ErrorState';
import { TableSkeleton } from '../../ui/Loading';
import { Note } from '../../ui/Note';
import { RelativeTime } from '../../ui/RelativeTime';
import look from '../../ui/look.module.css';
import styles from './key-table.module.css';
import { statesIn, statesInWords, textPath } from './text-words';
import { useWindowed } from './use-windowed';

const ROW_PX = 37;

interface KeyTableProps {
  label: string;
  /** Address of the list. */
  base: string;
  asked: Omit<Sent<typeof texts.page>, 'page' | 'size'>;
  /** Instead of the table if there are no keys at all. */
  empty: ReactNode;
  /** Above the table, as soon as it is known how many keys there are. */
  onCount: (found: number | undefined, total: number | undefined) => void;
}

export const KeyTable = ({ label, base, asked, empty, onCount }: KeyTableProps) => {
  const scroller = useRef<HTMLDivElement>(null);
  const [inView, setInView] = useState({ first: 0, last: 0 });
  const { found, total, error, refetch, row } = useWindowed(texts.page, asked, inView);
  const virtualizer = useVirtualizer({
    count: found ?? 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
  });
  const items = virtualizer.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  if (first !== inView.first || last !== inView.last) setInView({ first, last });
  useEffect(() => onCount(found, total), [onCount, found, total]);

  // A row far away is on the page only after the scroll, and its link only after its page was fetched.
  const wanted = useRef<number>(undefined);
  const focusWanted = (): void => {
    const link = scroller.current?.querySelector<HTMLElement>(`[data-key="${wanted.current}"]`);
    if (!link) return;
    wanted.current = undefined;
    // Unless the person has gone elsewhere in the meantime.
    if (document.activeElement === document.body || scroller.current?.contains(document.activeElement))
      link.focus({ preventScroll: true });
  };
  useEffect(focusWanted);
  const goTo = (index: number): void => {
    wanted.current = index;
    virtualizer.scrollToIndex(index);
    focusWanted();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = Number((event.target as HTMLElement).dataset.key ?? Number.NaN);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: (found ?? 0) - 1 }[event.key];
    if (Number.isNaN(at) || to === undefined || to < 0 || to >= (found ?? 0)) return;
    event.preventDefault();
    goTo(to);
  };
  if (error && found === undefined) return <ErrorState error={error} what={label} onRetry={refetch} />;
  if (found === undefined) return <TableSkeleton columns={3} />;
  if (total === 0) return empty;
  return (
    <>
      {error && <ErrorState error={error} what={label} onRetry={refetch} inline />}
      {found === 0 ? (
        <Note className={look.framed} p="32px 16px" ta="center">
          No rows found
        </Note>
      ) : (
        <div
          ref={scroller}
          role="table"
          aria-label={label}
          aria-rowcount={found + 1}
          className={`${look.scroller} ${styles.table}`}
          onKeyDown={onKeyDown}
        >
          <div role="rowgroup" className={styles.head}>
            <div role="row" aria-rowindex={1} className={styles.row}>
              {['Key', 'English', 'Languages', 'Changed'].map((heading) => (
                <span key={heading} role="columnheader">
                  {heading}
                </span>
              ))}
            </div>
          </div>
          <div role="rowgroup" className={styles.sheet} style={{ height: virtualizer.getTotalSize() }}>
            {items.map(({ index, start }) => (
              <div
                key={index}
                role="row"
                aria-rowindex={index + 2}
                className={styles.row}
                style={{ transform: `translateY(${start}px)` }}
              >
                <Cells row={row(index)} index={index} base={base} />
              </div>
            ))}
          </div>
        </div>
      )}
    </>
  );
};

/** The list has only the beginning of a long text. */
const beginningOf = (english: string): string =>
  [...english].length < ENGLISH_SHOWN ? english : `${english}…`;

const Cells = ({ row, index, base }: { row: TextRow | undefined; index: number; base: string }) =>
  row ? (
    <>
      <span role="cell" className={look.cut}>
        <Link to={textPath(base, row.id)} data-key={index} className={look.mono} title={row.key}>
          {row.key}
        </Link>
      </span>
      <span role="cell" className={look.cut} lang="en">
        {beginningOf(row.english) || (
          <Box component="span" c="dimmed">
            no English text
          </Box>
        )}
      </span>
      <span role="cell">
        <StateStrip states={row.states} />
      </span>
      <span role="cell">
        <RelativeTime at={row.changedAt} />
      </span>
    </>
  ) : (
    <span role="cell" className={styles.coming} />
  );

/** A small bar for each language, and how many there are. */
export const StateStrip = ({ states: letters }: { states: string }) => {
  const states = statesIn(letters);
  const there = states.filter((state) => state !== 'missing').length;
  const words = statesInWords(states);
  return (
    <span className={styles.strip} title={words}>
      <span aria-hidden className={styles.bars}>
        {states.map((state, at) => (
          <span key={languages[at]?.code} data-state={state} />
        ))}
      </span>
      <span aria-hidden>
        {there}/{states.length}
      </span>
      <VisuallyHidden component="span">{words}</VisuallyHidden>
    </span>
  );
};

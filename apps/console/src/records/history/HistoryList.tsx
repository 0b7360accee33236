/** A virtualized list of events, one line each, with events of the same cause kept together. */
import { Box, Button, Group, Loader } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowUp } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Link } from 'react-router';
import { useActorName } from '../actor';
import { Action } from '../../ui/Action';
import { ErrorState } from '../../ui/ErrorState';
import { Loading } from '../../ui/Loading';
import { usePrinting } from '../../ui/printing';
import { absoluteTime } from '../../ui/RelativeTime';
import { placeWords, saysOf, subjectName, subjectPath } from './event-words';
import { groupByCause } from './history-groups';
import classes from './history.module.css';
import { timeOfEvent } from './time-of-event';
import type { HistoryFeed } from './use-history';
import { Dim } from '../../ui/Note';
import look from '../../ui/look.module.css';

const NARROW = '(max-width: 47.99em)';
/** Fetch older events once the last rendered row is this close to the end. */
const AHEAD = 20;

export interface HistoryListProps {
  feed: HistoryFeed;
  label: string;
  empty: ReactNode;
  /** Position of the open event. */
  open?: string;
  onOpen: (position: string) => void;
  height?: string;
  /** Text below the oldest event. */
  end?: string;
}

export const HistoryList = ({
  feed,
  label,
  empty,
  open,
  onOpen,
  height = '60dvh',
  end = 'Start of the history.',
}: HistoryListProps) => {
  const scroller = useRef<HTMLDivElement>(null);
  const narrow = useMediaQuery(NARROW) ?? false;
  const [active, setActive] = useState(0);
  const rows = useMemo(() => groupByCause(feed.events ?? []), [feed.events]);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (narrow ? 72 : 34),
    overscan: 10,
  });
  useEffect(() => virtualizer.measure(), [narrow, virtualizer]);

  const items = virtualizer.getVirtualItems();
  const printing = usePrinting();
  const nearEnd = rows.length > 0 && (items.at(-1)?.index ?? 0) >= rows.length - AHEAD;
  const { hasOlder, loadingOlder, olderError, loadOlder } = feed;
  useEffect(() => {
    if (nearEnd && hasOlder && !loadingOlder && !olderError) loadOlder();
  }, [nearEnd, hasOlder, loadingOlder, olderError, loadOlder]);

  if (feed.error && !feed.events)
    return <ErrorState error={feed.error} what="History" onRetry={feed.retry} />;
  if (!feed.events) return <Loading lines={8} label="Loading history" />;
  if (rows.length === 0) return <>{empty}</>;

  const toTop = () => {
    feed.setAtTop(true);
    scroller.current?.scrollTo({ top: 0 });
  };
  const walk = (event: KeyboardEvent, index: number) => {
    const last = rows.length - 1;
    const to = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const target = Math.max(0, Math.min(last, to));
    setActive(target);
    virtualizer.scrollToIndex(target);
    // The row may exist only after this scroll.
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-line="${target}"]`)?.focus(),
    );
  };

  return (
    <Box pos="relative">
      {feed.error && <ErrorState error={feed.error} what="New events" onRetry={feed.retry} inline />}
      {feed.waiting > 0 && (
        <Action icon={IconArrowUp} radius="xl" className={look.pill} top={12} does={toTop}>
          {feed.waiting.toLocaleString('en')} new {feed.waiting === 1 ? 'event' : 'events'}
        </Action>
      )}
      <div
        ref={scroller}
        className={look.scroller}
        style={{ maxHeight: height }}
        onScroll={(event) => feed.setAtTop(event.currentTarget.scrollTop < 8)}
      >
        <div
          className={classes.sheet}
          style={{ height: virtualizer.getTotalSize() }}
          role="list"
          aria-label={label}
        >
          {(printing ? rows.map((_, index) => ({ index, start: 0 })) : items).map(({ index, start }) => {
            const row = rows[index];
            if (!row) return null;
            return (
              <HistoryRow
                key={row.event.position}
                row={row}
                index={index}
                start={start}
                all={feed.hasOlder ? -1 : rows.length}
                isOpen={row.event.position === open}
                stop={index === Math.min(active, rows.length - 1) ? 0 : -1}
                onOpen={onOpen}
                onFocus={setActive}
                onKeyDown={walk}
                measure={narrow && !printing ? virtualizer.measureElement : undefined}
              />
            );
          })}
        </div>
      </div>
      <Older feed={feed} end={end} />
    </Box>
  );
};

interface HistoryRowProps {
  row: ReturnType<typeof groupByCause>[number];
  index: number;
  start: number;
  /** Number of rows; -1 if it is not known. */
  all: number;
  isOpen: boolean;
  stop: 0 | -1;
  onOpen: (position: string) => void;
  onFocus: (index: number) => void;
  onKeyDown: (event: KeyboardEvent, index: number) => void;
  /** On a narrow screen a sentence may need a second line. */
  measure: ((row: HTMLElement | null) => void) | undefined;
}

const HistoryRow = ({
  row,
  index,
  start,
  all,
  isOpen,
  stop,
  onOpen,
  onFocus,
  onKeyDown,
  measure,
}: HistoryRowProps) => {
  const printing = usePrinting();
  const nameOf = useActorName();
  const { event, place } = row;
  const to = subjectPath(event);
  const says = saysOf(event, nameOf);
  const subject = subjectName(event, nameOf);
  const within = placeWords(event);
  return (
    // The whole row is a larger mouse target; keyboard users have the button inside it.
    <div
      ref={measure}
      data-index={index}
      role="listitem"
      aria-setsize={all}
      aria-posinset={index + 1}
      className={classes.row}
      data-place={place}
      data-open={isOpen || undefined}
      style={{ transform: `translateY(${start}px)` }}
      onClick={() => onOpen(event.position)}
    >
      <span
        className={classes.cause}
        title={place === 'only' ? undefined : `${row.size} events with the same cause`}
      />
      <time className={classes.time} dateTime={event.at} title={absoluteTime(event.at)}>
        {printing ? absoluteTime(event.at) : timeOfEvent(event.at)}
      </time>
      <span className={`${look.cut} ${classes.actor}`}>{nameOf(event.actor)}</span>
      <button
        type="button"
        className={`${look.cut} ${classes.says}`}
        title={says}
        tabIndex={stop}
        data-line={index}
        onFocus={() => onFocus(index)}
        onKeyDown={(pressed) => onKeyDown(pressed, index)}
      >
        {says}
      </button>
      <span className={`${look.cut} ${classes.subject}`} title={within ? `${subject} in ${within}` : subject}>
        {to ? (
          <Link to={to} tabIndex={stop} onClick={(click) => click.stopPropagation()}>
            {subject}
          </Link>
        ) : (
          subject
        )}
        {within && <Dim> in {within}</Dim>}
      </span>
    </div>
  );
};

/** What stands below the last row. */
const Older = ({
  feed: { hasOlder, loadingOlder, olderError, loadOlder },
  end,
}: Pick<HistoryListProps, 'feed'> & { end: string }) => (
  <Group justify="center" gap={12} mih={36} mt={8} c="dimmed">
    {loadingOlder && <Loader size="xs" aria-label="Loading older events" />}
    {olderError && <ErrorState error={olderError} what="Older events" onRetry={loadOlder} inline />}
    {!loadingOlder &&
      !olderError &&
      (hasOlder ? (
        <Button variant="subtle" onClick={loadOlder}>
          Load older
        </Button>
      ) : (
        end
      ))}
  </Group>
);

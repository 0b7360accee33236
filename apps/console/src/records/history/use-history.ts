/** The filtered history: live at the top, with older events loaded on demand. */
import { comparePositions, type Position } from '@quarterdeck/events';
import type { HistoryView } from '@quarterdeck/projections';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ApiError } from '../../core/api';
import { toApiError } from '../../core/http';
import {
  type HistoryFilter,
  type HistoryPage,
  useLatestEvents,
  useLazyOlderEventsQuery,
} from './history.endpoints';

export interface HistoryFeed {
  /** Newest first; `undefined` until something has loaded. */
  events: readonly HistoryView[] | undefined;
  /** Number of new events held back because the reader has scrolled down. */
  waiting: number;
  error?: ApiError;
  retry: () => void;
  hasOlder: boolean;
  loadingOlder: boolean;
  olderError?: ApiError;
  loadOlder: () => void;
  /** Tells the feed whether the reader is at the top. If not, new events are held back so that nothing moves. */
  setAtTop: (atTop: boolean) => void;
}

export const useHistory = (filter: HistoryFilter): HistoryFeed => {
  // An equal filter in a new object must not restart the feed.
  const key = JSON.stringify(filter);
  const stable = useMemo(() => JSON.parse(key) as HistoryFilter, [key]);
  const latest = useLatestEvents(stable);
  const [fetchOlder, older] = useLazyOlderEventsQuery();
  const [tail, setTail] = useState({ key, ...EMPTY_TAIL });
  const [frozen, setFrozen] = useState<Position>();

  const page = latest.currentData;
  useEffect(() => {
    if (!page) return;
    setTail((before) => ({ key, ...withLatest(before.key === key ? before : EMPTY_TAIL, page) }));
  }, [page, key]);
  useEffect(() => setFrozen(undefined), [key]);

  const holeFrom = tail.key === key ? tail.hole?.before : undefined;
  const filling = useRef<string>(undefined);
  const fill = useCallback(() => {
    const hole = `${key} ${holeFrom}`;
    if (holeFrom === undefined || filling.current === hole) return;
    filling.current = hole;
    void fetchOlder({ ...stable, before: holeFrom })
      .unwrap()
      .then((found) =>
        setTail((tailNow) =>
          tailNow.key === key ? { key, ...withHoleFilled(tailNow, holeFrom, found) } : tailNow,
        ),
      )
      // Retried on the next push or `loadOlder()`.
      .catch(() => {
        if (filling.current === hole) filling.current = undefined;
      });
  }, [holeFrom, stable, key, fetchOlder]);
  useEffect(fill, [fill, page]);

  const ready = tail.key === key && (page !== undefined || tail.events.length > 0);
  const visible = upTo(tail.events, frozen);
  const { next, events } = tail;
  const newest = events[0]?.position;

  const loadOlder = useCallback(() => {
    fill();
    if (next === undefined || older.isFetching) return;
    void fetchOlder({ ...stable, before: next })
      .unwrap()
      .then((found) =>
        setTail((before) => (before.key === key ? { key, ...withOlder(before, found) } : before)),
      )
      .catch(() => undefined);
  }, [fill, next, older.isFetching, stable, key, fetchOlder]);

  const setAtTop = useCallback(
    (atTop: boolean) => setFrozen((before) => (atTop ? undefined : (before ?? newest))),
    [newest],
  );

  return {
    events: ready ? visible : undefined,
    waiting:
      frozen === undefined
        ? 0
        : events.filter((event) => comparePositions(event.position, frozen) > 0).length,
    ...(latest.error !== undefined && { error: toApiError(latest.error) }),
    retry: () => void latest.refetch(),
    hasOlder: ready && next !== undefined,
    loadingOlder: older.isFetching,
    ...(older.error !== undefined && { olderError: toApiError(older.error) }),
    loadOlder,
    setAtTop,
  };
};

/** Merges pages of history: newest first, each event once, without gaps. Pure. */
interface Tail {
  /** Newest first. */
  events: HistoryView[];
  /** Position from which older events continue; absent once the start of the log is reached. */
  next?: Position | undefined;
  /**
   * A gap left when more new events arrived than fit on a page: events before `before`, down to `after`, are still to
   * be fetched.
   */
  hole?: { before: Position; after: Position } | undefined;
}

export const EMPTY_TAIL: Tail = { events: [] };

const union = (a: readonly HistoryView[], b: readonly HistoryView[]): HistoryView[] => {
  const byPosition = new Map([...a, ...b].map((event) => [event.position, event]));
  return [...byPosition.values()].toSorted((x, y) => comparePositions(y.position, x.position));
};

/** Adds a freshly fetched newest page. */
export const withLatest = (tail: Tail, page: HistoryPage): Tail => {
  const newest = tail.events[0];
  const oldest = page.events.at(-1);
  if (!newest) return { events: [...page.events], next: page.next };
  const reaches = !page.next || (oldest && comparePositions(oldest.position, newest.position) <= 0);
  // One gap also covers an earlier one, including the events known between them.
  const after = tail.hole?.after ?? newest.position;
  const hole = reaches || !oldest ? tail.hole : { before: oldest.position, after };
  return { ...tail, events: union(page.events, tail.events), hole };
};

/** Adds a page of events before `before`, which fills the gap or a part of it. */
export const withHoleFilled = (tail: Tail, before: Position, page: HistoryPage): Tail => {
  const { hole } = tail;
  // A newer gap has opened since, and includes this one.
  if (hole?.before !== before) return tail;
  const oldest = page.events.at(-1);
  const reaches = !page.next || !oldest || comparePositions(oldest.position, hole.after) <= 0;
  return {
    ...tail,
    events: union(tail.events, page.events),
    hole: reaches ? undefined : { ...hole, before: oldest.position },
  };
};

export const withOlder = (tail: Tail, page: HistoryPage): Tail => ({
  ...tail,
  events: union(tail.events, page.events),
  next: page.next,
});

/** Hides events that arrived after the reader scrolled down from the top. */
export const upTo = (
  events: readonly HistoryView[],
  position: Position | undefined,
): readonly HistoryView[] =>
  position === undefined ? events : events.filter((event) => comparePositions(event.position, position) <= 0);

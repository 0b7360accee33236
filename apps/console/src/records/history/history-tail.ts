/** Merges pages of history: newest first, each event once, without gaps. Pure. */
import { comparePositions, type Position } from '@quarterdeck/events';
import type { HistoryView } from '@quarterdeck/projections';
import type { HistoryPage } from './history.endpoints';

export interface Tail {
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
  // Meanwhile a newer gap has opened that includes this one.
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

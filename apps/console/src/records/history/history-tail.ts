/** Pages of history laid together: newest first, each event once, without a hole. Pure. */
import { comparePositions, type Position } from '@quarterdeck/events';
import type { HistoryView } from '@quarterdeck/projections';
import type { HistoryPage } from './history.endpoints';

export interface Tail {
  /** Newest first. */
  events: HistoryView[];
  /** Where older ones go on; absent when the start of the log is reached. */
  next?: Position | undefined;
  /** More new events came at once than fit on a page: these have to be fetched from here on, down to what is there. */
  hole?: { before: Position; after: Position } | undefined;
}

export const EMPTY_TAIL: Tail = { events: [] };

const union = (a: readonly HistoryView[], b: readonly HistoryView[]): HistoryView[] => {
  const byPosition = new Map([...a, ...b].map((event) => [event.position, event]));
  return [...byPosition.values()].toSorted((x, y) => comparePositions(y.position, x.position));
};

/** The newest page, fetched again. */
export const withLatest = (tail: Tail, page: HistoryPage): Tail => {
  const newest = tail.events[0];
  const oldest = page.events.at(-1);
  if (!newest) return { events: [...page.events], next: page.next };
  const reaches = !page.next || (oldest && comparePositions(oldest.position, newest.position) <= 0);
  // One hole reaches down to the end of the one before, with what is known between them.
  const after = tail.hole?.after ?? newest.position;
  const hole = reaches || !oldest ? tail.hole : { before: oldest.position, after };
  return { ...tail, events: union(page.events, tail.events), hole };
};

/** A page from the middle, of those before `before`: between new events and those that were there. */
export const withHoleFilled = (tail: Tail, before: Position, page: HistoryPage): Tail => {
  const { hole } = tail;
  // Another hole has opened meanwhile, and takes this one in.
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

/** What is shown while the reader is further down: nothing newer than when they left the top. */
export const upTo = (
  events: readonly HistoryView[],
  position: Position | undefined,
): readonly HistoryView[] =>
  position === undefined ? events : events.filter((event) => comparePositions(event.position, position) <= 0);

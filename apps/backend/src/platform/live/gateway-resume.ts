/** What a client that was away has missed, and from when on it hears of the rest by itself: without a gap in between. */
import { comparePositions, type Position, type Role } from '@quarterdeck/events';
import { toEntries, visibleTo, type Change, type Changes, type RecentEvents } from './push-changes';
import type { EventStore } from '../tokens';

export type Resumed = Changes | { resync: true; position: Position };

/** Beyond that, fetching anew is cheaper for both sides. */
const MOST_MISSED = 1000;
const PAGE = 500;
/** Pages of the log that are looked through for the events of one workspace. */
const MOST_PAGES = 10;

export interface ResumeFrom {
  after: Position;
  workspace: string;
  role: Role;
}

/**
 * @param join makes the client hear from now on, and answers with what it missed, or with nothing when that is too
 *   much to tell; called once, at the end.
 */
export const resume = async (
  { after, workspace, role }: ResumeFrom,
  recent: RecentEvents,
  store: EventStore,
  join: (missed?: Change[]) => void,
): Promise<void> => {
  const missed: Change[] = [];
  let from = after;
  for (let pages = 0; ; pages++) {
    const rest = recent.after(from, workspace, role);
    const tooMany = missed.length + (rest?.length ?? 0) > MOST_MISSED;
    if (tooMany || (!rest && pages >= MOST_PAGES)) return join();
    // No await between this look and joining: nothing falls in between.
    if (rest) return join([...missed, ...rest]);
    // A log that has moved meanwhile may have no such position; one that is away has told nobody anything new.
    const page = await store.readAll(from, { limit: PAGE }).catch(() => undefined);
    if (!page) return join();
    const forgotten = page.filter(({ position }) => comparePositions(position, recent.since) <= 0);
    missed.push(...visibleTo(toEntries(forgotten), workspace, role));
    const last = forgotten.at(-1);
    from = forgotten.length === PAGE && last ? last.position : recent.since;
  }
};

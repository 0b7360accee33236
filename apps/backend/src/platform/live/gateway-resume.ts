/** Sends a reconnecting client what it missed, and subscribes it to pushes again, without a gap in between. */
import { comparePositions, type Position, type Role } from '@quarterdeck/events';
import { toEntries, visibleTo, type Change, type Changes, type RecentEvents } from './push-changes';
import type { EventStore } from '../tokens';

export type Resumed = Changes | { resync: true; position: Position };

/** Beyond this, fetching everything again is cheaper for both sides. */
const MAX_MISSED = 1000;
const PAGE = 500;
/** How many pages of the log are searched for the events of one workspace. */
const MAX_PAGES = 10;

export interface ResumeFrom {
  after: Position;
  workspace: string;
  role: Role;
}

/**
 * @param join subscribes the client and answers with what it missed, or with undefined if that is too much; called
 * once, at the end
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
    const tooMany = missed.length + (rest?.length ?? 0) > MAX_MISSED;
    if (tooMany || (!rest && pages >= MAX_PAGES)) return join();
    // No await between this check and the subscription, so nothing is missed in between.
    if (rest) return join([...missed, ...rest]);
    // A log that has moved may not have this position. A log that is down cannot be read.
    const page = await store.readAll(from, { limit: PAGE }).catch(() => undefined);
    if (!page) return join();
    const forgotten = page.filter(({ position }) => comparePositions(position, recent.since) <= 0);
    missed.push(...visibleTo(toEntries(forgotten), workspace, role));
    const last = forgotten.at(-1);
    from = forgotten.length === PAGE && last ? last.position : recent.since;
  }
};

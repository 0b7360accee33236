/** A back end with some years of history: thousands of events made by the deciders, and a reader's view of them. */
import type { HistoryView } from '@quarterdeck/projections';
import { busyLog, write } from '../../testing/busy-log';
import { openWorld, type World } from '../backend/world';
import type { Operator } from '../../testing/backend';

export interface LongHistory {
  world: World;
  alice: Operator;
  workspace: string;
  /** The people and servers of the workspace. */
  people: readonly string[];
  servers: readonly string[];
  /** Newest first, read in pages to the end. */
  all: readonly HistoryView[];
}

const DAY = 86_400_000;

interface Page {
  events: HistoryView[];
  next?: string;
}

export const pageOf = async (who: Operator, query: object = {}): Promise<Page> => {
  const { status, body } = await who.post<Page>('history/list', query);
  if (status !== 200) throw new Error(`${JSON.stringify(query)} was answered ${JSON.stringify(body)}`);
  return body;
};

export const everything = async (who: Operator, query: object = {}): Promise<HistoryView[]> => {
  const events: HistoryView[] = [];
  let before: string | undefined;
  do {
    const page: Page = await pageOf(who, { limit: 200, ...query, ...(before && { before }) });
    events.push(...page.events);
    before = page.next;
  } while (before);
  return events;
};

export const openLongHistory = async (events: number): Promise<LongHistory> => {
  const world = await openWorld();
  const alice = await world.backend.signIn({ email: 'alice@example.org' });
  const { db, resources } = world.backend;
  const { rows } = await db.query<{ id: string }>('select workspace as id from read.workspaces');
  const workspace = rows[0]?.id;
  if (!workspace) throw new Error('the read models know no workspace yet');
  // The story begins now, because existing events come before it in the log.
  const story = { events, workspace, servers: 30, days: 2, ends: Date.now() + 2 * DAY };
  const { people, servers, appends } = busyLog(story);
  await write(resources.store, appends);
  await world.backend.caughtUp();
  return { world, alice, workspace, people, servers, all: await everything(alice) };
};

export const positions = (events: readonly HistoryView[]): string[] => events.map(({ position }) => position);

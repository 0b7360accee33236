/** Reads the roles of people from the log. Database rows only determine whom to look up. */
import { streamName, type LoggedEvent, type Role } from '@quarterdeck/events';
import { StoreUnavailable } from '@quarterdeck/events/store';
import { people, type PersonView } from '@quarterdeck/projections';
import { LRUCache } from 'lru-cache';
import type { EventStore } from '../tokens';

interface Known {
  view: PersonView | undefined;
  /** How far the stream was read. */
  revision: number;
}

/** The role of a person in a workspace; undefined if the person is not a member. */
export type RoleOf = (person: string, workspace: string) => Promise<Role | undefined>;

/** Reads only new events of a person's stream. During an outage of the log, the last known state counts. */
export const recordedRole = (store: EventStore): RoleOf => {
  const remembered = new LRUCache<string, Known>({ max: 10_000 });
  return async (person, workspace) => {
    let known = remembered.get(person);
    try {
      const { events, revision } = await store.readAfter(streamName('person', person), known?.revision ?? -1);
      const view = (events as LoggedEvent[]).reduce(
        (before, event) => people.evolve(before, event, person),
        known?.view,
      );
      known = { view, revision };
      remembered.set(person, known);
    } catch (error) {
      if (!known || !(error instanceof StoreUnavailable)) throw error;
    }
    const { view } = known;
    return view && !view.removedAt && view.workspace === workspace ? view.role : undefined;
  };
};

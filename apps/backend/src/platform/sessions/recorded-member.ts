/** Reads from the log what a session may do. Database rows only determine whom to look up. */
import { streamName, type LoggedEvent, type Role } from '@quarterdeck/events';
import { StoreUnavailable } from '@quarterdeck/log/store';
import { people, workspaces, type PersonView, type WorkspaceView } from '@quarterdeck/projections';
import { LRUCache } from 'lru-cache';
import type { EventStore } from '../tokens';

interface CachedMember<V> {
  view: V | undefined;
  /** How far the stream was read. */
  revision: number;
}

export interface Member {
  role: Role;
  /** The person has a second factor. */
  hasFactor: boolean;
  /** The workspace demands a second factor. */
  demanded: boolean;
}

/** The person in a workspace; undefined if they are not a member. */
export type MemberOf = (person: string, workspace: string) => Promise<Member | undefined>;

type Evolve<V> = (view: V | undefined, event: LoggedEvent, key: string) => V | undefined;

/** Reads only new events of a stream. During an outage of the log, the last known state counts. */
const remembering = <V>(store: EventStore, category: string, evolve: Evolve<V>) => {
  const remembered = new LRUCache<string, CachedMember<V>>({ max: 10_000 });
  return async (id: string): Promise<V | undefined> => {
    let known = remembered.get(id);
    try {
      const { events, revision } = await store.readAfter(streamName(category, id), known?.revision ?? -1);
      const view = (events as LoggedEvent[]).reduce(
        (before, event) => evolve(before, event, id),
        known?.view,
      );
      known = { view, revision };
      remembered.set(id, known);
    } catch (error) {
      if (!known || !(error instanceof StoreUnavailable)) throw error;
    }
    return known.view;
  };
};

export const recordedMember = (store: EventStore): MemberOf => {
  const personOf = remembering<PersonView>(store, 'person', people.evolve);
  const workspaceOf = remembering<WorkspaceView>(store, 'workspace', workspaces.evolve);
  return async (person, workspace) => {
    const [view, settings] = await Promise.all([personOf(person), workspaceOf(workspace)]);
    if (!view || view.removedAt || view.workspace !== workspace) return undefined;
    return {
      role: view.role,
      hasFactor: view.secondFactors.length > 0,
      demanded: settings?.secondFactor.demanded ?? false,
    };
  };
};

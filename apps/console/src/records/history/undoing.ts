/** The pending undo. It is kept across pages from the request until it is done or cancelled. */
import { skipToken } from '@reduxjs/toolkit/query';
import { nounFacts, type Category, type EventType } from '@quarterdeck/events';
import type { HistoryView } from '@quarterdeck/projections';
import { useSyncExternalStore } from 'react';
import type { QueryLike } from '../../ui/query';
import { useLatestEvents } from './history.endpoints';

/** Something removed or edited, identified by its category and id. */
export interface Removed {
  category: Category;
  id: string;
  /** If given, only this location of the domain. */
  location?: string;
  /** Types of the events of an edit. Default: the removal. */
  types?: readonly EventType[];
}

/** The event itself, or the subject it removed while the event still has to be looked up. */
export type ToUndo = HistoryView | Removed;

let asked: ToUndo | undefined;
const listeners = new Set<() => void>();

export const askUndo = (toUndo: ToUndo | undefined): void => {
  asked = toUndo;
  listeners.forEach((tell) => tell());
};

/** The Undo button on the notice about a removal or an edit. */
export const undoOf = (removed: Removed) => ({ label: 'Undo…', onClick: () => askUndo(removed) });

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useAskedUndo = (): ToUndo | undefined => useSyncExternalStore(subscribe, () => asked);

const isOf = (location: string, data: unknown): boolean =>
  typeof data === 'object' && data !== null && 'id' in data && data.id === location;

/** The newest event that removed or edited it. If there is none, the history may not have caught up yet. */
export const useRemoval = (removed: Removed | undefined) => {
  const { id, category, location } = removed ?? {};
  const type = location === undefined ? nounFacts.removals[category ?? ''] : 'LocationRemoved';
  const types = removed?.types ?? (type && [type]);
  const { currentData, error, isLoading, refetch } = useLatestEvents(
    category === undefined || id === undefined || types === undefined
      ? skipToken
      : { subject: { category, id }, types: [...types] },
  );
  const event = currentData?.events.find(({ data }) => location === undefined || isOf(location, data));
  return { data: event, error, isLoading, refetch };
};

export const useEventToUndo = (toUndo: ToUndo): QueryLike<HistoryView> => {
  const isEvent = 'position' in toUndo;
  const removal = useRemoval(isEvent ? undefined : toUndo);
  return isEvent ? { data: toUndo } : removal;
};

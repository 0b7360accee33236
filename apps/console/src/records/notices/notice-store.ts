/** The notices that there are now, told by the features that know of them. */
import { useSyncExternalStore, type ReactNode } from 'react';

export interface Notice {
  id: string;
  /** What it says now: with another mark, something new has happened. */
  mark: string;
  message: ReactNode;
  /** When it began, if that is known. */
  at?: string;
}

interface AllNotices {
  notices: readonly Notice[];
  /** Whether every source has said what it has to tell. */
  complete: boolean;
}

let bySource: ReadonlyMap<string, readonly Notice[] | undefined> = new Map();
let all: AllNotices = { notices: [], complete: true };
const listeners = new Set<() => void>();

/** @param notices `undefined` while they are not known; none if the source has nothing to tell, or is gone */
export const tellNotices = (source: string, notices: readonly Notice[] | undefined): void => {
  bySource = new Map([...bySource, [source, notices]]);
  const told = [...bySource.values()];
  all = { notices: told.flatMap((some) => some ?? []), complete: !told.includes(undefined) };
  listeners.forEach((tell) => tell());
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useAllNotices = (): AllNotices => useSyncExternalStore(subscribe, () => all);

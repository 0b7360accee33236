/** All current notices, as reported by the features that create them. */
import { useSyncExternalStore, type ReactNode } from 'react';

export interface Notice {
  id: string;
  /** Identifies the state of the notice: it changes when something new has happened. */
  mark: string;
  message: ReactNode;
  /** When it began, if known. */
  at?: string;
}

interface AllNotices {
  notices: readonly Notice[];
  /** Whether every source has reported. */
  complete: boolean;
}

let bySource: ReadonlyMap<string, readonly Notice[] | undefined> = new Map();
let all: AllNotices = { notices: [], complete: true };
const listeners = new Set<() => void>();

/** @param notices `undefined` until known; empty if the source has none or was unmounted */
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

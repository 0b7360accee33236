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

let bySource: ReadonlyMap<string, readonly Notice[]> = new Map();
let all: readonly Notice[] = [];
const listeners = new Set<() => void>();

/** Without notices the source has nothing to tell, or is gone. */
export const tellNotices = (source: string, notices: readonly Notice[]): void => {
  const next = new Map(bySource);
  if (notices.length === 0) next.delete(source);
  else next.set(source, notices);
  bySource = next;
  all = [...next.values()].flat();
  listeners.forEach((tell) => tell());
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useAllNotices = (): readonly Notice[] => useSyncExternalStore(subscribe, () => all);

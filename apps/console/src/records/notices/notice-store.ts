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
  /** Whether a source could not be asked, so there may be more notices. */
  failed: boolean;
}

/** `undefined` until known. */
export type Told = readonly Notice[] | 'failed' | undefined;

let bySource: ReadonlyMap<string, Told> = new Map();
let all: AllNotices = { notices: [], complete: true, failed: false };
const listeners = new Set<() => void>();

/** @param notices empty if the source has none or was unmounted */
export const tellNotices = (source: string, notices: Told): void => {
  bySource = new Map([...bySource, [source, notices]]);
  const told = [...bySource.values()];
  const failed = told.includes('failed');
  all = {
    notices: told.flatMap((some) => (some === 'failed' ? [] : (some ?? []))),
    complete: !failed && !told.includes(undefined),
    failed,
  };
  listeners.forEach((tell) => tell());
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useAllNotices = (): AllNotices => useSyncExternalStore(subscribe, () => all);

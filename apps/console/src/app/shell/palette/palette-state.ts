/**
 * Whether the palette is open, and its query. Keys pressed before the palette has rendered and has the focus are caught
 * here, so that none is lost or taken for a shortcut of the page.
 */
import { useSyncExternalStore } from 'react';
import { isTyping } from '../../../core/shortcuts';

interface PaletteState {
  opened: boolean;
  query: string;
  /** Enter was pressed before all results had arrived. */
  entered: boolean;
}

const closed: PaletteState = { opened: false, query: '', entered: false };
let state = closed;
const listeners = new Set<() => void>();

const set = (change: Partial<PaletteState>): void => {
  state = { ...state, ...change };
  listeners.forEach((tell) => tell());
};

export const usePalette = (): PaletteState =>
  useSyncExternalStore(
    (tell) => {
      listeners.add(tell);
      return () => void listeners.delete(tell);
    },
    () => state,
  );

export const setPaletteQuery = (query: string): void => set({ query, entered: false });

/** True if the palette could not be loaded and is being requested again. */
let isMissing = false;

/** Records whether an attempt to load the palette succeeded. */
export const loadingPalette = <T>(attempt: Promise<T>): Promise<T> => {
  attempt.then(
    () => (isMissing = false),
    () => (isMissing = true),
  );
  return attempt;
};

const onEarlyKey = (event: KeyboardEvent): void => {
  const { key, ctrlKey, metaKey, altKey, isComposing } = event;
  if (isMissing) {
    // Loading failed, so keys go to the page. Typing into a field of the page, or Escape, discards the query.
    if (key === 'Escape' || isTyping(event.target)) closePalette();
    return;
  }
  if (ctrlKey || metaKey || altKey || isComposing) return;
  if (key.length === 1) setPaletteQuery(state.query + key);
  else if (key === 'Backspace') setPaletteQuery(state.query.slice(0, -1));
  else if (key === 'Enter') enterPalette();
  else if (key === 'Escape') closePalette();
  else return;
  event.preventDefault();
  event.stopImmediatePropagation();
};

/** Remembers an early Enter, which takes effect once all results have arrived. */
export const enterPalette = (): void => set({ entered: true });

/** Stops catching keys, once the palette's input has the focus. */
export const takeKeys = (): void => window.removeEventListener('keydown', onEarlyKey, true);

export const openPalette = (): void => {
  if (state.opened) return;
  set({ ...closed, opened: true });
  window.addEventListener('keydown', onEarlyKey, true);
};

export const closePalette = (): void => {
  takeKeys();
  set(closed);
};

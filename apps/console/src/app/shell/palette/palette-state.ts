/**
 * Whether the palette is open, and what was typed into it. Keys arrive before the palette is drawn and has the focus:
 * until then they are caught here, so that none of them is lost or taken for a shortcut of the page.
 */
import { useSyncExternalStore } from 'react';
import { isTyping } from '../../../core/shortcuts';

interface PaletteState {
  opened: boolean;
  query: string;
  /** Enter was pressed before there was a result to choose. */
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

/** The palette could not be loaded, and is requested again. */
let isMissing = false;

/** Learns from each attempt whether the palette can be loaded. */
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
    // Loading failed, so keys go to the page. The query is kept, unless somebody types into a field of the page.
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

/** Enter before the first result: it counts as soon as there is one. */
export const enterPalette = (): void => set({ entered: true });

/** The palette's own field has the focus: from here on the browser does the typing. */
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

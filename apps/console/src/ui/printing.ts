/** Whether the page is on its way to paper, where times are absolute and lists whole. Its looks are in the style sheets. */
import { useSyncExternalStore } from 'react';

let printedAt: string | undefined;
let scheme: string | undefined;
const listeners = new Set<() => void>();

const become = (at: string | undefined): void => {
  const { dataset } = document.documentElement;
  // Paper is white.
  if (at !== undefined && printedAt === undefined) {
    scheme = dataset.mantineColorScheme;
    dataset.mantineColorScheme = 'light';
  }
  if (at === undefined && scheme !== undefined) dataset.mantineColorScheme = scheme;
  printedAt = at;
  listeners.forEach((tell) => tell());
};

const begin = (): void => become(new Date().toISOString());
const end = (): void => become(undefined);

const subscribe = (listener: () => void): (() => void) => {
  if (listeners.size === 0) {
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.removeEventListener('beforeprint', begin);
    window.removeEventListener('afterprint', end);
  };
};

/** The time of printing, known before the browser lays out the paper; `undefined` on the screen. */
export const usePrintedAt = (): string | undefined => useSyncExternalStore(subscribe, () => printedAt);

export const usePrinting = (): boolean => usePrintedAt() !== undefined;

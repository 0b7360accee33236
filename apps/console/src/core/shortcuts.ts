/** Single keys and `g` sequences. They can be switched off, since a screen reader or dictation may send such keys. */
import { useLayoutEffect, useRef, useSyncExternalStore } from 'react';

const KEY = 'quarterdeck.shortcuts';
const SEQUENCE_MS = 1200;

const handlers = new Map<string, (() => void)[]>();
const listeners = new Set<() => void>();
let off = ((): boolean => {
  try {
    return localStorage.getItem(KEY) === 'off';
  } catch {
    return false;
  }
})();
let before: { key: string; at: number } | undefined;

export const setShortcutsOff = (to: boolean): void => {
  off = to;
  try {
    if (to) localStorage.setItem(KEY, 'off');
    else localStorage.removeItem(KEY);
  } catch {
    // Without storage the setting applies to this tab only.
  }
  listeners.forEach((tell) => tell());
};

export const useShortcutsOff = (): boolean =>
  useSyncExternalStore(
    (tell) => {
      listeners.add(tell);
      return () => void listeners.delete(tell);
    },
    () => off,
  );

export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    // A letter does nothing to what is only chosen, such as the switch between View and Edit.
    target.closest(
      'input:not([type="radio"], [type="checkbox"], [type="range"]), textarea, select, [role="textbox"], [role="combobox"]',
    ) !== null);

const busyElsewhere = (): boolean => document.querySelector('[role="dialog"], [role="menu"]') !== null;

const onKeyDown = (event: KeyboardEvent): void => {
  if (off || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (isTyping(event.target) || busyElsewhere()) return;
  // The time of the press, not of this call: a busy page comes to it late.
  const sequence =
    before && event.timeStamp - before.at < SEQUENCE_MS ? `${before.key} ${event.key}` : undefined;
  const handler = (sequence && handlers.get(sequence)?.at(-1)) ?? handlers.get(event.key)?.at(-1);
  before = { key: event.key, at: event.timeStamp };
  if (!handler) return;
  event.preventDefault();
  before = undefined;
  handler();
};

export const listenForShortcuts = (): (() => void) => {
  window.addEventListener('keydown', onKeyDown);
  return () => window.removeEventListener('keydown', onKeyDown);
};

/**
 * The handler mounted last wins: a dialog's `n` has precedence over the page's. Layout effects run before anybody can see
 * the page, so a key pressed as soon as it is seen is not lost.
 */
export const useShortcut = (keys: string, handler: (() => void) | undefined): void => {
  const latest = useRef(handler);
  useLayoutEffect(() => {
    latest.current = handler;
  });
  const active = handler !== undefined;
  useLayoutEffect(() => {
    if (!active) return;
    const call = (): void => latest.current?.();
    handlers.set(keys, [...(handlers.get(keys) ?? []), call]);
    return () => {
      handlers.set(
        keys,
        (handlers.get(keys) ?? []).filter((other) => other !== call),
      );
    };
  }, [keys, active]);
};

export const shortcutWords: readonly (readonly [string, string])[] = [
  ['Ctrl K', 'Search everything'],
  ['/', 'Search on this page'],
  ['g o', 'Home'],
  ['g s', 'Servers'],
  ['g c', 'Scripts'],
  ['g r', 'Runs'],
  ['g a', 'Alerts'],
  ['g h', 'History'],
  ['g p', 'Products'],
  ['g d', 'Domains'],
  ['n', 'New, on a list'],
  ['e', 'Edit, on a detail'],
  ['u', 'Undo, while a message offers it'],
  ['?', 'These shortcuts'],
];

/**
 * Letters typed in an open menu focus the item that starts with them. The component library does that too, but its
 * pause cannot be configured. It ignores events handled here.
 */
import type { KeyboardEvent } from 'react';

const RESET_MS = 350;

export interface Typed {
  text: string;
  at: number;
}

export const typed = (before: Typed, key: string, at: number): Typed => ({
  text: (at - before.at < RESET_MS ? before.text : '') + key.toLowerCase(),
  at,
});

// Shared, since only one menu is open at a time.
let latest: Typed = { text: '', at: 0 };

const textOf = (item: Element): string =>
  ((item.querySelector('[data-menu-item-label]') ?? item).textContent ?? '').trim().toLowerCase();

export const typeAhead = (event: KeyboardEvent<HTMLElement>): void => {
  const { key, ctrlKey, metaKey, altKey, timeStamp, currentTarget, target } = event;
  if (key.length !== 1 || key === ' ' || ctrlKey || metaKey || altKey) return;
  if ((target as Element).closest('input, textarea, select') !== null) return;
  latest = typed(latest, key, timeStamp);
  const items = [...currentTarget.querySelectorAll<HTMLElement>('[data-menu-item]:not([data-disabled])')];
  const here = items.findIndex((item) => item === document.activeElement);
  // Repeating a letter cycles through the items that start with it.
  const walks = [...latest.text].every((letter) => letter === latest.text[0]);
  const wanted = walks ? latest.text.slice(0, 1) : latest.text;
  const ahead = walks ? [...items.slice(here + 1), ...items.slice(0, here + 1)] : items;
  event.preventDefault();
  ahead.find((item) => textOf(item).startsWith(wanted))?.focus();
};

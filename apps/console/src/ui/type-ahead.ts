/**
 * Letters typed in an open menu lead to the item that begins with them. The component library does that too, with a
 * pause of its own that cannot be set; what is handled here it leaves alone.
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

// One menu is open at a time.
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
  // The same letter again and again walks through all that begin with it.
  const walks = [...latest.text].every((letter) => letter === latest.text[0]);
  const wanted = walks ? latest.text.slice(0, 1) : latest.text;
  const ahead = walks ? [...items.slice(here + 1), ...items.slice(0, here + 1)] : items;
  event.preventDefault();
  ahead.find((item) => textOf(item).startsWith(wanted))?.focus();
};

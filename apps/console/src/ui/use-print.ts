/** Prints a document of its own, or saves it as PDF: every row and line, absolute times, who printed it and when. */
import { useCallback, useEffect, useEffectEvent } from 'react';
import { useAsOf } from '../core/as-of/as-of-state';
import { profileName, useSession } from '../core/session';
import { absoluteTime } from './RelativeTime';
import { TIME_ZONE } from './time-zone';

export interface PrintedDocument {
  title: string;
  /** What it is about, and what restricts it: `['Actor', 'Ada Marsh']`. */
  facts?: readonly (readonly [label: string, value: string])[];
  table?: { head: readonly string[]; rows: readonly (readonly string[])[] };
  /** Output. It keeps its lines. */
  text?: string;
}

const element = (name: string, ...parts: (string | Node)[]): HTMLElement => {
  const made = document.createElement(name);
  made.append(...parts);
  return made;
};

/** Longer words may be broken, since a table that is wider than the paper is cut. */
const MAX_WORD = 24;

/** As long as a time. */
const MAX_SHORT = 22;

/** With more columns the paper is turned, and only dates and single words are not broken. */
const MANY_COLUMNS = 6;
const MAX_SHORT_OF_MANY = 12;

const cellOf = (text: string, columns: number): HTMLElement => {
  const words = text.split(new RegExp(`(\\S{${MAX_WORD}})(?=\\S)`)).filter((part) => part !== '');
  const cell = element('td', ...words.flatMap((part, at) => (at === 0 ? [part] : [element('wbr'), part])));
  if (text.length <= (columns > MANY_COLUMNS ? MAX_SHORT_OF_MANY : MAX_SHORT)) cell.dataset.short = '';
  return cell;
};

const elementsOf = ({ title, facts = [], table, text }: PrintedDocument): HTMLElement[] => [
  element('h1', title),
  element('dl', ...facts.flatMap(([label, value]) => [element('dt', label), element('dd', value)])),
  ...(table
    ? [
        element(
          'table',
          element('thead', element('tr', ...table.head.map((name) => element('th', name)))),
          element(
            'tbody',
            ...table.rows.map((row) => element('tr', ...row.map((cell) => cellOf(cell, row.length)))),
          ),
        ),
      ]
    : []),
  ...(text === undefined ? [] : [element('pre', text)]),
];

/** Its style is in `global.css`: it is not shown on the screen, and alone on paper. */
const print = (printed: PrintedDocument): void => {
  // A browser that shows no dialog does not say that one was closed.
  document.querySelector('.qd-printed')?.remove();
  const page = element('article', ...elementsOf(printed));
  page.className = 'qd-printed';
  if ((printed.table?.head.length ?? 0) > MANY_COLUMNS) page.dataset.wide = '';
  document.body.append(page);
  // Some browsers print after `print()` has returned.
  window.addEventListener('afterprint', () => page.remove(), { once: true });
  window.print();
};

export const usePrint = (): ((printed: PrintedDocument) => void) => {
  const { profile, instance } = useSession();
  const at = useAsOf();
  return useCallback(
    ({ facts = [], ...printed }) =>
      print({
        ...printed,
        facts: [
          ['Workspace', instance.name],
          ...facts,
          ...(at === undefined ? [] : [['As of', absoluteTime(at)] as const]),
          ['Printed', `by ${profileName(profile)}, ${absoluteTime(new Date().toISOString())}`],
          ['Times', TIME_ZONE],
        ],
      }),
    [profile, instance.name, at],
  );
};

/** Ctrl+P prints the document. The menu of the browser prints the page itself: see `printing.ts`. */
export const usePrintKey = (print: () => void): void => {
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, shiftKey, altKey } = event;
    if (key.toLowerCase() !== 'p' || !(ctrlKey || metaKey) || shiftKey || altKey) return;
    event.preventDefault();
    print();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKey(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
};

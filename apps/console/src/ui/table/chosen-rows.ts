/** Which rows are chosen. Pure. */
import type { ReactNode } from 'react';

export interface TableSelection<Row> {
  /** By row key, also of rows that the search hides just now. */
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
  /** What a row is called: "web-1". */
  nameOf: (row: Row) => string;
  /** The keys of all rows that are found, where the table has one page of them only. */
  allFound?: () => Promise<readonly string[]>;
  /** Shown beside the count while something is chosen: what can be done with it. */
  actions?: ReactNode;
}

/** What was chosen and is there no more is chosen no more. */
export const stillThere = (chosen: ReadonlySet<string>, there: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...chosen].filter((id) => there.has(id)));

export const toggled = (chosen: ReadonlySet<string>, id: string): ReadonlySet<string> => {
  const next = new Set(chosen);
  if (!next.delete(id)) next.add(id);
  return next;
};

/** All of those that are shown, or none of them when all were chosen; what is not shown stays as it is. */
export const allToggled = (chosen: ReadonlySet<string>, shown: readonly string[]): ReadonlySet<string> => {
  const next = new Set(chosen);
  const all = shown.every((id) => chosen.has(id));
  for (const id of shown) {
    if (all) next.delete(id);
    else next.add(id);
  }
  return next;
};

export const chosenOf = (chosen: ReadonlySet<string>, shown: readonly string[]): 'all' | 'some' | 'none' => {
  const count = shown.filter((id) => chosen.has(id)).length;
  return count === 0 ? 'none' : count === shown.length ? 'all' : 'some';
};

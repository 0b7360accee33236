/** Selection of rows. Pure. */
import type { ReactNode } from 'react';

export interface TableSelection<Row> {
  /** Row keys, including rows that the search hides at the moment. */
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
  /** Name of a row: "web-1". */
  nameOf: (row: Row) => string;
  /** Fetches the keys of all found rows, for a table that has only one page of them. */
  allFound?: () => Promise<readonly string[]>;
  /** Actions on the selected rows, shown beside the count. */
  actions?: ReactNode;
}

/** Drops deleted rows from the selection. */
export const stillThere = (chosen: ReadonlySet<string>, there: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...chosen].filter((id) => there.has(id)));

export const toggled = (chosen: ReadonlySet<string>, id: string): ReadonlySet<string> => {
  const next = new Set(chosen);
  if (!next.delete(id)) next.add(id);
  return next;
};

/** Selects all shown rows, or deselects them if all were selected. Rows that are not shown stay as they are. */
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

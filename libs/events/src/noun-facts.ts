/**
 * What the browser needs of all nouns before it shows its first page. The console's build replaces this file by its
 * value, so that the first page loads neither the fields nor the words of a noun.
 */
import { isUndoable, nouns, type ReadModel, type UndoableType } from './nouns';
import { placement } from './placement';

interface NounFacts {
  /** The read model with one row for each record, by category. */
  rows: Partial<Record<string, string>>;
  /** The event type that removes a record of a category, if it can be undone. */
  removals: Partial<Record<string, UndoableType>>;
  /** The read models that an event makes stale, by its type, in addition to the history. */
  stale: Partial<Record<string, readonly Exclude<ReadModel, 'history'>[]>>;
  readModels: readonly ReadModel[];
}

export const nounFacts: NounFacts = {
  rows: Object.fromEntries(nouns.map(({ category, rows }) => [category, rows])),
  removals: Object.fromEntries(
    nouns.map(({ category, removedBy }) => [
      category,
      removedBy !== undefined && isUndoable(removedBy) ? removedBy : undefined,
    ]),
  ),
  stale: Object.fromEntries(Object.entries(placement).map(([type, { stale }]) => [type, stale])),
  readModels: [
    ...new Set(['history', ...nouns.flatMap(({ rows, stale = [] }) => [...(rows ? [rows] : []), ...stale])]),
  ] as readonly ReadModel[],
};

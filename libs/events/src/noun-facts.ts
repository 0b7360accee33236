/**
 * What the browser needs of all nouns before it shows its first page. The console's build replaces this file by its
 * value, so that the first page loads neither the fields nor the words of a noun.
 */
import { inWords } from './kit/field';
import { editTypes, eventNames, type PlainNoun } from './kit/noun';
import { isUndoable, nouns, ownViewed, plainNouns, type ReadModel, type UndoableType } from './nouns';
import { placement } from './placement';

interface NounFacts {
  /** The read model with one row for each record, by category. */
  rows: Partial<Record<string, string>>;
  /** The event type that removes a record of a category, if it can be undone. */
  removals: Partial<Record<string, UndoableType>>;
  /** The read models that an event makes stale, by its type, in addition to the history. */
  stale: Partial<Record<string, readonly Exclude<ReadModel, 'history'>[]>>;
  readModels: readonly ReadModel[];
  /** What one record of a noun of the kit is called, by category: `option set`. */
  kinds: Partial<Record<string, string>>;
  /** What an event did to a record of the kit, by its type. */
  deeds: Partial<Record<string, Deed>>;
}

export type Deed = 'added' | 'renamed' | 'edited' | 'removed' | 'restored' | 'revealed';

const ofKit = [...plainNouns, ...ownViewed] as readonly PlainNoun[];

const deedsOf = (noun: PlainNoun): [string, Deed][] => [
  ...editTypes(noun).map((type): [string, Deed] => [type, 'edited']),
  ...Object.entries(eventNames(noun)).map(([deed, type]): [string, Deed] => [type, deed as Deed]),
];

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
  kinds: Object.fromEntries(ofKit.map(({ category }) => [category, inWords(category)])),
  deeds: Object.fromEntries(ofKit.flatMap(deedsOf)),
};

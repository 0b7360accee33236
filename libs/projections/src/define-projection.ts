/** One definition serves the read model in Postgres, the state at an instant in the past, and the tests. */
import { streamParts, type LoggedEvent } from '@quarterdeck/events';

/** Postgres types of the columns that copy a property of the view. */
export type ColumnType =
  | 'text'
  | 'text[]'
  | 'uuid'
  | 'boolean'
  | 'integer'
  | 'bigint'
  | 'double precision'
  | 'timestamptz'
  | 'jsonb';

export interface ProjectionDefinition<View extends object> {
  /** Also the name of the SQL view in schema `read`. */
  name: string;
  /**
   * Increase it when the fold or the columns change. The next start then builds a new table while the old one still
   * serves.
   */
  version: number;
  /**
   * Lifted columns: top-level properties of the view that are copied into typed columns, for search, sort and indexes.
   * Null if undefined.
   */
  columns: Record<string, ColumnType>;
  /**
   * The part after `create index on <table>`: `(workspace, position)`, `using gin (search gin_trgm_ops)`. Ids take least
   * room as hashes (`hashed.ts`). What grows is
   * ascending, also for lists of the newest first: Postgres reads backwards as fast, but leaves pages half empty where
   * new entries come before the others of their group.
   */
  indexes: readonly string[];
  /** Correlated columns or expressions, such as `category, (hashtext(type))`. Postgres does not know such correlations by itself. */
  related?: readonly string[];
  /** A lifted column. Rows with a value in it are hidden from all readers, but kept for later events. */
  hiddenBy?: string;
  /**
   * Each event creates one row that no later event changes. So the state at an instant consists of all rows up to it.
   * Text properties that have a column are stored only in the column, not in the view.
   */
  appendOnly?: true;
  /**
   * Of an append-only projection: the columns of a unique index, which notices an event that is folded twice. Without it,
   * that is an index of ids, which serves nothing else.
   */
  once?: string;
  /**
   * Of an append-only projection: properties that are not stored in the view, as SQL expressions of type `jsonb` over
   * the columns.
   */
  derived?: Readonly<Record<string, string>>;
  /** Also receives events that this console did not write (`foreign`). Other projections never see them. */
  takesForeign?: true;
  /**
   * A lifted column with the position of the event that created the row. An index on it also serves queries about the
   * past.
   */
  madeBy?: string;
  /**
   * Lets a query about the past fold only the streams that it needs. A category: each stream of it creates one row,
   * whose id is the stream's id. `any`: each stream creates at most one row, whose id is the stream's name and which is
   * never deleted.
   */
  rowPer?: string;
  /**
   * Nobody who looks at a noun waits for it: it is written in batches, a moment later, at a position of its own. Who
   * reads it waits for what the others have already (`ProjectionRunner.waitForLater`).
   */
  later?: true;
  /**
   * Ids of the rows that an event changes. All events of a row are in one stream, so the row can be folded again alone.
   */
  keys(event: LoggedEvent): readonly string[];
  /** Pure. Returning `undefined` deletes the row. Called once per key. */
  evolve(view: View | undefined, event: LoggedEvent, key: string): View | undefined;
}

/** The runner treats views as opaque JSON objects. */
export type AnyProjection = ProjectionDefinition<object>;

export const defineProjection = <V extends object>(d: ProjectionDefinition<V>): ProjectionDefinition<V> => d;

/** One row for each stream of a category. */
export const rowPerStream = (category: string): Pick<AnyProjection, 'rowPer' | 'keys'> => ({
  rowPer: category,
  keys: ({ stream }) => {
    const parts = streamParts(stream);
    return parts.category === category ? [parts.id] : [];
  },
});

/** Whether a view may be shown. */
export const isShown = ({ hiddenBy }: Pick<AnyProjection, 'hiddenBy'>, view: object): boolean =>
  hiddenBy === undefined || (view as Record<string, unknown>)[hiddenBy] === undefined;

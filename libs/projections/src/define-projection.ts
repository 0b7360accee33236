/** One definition with three uses: the read model in Postgres, the state at an instant, the tests. */
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
   * Top-level properties of the view that are copied into typed columns, for search, sort and indexes. Null if
   * undefined.
   */
  columns: Record<string, ColumnType>;
  /** The part after `create index on <table>`: `(workspace, position desc)`, `using gin (search gin_trgm_ops)`. */
  indexes: readonly string[];
  /** Correlated columns, such as `category, type`. Postgres does not know such correlations by itself. */
  related?: readonly string[];
  /** A lifted column. Rows that have a value in it are kept for later events, but shown to nobody. */
  hiddenBy?: string;
  /**
   * Each event makes one row, and no later event changes it. So the state at an instant is all rows up to it, and each
   * text of the view that has a column is stored only there.
   */
  appendOnly?: true;
  /** Also receives events that this console did not write (`foreign`). Other projections never see them. */
  takesForeign?: true;
  /**
   * A lifted column with the position of the event that created the row. An index on it also serves queries about the
   * past.
   */
  madeBy?: string;
  /**
   * The category of the streams that make rows, if each of them makes one row, by its id. Or `any` if each stream makes
   * at most one row, by its name, that is never deleted. So a question about the past folds only the streams that it
   * needs.
   */
  rowPer?: string;
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

/** One definition, used three times: the read model in Postgres, the state at an instant, the tests. */
import type { LoggedEvent } from '@quarterdeck/events';

/** Postgres types that a property of a view may be lifted into. */
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
  /** Also the name of the view in schema `read`. */
  name: string;
  /** Raised when fold or columns change: the next start then rebuilds beside the old table, which serves meanwhile. */
  version: number;
  /** Top-level properties of the view lifted into typed columns, for search, sort and index. Null when undefined. */
  columns: Record<string, ColumnType>;
  /** What follows `create index on <table>`: `(workspace, position desc)`, `using gin (search gin_trgm_ops)`. */
  indexes: readonly string[];
  /** Columns of which one tells much about the other, which Postgres would not know: `category, type`. */
  related?: readonly string[];
  /** A lifted column: a row that has it is kept for what may follow, and nobody is shown it. */
  hiddenBy?: string;
  /** A row for each event, which no later event changes: what stood at an instant is what has come by then. */
  appendOnly?: true;
  /** Also sees events that this console did not write (`foreign`). Everybody else is spared them. */
  takesForeign?: true;
  /** A lifted column with the position of the event that made the row. An index over it serves every instant as well. */
  madeBy?: string;
  /** Ids of the rows that an event touches. All events of a row are of one stream, so that it can be read again alone. */
  keys(event: LoggedEvent): readonly string[];
  /** Pure. `undefined` as result: the row goes. Called once per key. */
  evolve(view: View | undefined, event: LoggedEvent, key: string): View | undefined;
}

/** What the runner works with: views are opaque JSON objects to it. */
export type AnyProjection = ProjectionDefinition<object>;

export const defineProjection = <V extends object>(d: ProjectionDefinition<V>): ProjectionDefinition<V> => d;

/** Whether a view may be seen. */
export const isShown = ({ hiddenBy }: Pick<AnyProjection, 'hiddenBy'>, view: object): boolean =>
  hiddenBy === undefined || (view as Record<string, unknown>)[hiddenBy] === undefined;

/** The tables of the read models, and the statements that fill them. */
import pg from 'pg';
import type { AnyProjection, ColumnType } from '../define-projection';

/** A projection and the table that holds its rows. */
export interface Target {
  projection: AnyProjection;
  /** Name of the table in schema `read_build`. */
  table: string;
}

const FIXED = ['id', 'workspace', 'position', 'view'];

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const inBuild = (table: string): string => `read_build.${quoted(table)}`;
export const viewOf = (projection: AnyProjection): string => `read.${quoted(projection.name)}`;

/** The lifted columns, without the fixed columns of every table. */
export const lifted = ({ columns }: Pick<AnyProjection, 'columns'>): [name: string, type: ColumnType][] =>
  Object.entries(columns).filter(([name]) => !FIXED.includes(name));

export const columnsOf = (projection: AnyProjection): string[] => [
  ...FIXED,
  ...lifted(projection).map(([name]) => quoted(name)),
];

/**
 * Columns of an append-only table whose values are left out of the stored view. These rows are never folded again, so
 * only readers need the complete view. Limited to text, which has the same form in a column and in JSON.
 */
export const unrepeated = ({
  columns,
  appendOnly,
  derived = {},
}: Pick<AnyProjection, 'columns' | 'appendOnly' | 'derived'>): string[] =>
  appendOnly
    ? [...Object.keys(columns).filter((name) => columns[name] === 'text'), ...Object.keys(derived)]
    : [];

/** SQL expression for the complete view of a stored row. */
const wholeView = (projection: AnyProjection): string => {
  const pairs = unrepeated(projection).map(
    (name) => `${pg.escapeLiteral(name)}, ${projection.derived?.[name] ?? quoted(name)}`,
  );
  return pairs.length === 0
    ? 'view'
    : `view || jsonb_strip_nulls(jsonb_build_object(${pairs.join(', ')})) as view`;
};

/**
 * Ids compare byte by byte, all other columns in linguistic order. A query that compares another column with an id can
 * use an index only with the column's own collation: `= id collate "default"`.
 */
export const createTable = ({ projection, table }: Target, kind: '' | 'temporary' = ''): string => {
  const name = kind === 'temporary' ? quoted(table) : inBuild(table);
  const extra = lifted(projection).map(([column, type]) => `, ${quoted(column)} ${type}`);
  // Rows of an append-only table are not looked up while it is filled, so its unique index is created with the others.
  const key = projection.appendOnly ? 'not null' : 'primary key';
  return `create ${kind} table ${name} (id text collate "C" ${key}, workspace text not null,
    position bigint not null, view jsonb not null${extra.join('')})`;
};

/** The columns that tell rows apart. */
const identity = ({ once = '(id)' }: AnyProjection): string => once;

/** Indexes for the order of lists. Short-lived tables can do without those for searching parts of words. */
export const orderedIndexes = ({ projection }: Target, name: string): string[] =>
  [...projection.indexes, ...(projection.once ? [projection.once] : [])]
    .filter((index) => index.startsWith('('))
    .map((index) => `create index on ${name} ${index}`);

export const autovacuum = ({ table }: Target, is: 'on' | 'off'): string =>
  `alter table ${inBuild(table)} ${is === 'on' ? 'reset (autovacuum_enabled)' : 'set (autovacuum_enabled = off)'}`;

/** Statistics target: the number of value pairs whose frequency Postgres records. */
const PAIRS = 500;

const createStatistics = (table: string, columns: string, n: number): string[] => {
  const name = inBuild(`${table}_related_${n}`);
  return [
    `create statistics ${name} (mcv) on ${columns} from ${inBuild(table)}`,
    `alter statistics ${name} set statistics ${PAIRS}`,
  ];
};

/**
 * A GIN index collects new entries before it sorts them in. As many as the default of 4 MB would take more room than the
 * index of a small installation, and a search reads all of them.
 */
const COLLECTED = 'with (gin_pending_list_limit = 1024)';

/**
 * Statements that can run concurrently. Each index has a name: two that are created at the same time could choose the
 * same one for an expression.
 */
export const createIndexes = ({ projection, table }: Target): string[] => [
  ...projection.indexes.map((index, n) => {
    const how = index.startsWith('using gin') ? index.replace(/( where .*)?$/s, ` ${COLLECTED}$1`) : index;
    return `create index ${quoted(`${table}_index_${n}`)} on ${inBuild(table)} ${how}`;
  }),
  ...(projection.appendOnly ? [`create unique index on ${inBuild(table)} ${identity(projection)}`] : []),
];

/** Planner statistics, which Postgres uses to choose among the indexes. */
export const planStatistics = ({ projection, table }: Target): string[] => [
  ...(projection.related ?? []).flatMap((columns, n) => createStatistics(table, columns, n)),
  // No query filters by a whole view, and sorting a sample of views would be most of the work.
  `alter table ${inBuild(table)} alter column view set statistics 0`,
];

/** Statements to run after the indexes are created. */
export const finishTable = (target: Target): string[] => [
  ...planStatistics(target),
  `analyze ${inBuild(target.table)}`,
  autovacuum(target, 'on'),
];

export const createView = ({ projection, table }: Target, how: 'create' | 'create or replace'): string =>
  `${how} view ${viewOf(projection)} as ${selectShown(projection, inBuild(table))}`;

/** The rows of a table that may be shown. */
export const selectShown = (projection: AnyProjection, table: string): string => {
  const { hiddenBy } = projection;
  const shown = hiddenBy === undefined ? '' : ` where ${quoted(hiddenBy)} is null`;
  const columns = columnsOf(projection).map((name) => (name === 'view' ? wholeView(projection) : name));
  return `select ${columns.join(', ')} from ${table}${shown}`;
};

export type WriteMode = 'insert' | 'upsert';

/** Writes new rows, given as lines in the order of these columns. Fails if a row exists. */
export const copyRows = ({ projection, table }: Target, { temporary = false } = {}): string =>
  `copy ${temporary ? quoted(table) : inBuild(table)} (${columnsOf(projection).join(', ')}) from stdin`;

/**
 * Writes the rows of one JSON parameter, `[{id, workspace, position, view}]`. Postgres extracts the columns from the
 * view, so that each value is sent once. `insert` fails if a row exists.
 */
export const writeRows = (
  { projection, table }: Target,
  mode: WriteMode,
  parameter: string,
  { temporary = false, gate = '' } = {},
): string => {
  const columns = lifted(projection);
  const record = columns.map(([name, type]) => `${quoted(name)} ${type}`).join(', ');
  const without = unrepeated(projection)
    .map((name) => pg.escapeLiteral(name))
    .join(', ');
  const values = [
    'r.id',
    'r.workspace',
    'r.position',
    without === '' ? 'r.view' : `r.view - array[${without}]`,
    ...columns.map(([name]) => `c.${quoted(name)}`),
  ];
  const names = columnsOf(projection);
  const updates = names.filter((name) => name !== 'id').map((name) => `${name} = excluded.${name}`);
  return `insert into ${temporary ? quoted(table) : inBuild(table)} (${names.join(', ')})
    select ${values.join(', ')} from ${gate}
      jsonb_to_recordset(${parameter}::jsonb) as r(id text, workspace text, position bigint, view jsonb)
      ${record === '' ? '' : `, jsonb_to_record(r.view) as c(${record})`}
    ${mode === 'upsert' ? `on conflict ${identity(projection)} do update set ${updates.join(', ')}` : ''}`;
};

/** Loads rows of several tables by id. Each row has the number of its target. Parameter n belongs to target n. */
export const loadRows = (targets: readonly Target[]): string =>
  targets
    .map(
      ({ table }, index) =>
        `select ${index} as target, id, workspace, position, view from ${inBuild(table)} where id = any($${index + 1}::text[])`,
    )
    .join(' union all ');

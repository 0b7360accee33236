/** The tables of the read models, and the statements that fill them. */
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

/** The lifted columns, without those that every table has. */
export const lifted = ({ columns }: Pick<AnyProjection, 'columns'>): [name: string, type: ColumnType][] =>
  Object.entries(columns).filter(([name]) => !FIXED.includes(name));

export const columnsOf = (projection: AnyProjection): string[] => [
  ...FIXED,
  ...lifted(projection).map(([name]) => quoted(name)),
];

/**
 * Ids compare byte by byte, all other columns in linguistic order. A query that compares another column with an id can
 * use an index only with the column's own collation: `= id collate "default"`.
 */
export const createTable = ({ projection, table }: Target, kind: '' | 'temporary' = ''): string => {
  const name = kind === 'temporary' ? quoted(table) : inBuild(table);
  const extra = lifted(projection).map(([column, type]) => `, ${quoted(column)} ${type}`);
  return `create ${kind} table ${name} (id text collate "C" primary key, workspace text not null,
    position bigint not null, view jsonb not null${extra.join('')})`;
};

/** Indexes for the order of lists. Short-lived tables can do without those for searching parts of words. */
export const orderedIndexes = ({ projection }: Target, name: string): string[] =>
  projection.indexes
    .filter((index) => index.startsWith('('))
    .map((index) => `create index on ${name} ${index}`);

export const autovacuum = ({ table }: Target, is: 'on' | 'off'): string =>
  `alter table ${inBuild(table)} ${is === 'on' ? 'reset (autovacuum_enabled)' : 'set (autovacuum_enabled = off)'}`;

/** How many pairs of values Postgres keeps the frequency of. */
const PAIRS = 500;

const createStatistics = (table: string, columns: string, n: number): string[] => {
  const name = inBuild(`${table}_related_${n}`);
  return [
    `create statistics ${name} (mcv) on ${columns} from ${inBuild(table)}`,
    `alter statistics ${name} set statistics ${PAIRS}`,
  ];
};

/** Includes the statistics that Postgres uses to choose among the indexes. */
export const createIndexes = ({ projection, table }: Target): string[] => [
  ...projection.indexes.map((index) => `create index on ${inBuild(table)} ${index}`),
  ...(projection.related ?? []).flatMap((columns, n) => createStatistics(table, columns, n)),
];

export const createView = ({ projection, table }: Target, how: 'create' | 'create or replace'): string =>
  `${how} view ${viewOf(projection)} as ${selectShown(projection, inBuild(table))}`;

/** The rows of a table that may be shown. */
export const selectShown = (projection: AnyProjection, table: string): string => {
  const { hiddenBy } = projection;
  const shown = hiddenBy === undefined ? '' : ` where ${quoted(hiddenBy)} is null`;
  return `select ${columnsOf(projection).join(', ')} from ${table}${shown}`;
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
  const values = [
    'r.id',
    'r.workspace',
    'r.position',
    'r.view',
    ...columns.map(([name]) => `c.${quoted(name)}`),
  ];
  const names = columnsOf(projection);
  const updates = names.filter((name) => name !== 'id').map((name) => `${name} = excluded.${name}`);
  return `insert into ${temporary ? quoted(table) : inBuild(table)} (${names.join(', ')})
    select ${values.join(', ')} from ${gate}
      jsonb_to_recordset(${parameter}::jsonb) as r(id text, workspace text, position bigint, view jsonb)
      ${record === '' ? '' : `, jsonb_to_record(r.view) as c(${record})`}
    ${mode === 'upsert' ? `on conflict (id) do update set ${updates.join(', ')}` : ''}`;
};

/** Loads rows of several tables by id. The number of the target tells them apart: parameter n belongs to target n. */
export const loadRows = (targets: readonly Target[]): string =>
  targets
    .map(
      ({ table }, index) =>
        `select ${index} as target, id, workspace, position, view from ${inBuild(table)} where id = any($${index + 1}::text[])`,
    )
    .join(' union all ');

/** The tables behind the read models, and the statements that fill them. */
import type { AnyProjection } from '../define-projection';

/** A projection and the table that holds its rows. */
export interface Target {
  projection: AnyProjection;
  /** In schema `read_build`. */
  table: string;
}

const FIXED = ['id', 'workspace', 'position', 'view'];

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const inBuild = (table: string): string => `read_build.${quoted(table)}`;
export const viewOf = (projection: AnyProjection): string => `read.${quoted(projection.name)}`;

/** The lifted columns. What every table has anyway needs no lifting. */
const lifted = (projection: AnyProjection): [name: string, type: string][] =>
  Object.entries(projection.columns).filter(([name]) => !FIXED.includes(name));

export const columnsOf = (projection: AnyProjection): string[] => [
  ...FIXED,
  ...lifted(projection).map(([name]) => quoted(name)),
];

/**
 * Ids are compared byte by byte, every other column in the order of words: where one that points to an id is compared
 * with it, an index over it is of use only to a comparison in its own order, `= id collate "default"`.
 */
export const createTable = ({ projection, table }: Target, kind: '' | 'temporary' = ''): string => {
  const name = kind === 'temporary' ? quoted(table) : inBuild(table);
  const extra = lifted(projection).map(([column, type]) => `, ${quoted(column)} ${type}`);
  return `create ${kind} table ${name} (id text collate "C" primary key, workspace text not null,
    position bigint not null, view jsonb not null${extra.join('')})`;
};

/** By which a table's lists are ordered; finding by parts of words can do without on tables of a moment. */
export const orderedIndexes = ({ projection }: Target, name: string): string[] =>
  projection.indexes
    .filter((index) => index.startsWith('('))
    .map((index) => `create index on ${name} ${index}`);

/** How many pairs of values Postgres knows the number of. */
const PAIRS = 500;

const createStatistics = (table: string, columns: string, n: number): string[] => {
  const name = inBuild(`${table}_related_${n}`);
  return [
    `create statistics ${name} (mcv) on ${columns} from ${inBuild(table)}`,
    `alter statistics ${name} set statistics ${PAIRS}`,
  ];
};

/** With the statistics by which Postgres chooses among the indexes. */
export const createIndexes = ({ projection, table }: Target): string[] => [
  ...projection.indexes.map((index) => `create index on ${inBuild(table)} ${index}`),
  ...(projection.related ?? []).flatMap((columns, n) => createStatistics(table, columns, n)),
];

export const createView = ({ projection, table }: Target, how: 'create' | 'create or replace'): string =>
  `${how} view ${viewOf(projection)} as ${selectShown(projection, inBuild(table))}`;

/** The rows of a table that may be seen. */
export const selectShown = (projection: AnyProjection, table: string): string => {
  const { hiddenBy } = projection;
  const shown = hiddenBy === undefined ? '' : ` where ${quoted(hiddenBy)} is null`;
  return `select ${columnsOf(projection).join(', ')} from ${table}${shown}`;
};

export type WriteMode = 'insert' | 'upsert';

/**
 * Writes the rows of one parameter, `[{id, workspace, position, view}]` as JSON. Postgres takes the columns out of the
 * view, so that each value travels once. `insert` fails on a row that exists.
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

/** Rows of several tables by id, told apart by the number of the target; parameter n belongs to target n. */
export const loadRows = (targets: readonly Target[]): string =>
  targets
    .map(
      ({ table }, index) =>
        `select ${index} as target, id, workspace, position, view from ${inBuild(table)} where id = any($${index + 1}::text[])`,
    )
    .join(' union all ');

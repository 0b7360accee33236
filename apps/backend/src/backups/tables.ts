/**
 * Which tables an archive has. Each room and each feature says in its `*.tables.ts` what becomes of its tables; a backup
 * refuses a database with a table of which nobody says it.
 */
import type { ClientBase } from 'pg';
import type { Rows } from '../platform/database';
import type { Head } from './archive/head';

export type TableRows = Readonly<Record<string, Rows>>;
type Kept = Extract<Rows, { kept: string }>;

export const PARTS = ['tables', 'output', 'samples'] as const;
export const LOG_PART = 'log';
export const MASTER_KEY_PART = 'master-key';

/** Tables and what is kept of them, apart from `log.events`: a part of its own, and all that a log elsewhere replaces. */
export const keptOf = (rows: TableRows): [table: string, kept: Kept][] =>
  Object.entries(rows).flatMap(([table, one]): [string, Kept][] => ('kept' in one ? [[table, one]] : []));

/** `log.head` is the end of the log, which is in the head. */
const OF_THE_LOG = ['log.events', 'log.head'];

const TABLES = `
  select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast', 'read', 'read_build')
    and n.nspname not like 'pg_temp%' and n.nspname not like 'pg_toast_temp%' and n.nspname <> 'public'
    and c.relkind in ('r', 'p', 'm', 'f', 'S')
  order by 1`;

/** Tables, sequences and the like that nobody has said anything about. */
export const unnamedTables = async (db: Pick<ClientBase, 'query'>, tables: TableRows): Promise<string[]> => {
  const { rows } = await db.query<{ name: string }>(TABLES);
  const named = new Set([...OF_THE_LOG, ...Object.keys(tables)]);
  return rows.map(({ name }) => name).filter((name) => !named.has(name));
};

/** The columns of a table that hold data of their own, in order; none for a table that this version has yet to make. */
export const columnsOf = async (db: Pick<ClientBase, 'query'>, table: string): Promise<string[]> => {
  const { rows } = await db.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = to_regclass($1) and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  );
  return rows.map(({ name }) => name);
};

/** The database and what was visible in it, so that an increment can tell which rows came later. */
export interface Snapshot {
  /** Server and database. Transactions of another one are counted anew. */
  database: string;
  /** All transactions before this one had ended. */
  xmin: string;
}

export const snapshotOf = async (db: Pick<ClientBase, 'query'>): Promise<Snapshot> => {
  const { rows } = await db.query<Snapshot>(
    `select system_identifier || '/' || d.oid as database, pg_snapshot_xmin(pg_current_snapshot())::text as xmin
     from pg_control_system(), pg_database d where d.datname = current_database()`,
  );
  const [found] = rows;
  if (!found) throw new Error('the database does not say what it is');
  return found;
};

/** Row versions name their transaction by its last 32 bits, so what is too long ago cannot be told from what is new. */
const TOLD_APART = 1n << 30n;

/** Whether rows that came after the first can be told at the second. */
export const canTellNewRows = (before: Snapshot, now: Snapshot): boolean =>
  before.database === now.database &&
  BigInt(now.xmin) >= BigInt(before.xmin) &&
  BigInt(now.xmin) - BigInt(before.xmin) < TOLD_APART;

/**
 * True of row versions that the snapshot may not have shown. Some of them it did: a restore puts rows in by their keys,
 * so it does no harm to have them again.
 */
export const cameAfter = ({ xmin }: Snapshot): string =>
  `age(xmin) <= age('${BigInt.asUintN(32, BigInt(xmin))}'::xid)`;

/**
 * How many rows a restore of these archives gives each table, at least or exactly.
 * @param heads the full one first
 */
export const countedIn = (
  tables: TableRows,
  heads: readonly Head[],
): { table: string; exact: boolean; expected: number }[] => {
  const last = heads.at(-1)!;
  const rows: Record<string, number> = Object.assign({}, ...last.parts.map((part) => part.rows));
  return keptOf(tables).flatMap(([table, { grows }]) => {
    const exact = !grows || last.base === null;
    const expected = exact ? rows[table] : last.totals?.[table];
    return expected === undefined ? [] : [{ table, exact, expected }];
  });
};

/**
 * Which tables an archive contains. Each room of the platform and each feature declares in its `*.tables.ts` how its
 * tables are backed up. A backup refuses a database with an undeclared table.
 */
import type { ClientBase } from 'pg';
import type { Rows } from '../platform/database';
import type { Head } from './archive/head';

export type TableRows = Readonly<Record<string, Rows>>;
type KeptRows = Extract<Rows, { kept: string }>;

export const PARTS = ['tables', 'output', 'samples'] as const;
export const LOG_PART = 'log';
export const MASTER_KEY_PART = 'master-key';

/**
 * Tables and how they are kept. Without `log.events`, which has its own part, and without everything that a log outside
 * the database replaces.
 */
export const keptOf = (rows: TableRows): [table: string, kept: KeptRows][] =>
  Object.entries(rows).flatMap(([table, one]): [string, KeptRows][] => ('kept' in one ? [[table, one]] : []));

/** `log.head` is the end of the log, which the head of the archive contains. */
const OF_THE_LOG = ['log.events', 'log.head'];

const TABLES = `
  select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast', 'read', 'read_build')
    and n.nspname not like 'pg_temp%' and n.nspname not like 'pg_toast_temp%' and n.nspname <> 'public'
    and c.relkind in ('r', 'p', 'm', 'f', 'S')
  order by 1`;

/** Tables, sequences and similar relations that are not declared anywhere. */
export const unnamedTables = async (db: Pick<ClientBase, 'query'>, tables: TableRows): Promise<string[]> => {
  const { rows } = await db.query<{ name: string }>(TABLES);
  const named = new Set([...OF_THE_LOG, ...Object.keys(tables)]);
  return rows.map(({ name }) => name).filter((name) => !named.has(name));
};

/** The stored columns of a table, in order, without generated ones. Empty if the table does not exist yet. */
export const columnsOf = async (db: Pick<ClientBase, 'query'>, table: string): Promise<string[]> => {
  const { rows } = await db.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = to_regclass($1) and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  );
  return rows.map(({ name }) => name);
};

/** Identifies the database and what was visible in it, so that an increment can find the rows added later. */
export interface Snapshot {
  /** Server and database. Another database counts its transactions separately. */
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

/** Rows store only the last 32 bits of their transaction id, so very old rows could not be told from new ones. */
const TOLD_APART = 1n << 30n;

/** Whether rows added between the two snapshots can be identified. */
export const canTellNewRows = (before: Snapshot, now: Snapshot): boolean =>
  before.database === now.database &&
  BigInt(now.xmin) >= BigInt(before.xmin) &&
  BigInt(now.xmin) - BigInt(before.xmin) < TOLD_APART;

/**
 * SQL condition for row versions that the snapshot may not have contained. Some may have been contained: backing them
 * up again is harmless because a restore inserts rows by key.
 */
export const cameAfter = ({ xmin }: Snapshot): string =>
  `age(xmin) <= age('${BigInt.asUintN(32, BigInt(xmin))}'::xid)`;

/**
 * The number of rows that each table has, at least or exactly, after these archives are restored.
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

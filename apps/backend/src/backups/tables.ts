/**
 * Which tables an archive has. Each table of schemas `app` and `log` is named here, as kept or as left out: a test, and
 * every backup, refuse one that is not, so that a later table cannot be forgotten.
 */
import type { ClientBase } from 'pg';

interface Kept {
  /** The part of the archive that it is in. */
  part: 'tables' | 'output' | 'samples';
  /** Grows without end: an increment has only the rows that came or changed since the archive before. */
  grows?: true;
  /** Only rows of which this is true. */
  only?: string;
}

/** Apart from `log.events`, which is a part of its own and the only one that a log elsewhere replaces. */
export const KEPT: Readonly<Record<string, Kept>> = {
  // Without the marks that claims were made again from the log: claims are left out.
  'app.installation': { part: 'tables', only: `key not like 'remade:%'` },
  'app.person_records': { part: 'tables' },
  'app.identities': { part: 'tables' },
  'app.sessions': { part: 'tables' },
  'app.sign_in_links': { part: 'tables' },
  'app.invitations': { part: 'tables' },
  'app.vault': { part: 'tables' },
  'app.vault_keys': { part: 'tables' },
  'app.token_checks': { part: 'tables' },
  // Nobody repeats a call that an earlier process left unanswered.
  'app.command_receipts': { part: 'tables', only: 'status is not null and expires_at > now()' },
  'app.run_output': { part: 'output', grows: true },
  'app.health_samples': { part: 'samples', grows: true },
  'app.ssl_checks': { part: 'samples', grows: true },
};

export const PARTS = ['tables', 'output', 'samples'] as const;
export const LOG_PART = 'log';
export const MASTER_KEY_PART = 'master-key';

/** Table and reason. Schemas `read` and `read_build` are left out as a whole: they are built from the log. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'app.migrations': 'the head names the steps, and a restore takes them again',
  'app.claims': 'made again from the log before anything is served',
  'app.backup_progress': 'of work that is under way',
  'app.leases': 'of processes that are alive',
  'app.processes': 'of processes that are alive',
  'app.sign_in_attempts': 'minutes old at most',
  'app.failed_attempts': 'an hour old at most',
  'log.head': 'the end of the log, which is in the head',
};

const TABLES = `
  select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast', 'read', 'read_build')
    and n.nspname not like 'pg_temp%' and n.nspname not like 'pg_toast_temp%' and n.nspname <> 'public'
    and c.relkind in ('r', 'p', 'm', 'f', 'S')
  order by 1`;

/** Tables, sequences and the like that nobody has said anything about. */
export const unnamedTables = async (db: Pick<ClientBase, 'query'>): Promise<string[]> => {
  const { rows } = await db.query<{ name: string }>(TABLES);
  const named = new Set(['log.events', ...Object.keys(KEPT), ...Object.keys(LEFT_OUT)]);
  return rows.map(({ name }) => name).filter((name) => !named.has(name));
};

/** The columns of a table that hold data of their own, in order. */
export const columnsOf = async (db: Pick<ClientBase, 'query'>, table: string): Promise<string[]> => {
  const { rows } = await db.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
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

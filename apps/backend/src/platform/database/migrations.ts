/** Brings the plain tables of schema `app` up to date. Each room and each feature defines its own. */
import type { ClientBase, Pool } from 'pg';

/**
 * A migration. Every installation remembers it by its name. Never edit a released one: add a new one.
 *
 * Steps run in the order of their names. Steps of several owners with the same name run as one.
 */
export interface Step {
  name: string;
  sql: string;
}

/** What a backup does with the rows of a table. */
export type Rows =
  | {
      /** The part of the archive that they are in. */
      kept: 'tables' | 'output' | 'samples';
      /** The table grows without end. An incremental archive has only rows added or changed since the previous one. */
      grows?: true;
      /** SQL condition: only matching rows are kept. */
      only?: string;
    }
  /** Why a backup does not need the rows: they are short-lived, or can be made again. */
  | { leftOut: string };

/** The tables of one owner. */
export interface Tables {
  steps: readonly Step[];
  /** An entry for each table that the steps create. */
  rows: Readonly<Record<string, Rows>>;
  /** Tables whose rows have a time: a query for their contents at an instant. All others show the present. */
  timed?: Readonly<Record<string, (at: string) => string>>;
}

/** Table of the steps that an installation has run. */
export const MIGRATIONS = 'app.migrations';

/** @throws Error for a table without an entry that says whether a backup keeps it */
const checked = (owner: Tables): Tables => {
  const made = owner.steps.flatMap(({ sql }) =>
    [...sql.matchAll(/\bcreate (?:unlogged )?table (?:if not exists )?(app\.\w+)/g)].map(
      ([, name = '']) => name,
    ),
  );
  const silent = made.find((name) => !(name in owner.rows));
  if (silent !== undefined) throw new Error(`table ${silent}: say in \`rows\` whether a backup keeps it`);
  return owner;
};

/** Combines the tables of all rooms and features. Steps with the same name become one. */
export const composed = (owners: readonly Tables[]): Required<Tables> => {
  const steps = new Map<string, string[]>();
  for (const { name, sql } of owners.flatMap((owner) => checked(owner).steps))
    steps.set(name, [...(steps.get(name) ?? []), sql]);
  return {
    steps: [...steps]
      .map(([name, parts]) => ({ name, sql: parts.join(';') }))
      .sort((one, other) => (one.name < other.name ? -1 : 1)),
    rows: Object.assign({}, ...owners.map(({ rows }) => rows)) as Tables['rows'],
    timed: Object.assign({}, ...owners.map(({ timed }) => timed)) as Required<Tables>['timed'],
  };
};

/** Any number that all processes of a database share. */
const MIGRATION_LOCK = 5_171_140_001;

/** A restore into this database was started but not finished, so nothing may be recorded in it. */
export class UnfinishedRestore extends Error {
  override name = 'UnfinishedRestore';
}

/** The schema has a step that this version does not know. Its writes could break the newer version. */
export class NewerSchema extends Error {
  override name = 'NewerSchema';
}

/** Table that exists from the beginning of a restore to its end. */
export const RESTORING = 'app.restoring';
/** File in DATA_DIR that does the same before the embedded Postgres of a restore has any table. */
export const RESTORING_MARK = 'restore-is-not-finished';

const refuseUnfinished = async (client: ClientBase): Promise<void> => {
  const { rows } = await client.query<{ unfinished: boolean }>(
    'select to_regclass($1) is not null as unfinished',
    [RESTORING],
  );
  if (rows[0]?.unfinished) throw new UnfinishedRestore('a restore was begun here and did not end');
};

/**
 * Brings schema `app` up to date. Two back ends that start together take turns.
 * @param restoring only a restore sets this; it may leave steps out
 * @param before called with the names of the missing steps, unless the schema is empty
 * @param alsoPending names other changes that this version will make to the database; `before` gets them too
 * @throws UnfinishedRestore, NewerSchema
 */
export const migrate = async (
  pool: Pool,
  steps: readonly Step[],
  {
    restoring = false,
    before,
    alsoPending,
  }: {
    restoring?: boolean;
    before?: (pending: readonly string[]) => Promise<void>;
    alsoPending?: () => Promise<readonly string[]>;
  } = {},
): Promise<void> => {
  const client = await pool.connect();
  try {
    // A migration of a large table, or waiting for another process, may take long.
    await client.query('set statement_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    if (!restoring) await refuseUnfinished(client);
    await client.query('create schema if not exists app');
    await client.query(
      `create table if not exists ${MIGRATIONS} (name text primary key, at timestamptz not null default now())`,
    );
    const { rows } = await client.query<{ name: string }>('select name from app.migrations');
    const done = new Set(rows.map((row) => row.name));
    const later = rows.find(({ name }) => !steps.some((step) => step.name === name));
    if (!restoring && later) throw new NewerSchema(`step ${later.name} is of a newer version`);
    const pending = steps.filter(({ name }) => !done.has(name));
    if (done.size > 0) {
      const changes = [...pending.map(({ name }) => name), ...((await alsoPending?.()) ?? [])];
      if (changes.length > 0) await before?.(changes);
    }
    for (const { name, sql } of pending) {
      await client.query('begin');
      await client.query(sql);
      await client.query('insert into app.migrations (name) values ($1)', [name]);
      await client.query('commit');
    }
  } finally {
    // Closing the connection releases the lock, drops the setting and rolls back an unfinished migration.
    client.release(true);
  }
};

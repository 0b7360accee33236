/**
 * While the table of a new version is built, its queries read the old table. This gives the old table the indexes that
 * they need. Otherwise a page of a large history would take seconds until the new table is in place.
 */
import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import type { AnyProjection } from '../define-projection';
import { readCheckpoints } from './checkpoints';
import { isUnknownColumn } from './faults';
import { connected } from './maintenance-lock';
import { inBuild, orderedIndexes, quoted } from './tables';

/** The valid indexes of a table in Postgres' own words, without their names. */
const indexesOf = async (client: Client, table: string): Promise<string[]> => {
  const { rows } = await client.query<{ how: string }>(
    `select split_part(pg_get_indexdef(indexrelid), ' USING ', 2) as how
     from pg_index where indrelid = $1::regclass and indisvalid order by indexrelid`,
    [table],
  );
  return rows.map(({ how }) => how);
};

/** The indexes of the new version that the old table lacks, except those of columns that it lacks as well. */
async function missing(client: Client, projection: AnyProjection, old: string): Promise<string[]> {
  const had = new Set(await indexesOf(client, old));
  await client.query(`create temporary table meanwhile (like ${old})`);
  try {
    for (const statement of orderedIndexes({ projection, table: 'meanwhile' }, 'meanwhile'))
      await client.query(statement).catch((error: unknown) => {
        if (!isUnknownColumn(error)) throw error;
      });
    return (await indexesOf(client, 'meanwhile')).filter((how) => !had.has(how));
  } finally {
    await client.query('drop table meanwhile');
  }
}

/**
 * Holds up neither readers nor writers, but waits for all queries that began before, even those that are slow for want
 * of the index. The indexes vanish with the old table.
 */
async function addTo(client: Client, source: string, indexes: readonly string[]): Promise<void> {
  const table = inBuild(source);
  for (const how of indexes) {
    const name = `${source}_${createHash('sha1').update(how).digest('hex').slice(0, 8)}`;
    // One that a killed process left incomplete.
    await client.query(`drop index concurrently if exists ${inBuild(name)}`);
    await client.query(`create index concurrently ${quoted(name)} on ${table} using ${how}`);
  }
  // Most of the new indexes are of expressions, which have no statistics yet.
  if (indexes.length > 0) await client.query(`analyze ${table}`);
}

/** @param signal ends it at any time. It changes no results, so its failure needs no handling either. */
export async function indexMeanwhile(
  connectionString: string,
  projections: readonly AnyProjection[],
  signal: AbortSignal,
): Promise<void> {
  const client = await connected(connectionString);
  const leave = (): void => void client.end().catch(() => undefined);
  signal.addEventListener('abort', leave, { once: true });
  try {
    signal.throwIfAborted();
    // Otherwise Postgres would notice the end of the connection only after the statement.
    await client.query(`set client_connection_check_interval = '500ms'`);
    const stored = new Map((await readCheckpoints(client)).map((row) => [row.projection, row]));
    for (const projection of projections) {
      const { version = 0, source = '' } = stored.get(projection.name) ?? {};
      // A table of version 0 is empty.
      if (version > 0 && version < projection.version)
        await addTo(client, source, await missing(client, projection, inBuild(source)));
    }
  } finally {
    signal.removeEventListener('abort', leave);
    await client.end().catch(() => undefined);
  }
}

import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { schema } from './schema';

const fingerprint = createHash('sha256').update(schema).digest('hex');

/** Fingerprint of the version that last migrated schema `log`; undefined if there is no such schema. */
const madeBy = async (db: Pick<Pool, 'query'>): Promise<string | undefined> => {
  const { rows } = await db.query<{ mark: string }>(
    `select coalesce(obj_description(oid, 'pg_namespace'), '') as mark from pg_namespace where nspname = 'log'`,
  );
  return rows[0]?.mark;
};

/** Whether another version made the schema, so that opening the log would migrate it. */
export const isLogOfAnotherVersion = async (db: Pick<Pool, 'query'>): Promise<boolean> => {
  const mark = await madeBy(db);
  return mark !== undefined && mark !== fingerprint;
};

/** Whether anything can have been recorded here: a first start that was killed may have made no log yet. */
export const hasLog = async (db: Pick<Pool, 'query'>): Promise<boolean> => (await madeBy(db)) !== undefined;

/** Creates schema `log` or brings it up to date. If two processes start at once, one waits for the other. */
export async function migrate(pool: Pool): Promise<void> {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(hashtext('quarterdeck log schema'))`);
    if ((await madeBy(client)) !== fingerprint) {
      await client.query(schema);
      await client.query(`comment on schema log is '${fingerprint}'`);
    }
    await client.query('commit');
    broken = false;
  } finally {
    client.release(broken);
  }
}

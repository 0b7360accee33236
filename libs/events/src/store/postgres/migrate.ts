import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { schema } from './schema';

const fingerprint = createHash('sha256').update(schema).digest('hex');

/** Creates schema `log` or brings it up to date. If two processes start at once, one waits for the other. */
export async function migrate(pool: Pool): Promise<void> {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(hashtext('quarterdeck log schema'))`);
    const { rows } = await client.query<{ comment: string | null }>(
      `select obj_description(to_regnamespace('log'), 'pg_namespace') as comment`,
    );
    if (rows[0]?.comment !== fingerprint) {
      await client.query(schema);
      await client.query(`comment on schema log is '${fingerprint}'`);
    }
    await client.query('commit');
    broken = false;
  } finally {
    client.release(broken);
  }
}

/** Read models belong to the log that they were built from: beside another one they would show what never happened there. */
import type pg from 'pg';
import { inTransaction } from './checkpoints';

export class AnotherLog extends Error {
  override name = 'AnotherLog';
  constructor(
    readonly built: string,
    /** Undefined for a log without an identity. */
    readonly found: string | undefined,
  ) {
    super(
      `the read models were built from event log ${built}, and this is ${found ? `event log ${found}` : 'another one'}`,
    );
  }
}

/** The log that the read models of this database are of; undefined when there are none yet. */
export const sourceLog = async (db: pg.Pool): Promise<string | undefined> => {
  const { rows } = await db.query<{ known: boolean }>(`select to_regclass('read.log') is not null as known`);
  if (!rows[0]?.known) return undefined;
  return (await db.query<{ id: string }>('select id from read.log')).rows[0]?.id;
};

/**
 * The first log that is followed is theirs.
 * @throws AnotherLog
 */
export async function followLog(db: pg.Pool, log: string): Promise<void> {
  await db.query('insert into read.log (id) values ($1) on conflict do nothing', [log]);
  const built = await sourceLog(db);
  if (built !== undefined && built !== log) throw new AnotherLog(built, log);
}

/**
 * Before they are rebuilt from another log: what they have reached in the old one means nothing there. Until the rebuild
 * has ended they are still the old log's, and its console would build them anew by itself.
 */
export const leaveLog = async (db: pg.Pool): Promise<void> => {
  const client = await db.connect();
  try {
    await inTransaction(client, async () => {
      await client.query(`update read.checkpoints set state = 'frozen', position = 0`);
      await client.query('delete from read.parked');
    });
  } finally {
    client.release();
  }
};

export const takeUpLog = async (db: pg.Pool, log: string): Promise<void> => {
  await db.query('insert into read.log (id) values ($1) on conflict (sole) do update set id = excluded.id', [
    log,
  ]);
};

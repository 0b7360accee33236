/**
 * Read models belong to the log that they were built from. With another log they would show things that never happened
 * there.
 */
import type { Position } from '@quarterdeck/events';
import type pg from 'pg';
import { holdCheckpoints, inTransaction } from './checkpoints';
import type { LaneName } from './lanes';
import { PLACES } from './schema';

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

/** The log that this database's read models were built from; undefined if there are none yet. */
export const sourceLog = async (db: pg.Pool): Promise<string | undefined> => {
  const { rows } = await db.query<{ known: boolean }>(`select to_regclass('read.log') is not null as known`);
  if (!rows[0]?.known) return undefined;
  return (await db.query<{ id: string }>('select id from read.log')).rows[0]?.id;
};

/**
 * A log, and the id of the event with which it arrived at its present place, if it ever moved. Positions differ between
 * places.
 */
export interface SourceLog {
  id: string;
  home: string | undefined;
}

/** Whether positions in the read models belong to this log at this place. */
export const isFollowed = async (db: pg.Pool | pg.ClientBase, { id, home }: SourceLog): Promise<boolean> => {
  const { rowCount } = await db.query(
    'select from read.log where id = $1 and home is not distinct from $2::uuid',
    [id, home],
  );
  return rowCount === 1;
};

/** Positions of the live read models, by lane. */
export interface FollowedPlaces extends Record<LaneName, Position | null> {
  followed: boolean;
}

/** Asks for the positions of the live read models, and whether they belong to this log at this place. */
export const followedPlaces = (source: SourceLog | undefined) => ({
  name: 'followed-places',
  text: `select ${PLACES}, $1::uuid is null
      or exists (select from read.log where id = $1 and home is not distinct from $2::uuid) as followed
    from read.places where state = 'live'`,
  values: [source?.id ?? null, source?.home ?? null],
});

/**
 * Binds the read models to the first log that they follow. If that log has moved since, they are frozen, still shown in
 * their old state, and rebuilt together.
 * @returns whether the log has moved
 * @throws AnotherLog
 */
export async function followLog(db: pg.Pool, source: SourceLog): Promise<boolean> {
  const { id, home } = source;
  await db.query('insert into read.log (id, home) values ($1, $2) on conflict do nothing', [id, home]);
  const built = await sourceLog(db);
  if (built !== undefined && built !== id) throw new AnotherLog(built, id);
  if (await isFollowed(db, source)) return false;
  await freezeAll(db, (client) => client.query('update read.log set home = $1', [home]));
  return true;
}

/**
 * Call before a rebuild from another log: positions of the old log are meaningless there. Until that rebuild has ended,
 * the read models still belong to the old log, whose console would rebuild them by itself.
 */
export const leaveLog = (db: pg.Pool): Promise<void> => freezeAll(db);

export const takeUpLog = async (db: pg.Pool, { id, home }: SourceLog): Promise<void> => {
  await db.query(
    `insert into read.log (id, home) values ($1, $2)
     on conflict (sole) do update set id = excluded.id, home = excluded.home`,
    [id, home],
  );
};

async function freezeAll(
  db: pg.Pool,
  more: (client: pg.ClientBase) => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  const client = await db.connect();
  try {
    await inTransaction(client, async () => {
      await client.query(holdCheckpoints);
      // Treat all as never built. If one went live alone, all others would take its position.
      await client.query(
        `update read.checkpoints set state = 'frozen', follows = false, later = false, version = 0, position = 0`,
      );
      await client.query('delete from read.parked');
      await more(client);
    });
  } finally {
    client.release();
  }
}

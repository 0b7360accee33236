/**
 * Reads the Postgres engine's log for an audit. It reads only plain columns: somebody could have replaced a database
 * function with one that hides an alteration.
 */
import type { Pool } from 'pg';
import { comparePositions, START, type Position } from '../../envelope';
import { BEGINNING, verify, type AuditedLog, type AuditResult, type Link, type Seal } from '../audit';
import { GENESIS, rawLine, type RawEvent } from '../chain';
import { outsideInWords, outsideRows } from './outside';

const PAGE = 5_000;

/** The recorded end of the log; undefined if the head row is missing. */
export const headOf = async (db: Pool): Promise<Seal | undefined> =>
  (await db.query<Seal>(`select position::text, encode(hash, 'hex') as hash from log.head`)).rows[0];

type RawRow = Omit<RawEvent, 'recordedAt' | 'revision'> & {
  revision: string;
  hash: string;
  milliseconds: string;
};

const linkOf = ({ hash, milliseconds, ...row }: RawRow): Link => {
  const event = {
    ...row,
    recordedAt: new Date(Number(milliseconds)).toISOString(),
    revision: Number(row.revision),
  };
  return { position: row.position, hash, line: rawLine(event), event };
};

async function* linksOf(db: Pool, start: Seal, head: Seal): AsyncGenerator<Link> {
  for (let after = start.position; comparePositions(after, head.position) < 0;) {
    const { rows } = await db.query<RawRow>(
      `select position::text, stream, revision::text, event_id as id, type,
         (extract(epoch from recorded_at) * 1000)::text as milliseconds, data::text, meta::text, encode(hash, 'hex') as hash
       from log.events as e where e.position > $1 and e.position <= $2 order by e.position limit ${PAGE}`,
      [after, head.position],
    );
    for (const row of rows) yield linkOf(row);
    const last = rows.at(-1);
    if (!last) return;
    after = last.position;
  }
}

/** Hash of one event; undefined if there is no such event. */
export const hashAt = async (db: Pool, position: Position): Promise<string | undefined> =>
  (
    await db.query<{ hash: string }>(
      `select encode(hash, 'hex') as hash from log.events where position = $1`,
      [position],
    )
  ).rows[0]?.hash;

/**
 * The log up to its current head.
 * @param last only this many events at the end
 */
export const logIn = async (db: Pool, last?: number): Promise<AuditedLog> => {
  const head = await headOf(db);
  if (!head)
    return {
      contiguous: true,
      links: linksOf(db, BEGINNING, BEGINNING),
      end: () => ({ head, problem: 'the head row of the event log is missing' }),
    };
  const position = last === undefined ? START : String(Math.max(0, Number(head.position) - last));
  const hash = position === START ? GENESIS : ((await hashAt(db, position)) ?? 'there is no such event');
  const start = { position, hash };
  const [outside] = await outsideRows(db);
  return {
    contiguous: true,
    start,
    end: () => ({ head }),
    links: linksOf(db, start, head),
    ...(outside && { outside: { ...outside, problem: outsideInWords(outside) } }),
  };
};

/** Verifies the log directly in its database. */
export const verifyLog = async (db: Pool, noted?: Seal): Promise<AuditResult> =>
  verify(await logIn(db), noted);

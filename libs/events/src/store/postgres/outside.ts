/** Rows that no append wrote: positions are contiguous, so each lies before the first or behind the head. */
import type { Pool } from 'pg';
import type { Position } from '../../envelope';

export interface OutsideRow {
  position: Position;
  type: string;
  stream: string;
}

/** One statement, hence one state of the log: nothing that is appended meanwhile looks like such a row. */
const OUTSIDE = {
  name: 'log.outside',
  text: `(select position, type, stream from log.events where position < 1 order by position limit 1)
    union all
    (select position, type, stream from log.events where position > (select log.last()) order by position limit 1)`,
} as const;

/** The first of them before the log, and the first behind its head. */
export const outsideRows = async (db: Pool): Promise<OutsideRow[]> =>
  (await db.query<OutsideRow>(OUTSIDE)).rows;

export const outsideInWords = ({ position, type }: OutsideRow): string =>
  `the event log holds an event outside of its order, which this console did not write: ${type} at position ${position}`;

export const problemOf = async (db: Pool): Promise<string | undefined> => {
  const [row] = await outsideRows(db);
  return row && outsideInWords(row);
};

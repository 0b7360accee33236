/**
 * Finds rows that no append wrote. Positions are contiguous, so such a row is before the first one or after the head.
 */
import type { Pool } from 'pg';
import type { Position } from '../../envelope';

export interface OutsideRow {
  position: Position;
  type: string;
  stream: string;
}

/** A single statement sees one state of the log, so concurrent appends cannot look like such a row. */
const OUTSIDE = {
  name: 'log.outside',
  text: `(select position, type, stream from log.events where position < 1 order by position limit 1)
    union all
    (select position, type, stream from log.events where position > (select log.last()) order by position limit 1)`,
} as const;

/** The first such row before the log, and the first after its head. */
export const outsideRows = async (db: Pool): Promise<OutsideRow[]> =>
  (await db.query<OutsideRow>(OUTSIDE)).rows;

export const outsideInWords = ({ position, type }: OutsideRow): string =>
  `the event log holds an event outside of its order, which this console did not write: ${type} at position ${position}`;

export const problemOf = async (db: Pool): Promise<string | undefined> => {
  const [row] = await outsideRows(db);
  return row && outsideInWords(row);
};

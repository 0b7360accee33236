/** Stores events of the same log from another place. The database computes their hashes and keeps their instants. */
import type { Pool } from 'pg';
import type { Position } from '../../envelope';
import { RevisionsMissing, type KeptEvent } from '../engine';
import { int8Array, textArray, uuidArray } from './binary-arrays';
import { gapIn, unavailable } from './faults';

const TAKE_IN = {
  name: 'log.take_in',
  text: 'select log.take_in($1, $2, $3, $4, $5, $6, $7, $8)',
} as const;

/** @param after current end of the log */
export async function takeIn(pool: Pool, after: Position, events: readonly KeptEvent[]): Promise<void> {
  const values = [
    after,
    textArray(events.map(({ stream }) => stream)),
    int8Array(events.map(({ revision }) => revision)),
    uuidArray(events.map(({ id }) => id)),
    textArray(events.map(({ type }) => type)),
    textArray(events.map(({ data }) => data)),
    textArray(events.map(({ meta }) => meta)),
    textArray(events.map(({ recordedAt }) => recordedAt)),
  ];
  try {
    await pool.query({ ...TAKE_IN, values });
  } catch (error) {
    const stream = gapIn(error);
    throw stream === undefined ? unavailable(error) : new RevisionsMissing(stream);
  }
}

export async function isUnfinished(pool: Pool): Promise<boolean> {
  try {
    const { rows } = await pool.query(`select from log.head as head where to_jsonb(head) ->> 'moved' = ''`);
    return rows.length > 0;
  } catch (error) {
    throw unavailable(error);
  }
}

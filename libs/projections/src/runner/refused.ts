/** Finds the projections for which Postgres refuses an event: tries each one and rolls it back. */
import type { RecordedEvent } from '@quarterdeck/events';
import type pg from 'pg';
import { asJson, type Change } from './batch-statement';
import { isRefusal } from './faults';
import { describeError, type Parked } from './fold';
import { writeRows } from './tables';

export async function findRefused(
  client: pg.ClientBase,
  changes: readonly Change[],
  event: RecordedEvent,
): Promise<Map<string, Parked>> {
  const refused = new Map<string, Parked>();
  for (const { target, folded } of changes) {
    await client.query('begin');
    try {
      await client.query(writeRows(target, 'upsert', '$1'), [asJson(folded.changed)]);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const { stream, position, type } = event;
      const { name } = target.projection;
      refused.set(name, {
        projection: name,
        stream,
        position,
        type,
        error: describeError(error),
        skipped: 0,
      });
    } finally {
      await client.query('rollback');
    }
  }
  return refused;
}

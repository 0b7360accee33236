/** Foreign events in the log that nobody has acknowledged yet. */
import { same } from '@quarterdeck/projections';
import type { Pool } from 'pg';
import { inView, type HistoryOf } from '../in-view';

/** SQL: position up to which a superadmin has acknowledged foreign events. */
export const ACKNOWLEDGED = `coalesce((select max(${inView<HistoryOf<'ForeignEventsAcknowledged'>>('view').text('data', 'upTo')}::bigint) from read.history
  where ${same('workspace', `'-'`)} and ${same('type', `'ForeignEventsAcknowledged'`)}), 0)`;

export const unacknowledged = async (db: Pool): Promise<number> => {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from read.foreign_events where position > ${ACKNOWLEDGED}`,
  );
  return rows[0]?.count ?? 0;
};

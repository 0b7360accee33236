/** Earlier configurations, from the events that recorded them as live. */
import { same } from '@quarterdeck/projections';
import type { Pool } from 'pg';
import { inView, type HistoryOf } from '../platform/in-view';

const live = inView<HistoryOf<'SiteConfigApplied' | 'SiteConfigAdopted'>>('view');

/** @param position of that event */
export const appliedText = async (
  db: Pool,
  workspace: string,
  position: string,
): Promise<string | undefined> => {
  const { rows } = await db.query<{ text: string | null }>(
    `select ${live.text('data', 'text')} as text from read.history where ${same('workspace', '$1')} and position = $2
       and type in ('SiteConfigApplied', 'SiteConfigAdopted')`,
    [workspace, position],
  );
  return rows[0]?.text ?? undefined;
};

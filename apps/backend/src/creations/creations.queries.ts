import type { CreationView } from '@quarterdeck/projections';
import type { Pool } from 'pg';
import { inView } from '../platform/in-view';

const view = inView<CreationView>('view');
/** Of a list. */
const MAX_ROWS = 200;

/** Newest first. */
export const listCreations = async (db: Pool, workspace: string, isOpen = false): Promise<CreationView[]> => {
  const { rows } = await db.query<{ view: CreationView }>({
    name: 'creations-list',
    text: `
      select view from read.creations where workspace = $1 and (not $2 or state = 'open')
      order by ${view.text('startedAt')} desc, id limit ${MAX_ROWS}`,
    values: [workspace, isOpen],
  });
  return rows.map((row) => row.view);
};

export const creationDetail = async (
  db: Pool,
  workspace: string,
  id: string,
): Promise<CreationView | undefined> => {
  const { rows } = await db.query<{ view: CreationView }>(
    'select view from read.creations where workspace = $1 and id = $2',
    [workspace, id],
  );
  return rows[0]?.view;
};

/** Creations of all workspaces with a section in progress. */
export const busyCreations = async (db: Pool): Promise<CreationView[]> => {
  const { rows } = await db.query<{ view: CreationView }>({
    name: 'creations-busy',
    text: `
      select view from read.creations
      where state in ('open', 'finished')
        and (${view.json('sections')} @> '[{"state":"running"}]' or ${view.json('sections')} @> '[{"state":"undoing"}]')
      order by id limit ${MAX_ROWS}`,
  });
  return rows.map((row) => row.view);
};

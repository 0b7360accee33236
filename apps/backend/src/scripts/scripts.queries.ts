import type { ScriptRow, ScriptView } from '@quarterdeck/projections';
import type { Pool } from 'pg';
import { inView } from '../platform/in-view';

const script = inView<ScriptView>('view');

/** Each script with only its newest version: lists do not need the others, and each may be 64 kB. */
export const listScripts = async (db: Pool, workspace: string): Promise<ScriptView[]> => {
  const { rows } = await db.query<{ view: ScriptView }>({
    name: 'scripts-list',
    text: `
      select view || jsonb_build_object('versions', jsonb_build_array(${script.json('versions', '-1')})) as view
      from read.scripts where workspace = $1 order by lower(name), id`,
    values: [workspace],
  });
  return rows.map(({ view }) => view);
};

/** For the pages of the list: all rows, without the texts of any version. */
export const scriptRows = async (db: Pool, workspace: string): Promise<ScriptRow[]> => {
  const { rows } = await db.query<ScriptRow>({
    name: 'scripts-rows',
    text: `
      select id, name, ${script.json('changedAt')} as "changedAt", ${script.json('changedBy')} as "changedBy",
        ${script.json('versions', '-1')} - 'body' as newest
      from read.scripts where workspace = $1 order by lower(name), id`,
    values: [workspace],
  });
  return rows;
};

export const scriptDetail = async (
  db: Pool,
  workspace: string,
  id: string,
): Promise<ScriptView | undefined> => {
  const { rows } = await db.query<{ view: ScriptView }>(
    'select view from read.scripts where workspace = $1 and id = $2',
    [workspace, id],
  );
  return rows[0]?.view;
};

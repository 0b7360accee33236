/** What the calls of scripts show. */
import { scriptColumns, type ScriptRow, type ScriptView } from '@quarterdeck/projections';
import { inView } from '../platform/in-view';
import type { Reads } from '../platform/kit';

const script = inView<ScriptView>('view');

export const scriptReads: Reads<ScriptView, ScriptRow> = {
  columns: scriptColumns,

  /** Each script with only its newest version: lists do not need the others, and each may be 64 kB. */
  async list(db, workspace) {
    const { rows } = await db.query<{ view: ScriptView }>({
      name: 'scripts-list',
      text: `
        select view || jsonb_build_object('versions', jsonb_build_array(${script.json('versions', '-1')})) as view
        from read.scripts where workspace = $1 order by lower(name), id`,
      values: [workspace],
    });
    return rows.map(({ view }) => view);
  },

  /** Without the texts of any version. */
  async rows(db, workspace) {
    const { rows } = await db.query<ScriptRow>({
      name: 'scripts-rows',
      text: `
        select id, name, ${script.json('changedAt')} as "changedAt", ${script.json('changedBy')} as "changedBy",
          ${script.json('versions', '-1')} - 'body' as newest
        from read.scripts where workspace = $1 order by lower(name), id`,
      values: [workspace],
    });
    return rows;
  },

  async detail(db, workspace, id) {
    const { rows } = await db.query<{ view: ScriptView }>(
      'select view from read.scripts where workspace = $1 and id = $2',
      [workspace, id],
    );
    return rows[0]?.view;
  },
};

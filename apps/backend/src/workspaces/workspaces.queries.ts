import type { WorkspaceView } from '@quarterdeck/projections';
import type { Pool } from 'pg';
import { notFound } from '../platform/errors';

/** @throws DomainError `notFound` */
export const workspaceDetail = async (db: Pool, id: string): Promise<WorkspaceView> => {
  const { rows } = await db.query<{ view: WorkspaceView }>({
    name: 'workspace-detail',
    text: 'select view from read.workspaces where workspace = $1 and id = $1',
    values: [id],
  });
  const view = rows[0]?.view;
  if (!view) throw notFound('workspace');
  return view;
};

type SettingField = 'alerts' | 'containerFlow' | 'dns' | 'healthChecks' | 'retention' | 'sslMonitor';

export interface WorkspaceSetting<K extends SettingField> {
  workspace: string;
  /** Name of the workspace. */
  name: string;
  chosen: WorkspaceView[K];
}

/** What each workspace has chosen, for work that serves all of them. From the read model, so it may be a moment behind. */
export const settingsOfAll = async <K extends SettingField>(
  db: Pick<Pool, 'query'>,
  field: K,
): Promise<WorkspaceSetting<K>[]> => {
  const { rows } = await db.query<WorkspaceSetting<K>>(
    'select id as workspace, name, view->$1::text as chosen from read.workspaces order by id',
    [field],
  );
  return rows;
};

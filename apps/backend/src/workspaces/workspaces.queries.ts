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

/** Queries on the read model of pushed versions. */
import type { PushView, StoredPush } from '@quarterdeck/projections';
import { inView } from '../platform/in-view';
import type { Pool } from '../platform/tokens';

const MAX_ROWS = 100;

const push = inView<StoredPush>('p.view');

/** Newest first. Those of a removed service or product are not listed. */
export const listPushes = async (db: Pool, workspace: string, service: string): Promise<PushView[]> => {
  const { rows } = await db.query<{ view: PushView }>(
    `select p.view - ${push.keys('serviceId', 'correlationId')} as view
     from read.pushes p
     join read.services s on s.workspace = p.workspace and s.id = p."serviceId"
     join read.products o on o.workspace = p.workspace and o.id = p.product
     where p.workspace = $1 and p."serviceId" = $2
     order by (${push.text('position')})::bigint desc limit ${MAX_ROWS}`,
    [workspace, service],
  );
  return rows.map(({ view }) => view);
};

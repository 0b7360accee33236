import type { DeployView } from '@quarterdeck/projections';
import type { Pool } from 'pg';
import { inView } from '../platform/in-view';

/** Limit of the list that is returned as a whole. The paged list has no limit. */
export const MAX_ROWS = 1000;

interface LoggedDeploy extends DeployView {
  service?: { name: string; product: string };
}

/** Newest first, for one server or all. */
export const listDeploys = async (
  db: Pool,
  workspace: string,
  server: string | undefined,
  limit?: number,
): Promise<LoggedDeploy[]> => {
  const { rows } = await db.query<{ view: DeployView; service: LoggedDeploy['service'] | null }>({
    name: 'deploys-list',
    text: `
      select d.view, case when s.id is not null
        then jsonb_build_object('name', s.name, 'product', s.product) end as service
      from read.deploys d
      left join read.services s on s.workspace = d.workspace and s.id = ${inView<DeployView>('d.view').text('serviceDeploy', 'id')}
      where d.workspace = $1 and ($2::text is null or d."serverId" = $2)
      order by d.position desc limit $3`,
    values: [workspace, server ?? null, limit ?? null],
  });
  return rows.map(({ view, service }) => ({ ...view, ...(service && { service }) }));
};

export const isDeployed = async (db: Pool, workspace: string, id: string): Promise<boolean> => {
  const { rowCount } = await db.query('select from read.deploys where workspace = $1 and id = $2', [
    workspace,
    id,
  ]);
  return rowCount === 1;
};

/** Ids of the packages of a service. */
export const packagesOfService = async (db: Pool, workspace: string, service: string): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `select id from read.deploys where workspace = $1 and ${inView<DeployView>('view').text('serviceDeploy', 'id')} = $2`,
    [workspace, service],
  );
  return rows.map(({ id }) => id);
};

import type { PackagePullView, DeployView } from '@quarterdeck/projections';
import type { Pool } from 'pg';
import { inView } from '../platform/in-view';

/** Limit of the list that is returned as a whole. The paged list has no limit. */
export const MAX_ROWS = 1000;

interface LoggedPull extends PackagePullView {
  packageId?: string;
  service?: { name: string; product: string };
}

const release = inView<DeployView>('r.view');

/** Deploys of services to their servers, in the form of the log: `cdUrl` is what was deployed. */
const RELEASED = `
  select jsonb_strip_nulls(jsonb_build_object(
      'id', r.id, 'uuid', r.id, 'workspace', r.workspace, 'serverId', r."serverId",
      'server', jsonb_build_object('id', r."serverId"), 'slug', ${release.json('service', 'name')},
      'cdUrl', ${release.json('package', 'image')}, 'version', ${release.json('package', 'version')},
      'packageId', ${release.json('package', 'id')}, 'serviceDeploy', jsonb_build_object('id', r."serviceId"),
      'state', case when ${release.text('state')} = 'served' then 'succeeded'
        when u.state in ('failed', 'cancelled', 'interrupted') then 'failed' else ${release.text('state')} end,
      'reason', coalesce(${release.json('reason')}, to_jsonb(case when u.state = 'cancelled' then 'cancelled' end)),
      'date', ${release.json('date')}, 'by', ${release.json('by')},
      'revision', ${release.json('revision')}, 'position', ${release.json('position')})) as view,
    jsonb_build_object('name', s.name, 'product', s.product) as service
  from read.releases r
  join read.products p on p.workspace = r.workspace and p.id = r.product
  join read.services s on s.workspace = r.workspace and s.id = r."serviceId"
  left join read.runs u on u.workspace = r.workspace and u.id = r.id
  where r.workspace = $1 and ($2::text is null or r."serverId" = $2)`;

/** The deploys of services too, as the specification has one log for both. Newest first. */
export const listAllPackagePulls = async (
  db: Pool,
  workspace: string,
  server: string | undefined,
): Promise<LoggedPull[]> => {
  const [pulled, { rows }] = await Promise.all([
    listPackagePulls(db, workspace, server, MAX_ROWS),
    db.query<{ view: PackagePullView; service: LoggedPull['service'] }>({
      name: 'deploys-of-services',
      text: `${RELEASED} order by ${release.text('date')} desc limit $3`,
      values: [workspace, server ?? null, MAX_ROWS],
    }),
  ]);
  const released = rows.map(({ view, service }) => ({ ...view, ...(service && { service }) }));
  return [...pulled, ...released]
    .toSorted((a, b) => (a.date === b.date ? 0 : a.date < b.date ? 1 : -1))
    .slice(0, MAX_ROWS);
};

/** Newest first, for one server or all. */
export const listPackagePulls = async (
  db: Pool,
  workspace: string,
  server: string | undefined,
  limit?: number,
): Promise<LoggedPull[]> => {
  const { rows } = await db.query<{ view: PackagePullView; service: LoggedPull['service'] | null }>({
    name: 'deploys-list',
    text: `
      select d.view, case when s.id is not null
        then jsonb_build_object('name', s.name, 'product', s.product) end as service
      from read.deploys d
      left join read.services s on s.workspace = d.workspace and s.id = ${inView<PackagePullView>('d.view').text('serviceDeploy', 'id')}
      where d.workspace = $1 and ($2::text is null or d."serverId" = $2)
      order by d.position desc limit $3`,
    values: [workspace, server ?? null, limit ?? null],
  });
  return rows.map(({ view, service }) => ({ ...view, ...(service && { service }) }));
};

export const isPulled = async (db: Pool, workspace: string, id: string): Promise<boolean> => {
  const { rowCount } = await db.query(
    `select from read.deploys where workspace = $1 and id = $2
     union all select from read.releases where workspace = $1 and id = $2`,
    [workspace, id],
  );
  return rowCount === 1;
};

/** Ids of the entries of the deploy log that belong to a service. */
export const packagesOfService = async (db: Pool, workspace: string, service: string): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `select id from read.deploys where workspace = $1 and ${inView<PackagePullView>('view').text('serviceDeploy', 'id')} = $2
     union all select id from read.releases where workspace = $1 and "serviceId" = $2`,
    [workspace, service],
  );
  return rows.map(({ id }) => id);
};

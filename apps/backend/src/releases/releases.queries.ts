/** What is asked of the read model of releases. */
import type { ReleaseView } from '@quarterdeck/projections';
import type { Pool } from '../platform/tokens';

/** Nobody scrolls further back. The history has the rest. */
const MAX_ROWS = 500;

export interface ReleaseRow extends ReleaseView {
  /** It was not stopped, and no other release of its service has served on its server since. */
  serves: boolean;
  /** Of those of its service and its server, it served last. */
  last: boolean;
  /** The server is not in the console any more. */
  serverRemoved: boolean;
  /** Of its run. Absent if the run never began. */
  run?: string;
}

/** Those of a removed product or service are not shown, like all that is in it. */
const ROWS = `
  select r.view - 'serviceId' - 'serverId' - 'servedAt' as view, u.state as run,
    r."servedAt" is not null and r."servedAt" = max(r."servedAt") over (partition by r."serviceId", r."serverId") as last,
    h.id is null as "serverRemoved",
    r.id, r."serviceId", r."serverId", r.product, r.position
  from read.releases r
  join read.products p on p.workspace = r.workspace and p.id = r.product
  join read.services s on s.workspace = r.workspace and s.id = r."serviceId"
  left join read.servers h on h.workspace = r.workspace and h.id = r."serverId"
  left join read.runs u on u.workspace = r.workspace and u.id = r.id
  where r.workspace = $1`;

interface Row {
  view: ReleaseView;
  run: string | null;
  last: boolean;
  serverRemoved: boolean;
}

const rowOf = ({ view, run, last, serverRemoved }: Row): ReleaseRow => ({
  ...view,
  last,
  serverRemoved,
  serves: last && view.stopped === undefined,
  ...(run !== null && { run }),
});

export type ReleasesOf = Partial<Record<'service' | 'product' | 'server', string | undefined>>;

const WANTED = `($2::text is null or "serviceId" = $2) and ($3::text is null or product = $3)
  and ($4::text is null or "serverId" = $4)`;
const wanted = (workspace: string, { service, product, server }: ReleasesOf) =>
  [workspace, service, product, server].map((id) => id ?? null);

/** Newest first. */
export const listReleases = async (db: Pool, workspace: string, of: ReleasesOf): Promise<ReleaseRow[]> => {
  const { rows } = await db.query<Row>(
    `select * from (${ROWS}) all_of_them where ${WANTED} order by position desc limit ${MAX_ROWS}`,
    wanted(workspace, of),
  );
  return rows.map(rowOf);
};

export const releaseDetail = async (
  db: Pool,
  workspace: string,
  id: string,
): Promise<ReleaseRow | undefined> => {
  const { rows } = await db.query<Row>(`select * from (${ROWS}) all_of_them where id = $2`, [workspace, id]);
  return rows[0] && rowOf(rows[0]);
};

/** What serves, however many deploys have failed since. */
export const servingReleases = async (db: Pool, workspace: string, of: ReleasesOf): Promise<ReleaseRow[]> => {
  const { rows } = await db.query<Row>(
    `select * from (${ROWS}) all_of_them
     where last and view -> 'stopped' is null and ${WANTED}
     order by view #>> '{service,name}', id`,
    wanted(workspace, of),
  );
  return rows.map(rowOf);
};

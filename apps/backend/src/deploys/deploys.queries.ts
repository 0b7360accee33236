/** Queries on the read model of releases. */
import type { DeployRow, DeployView, RunView, StoredDeploy } from '@quarterdeck/projections';
import { inView } from '../platform/in-view';
import type { Pool } from '../platform/tokens';
import type { RunRequest } from '../runs';

const earlier = inView<RunView>('e.view');
const release = inView<StoredDeploy>('r.view');
const shown = inView<DeployView>('view');
const newer = inView<DeployView>('n.view');

/** Limit of lists that are returned as a whole. Paged lists have no limit. */
export const MAX_ROWS = 500;

/** What a deploy may wait for: the deploys queued before it, nearest first, and then active runs of any kind there. */
const BEHIND = `
  select jsonb_agg(jsonb_build_object('id', e.id, 'label', ${earlier.text('label')}, 'of', ${earlier.text('subject', 'name')},
      'kind', e.kind, 'input', ${earlier.json('input')})
    order by e.state = 'running', e."requestedPosition" desc) as behind
  from read.runs e
  where u.state = 'requested' and e.workspace = u.workspace
    and (e.state = 'running' or e.state = 'requested' and e."requestedPosition" < u."requestedPosition")
    and (e."subjectId" = u."subjectId" or e."serverId" = u."serverId")`;

/** Releases of a removed product or service are not listed. */
const ROWS = `
  select r.view - ${release.keys('serviceId', 'serverId', 'servedAt')} as view, u.state as run,
    r."servedAt" is not null and r."servedAt" = max(r."servedAt") over (partition by r."serviceId", r."serverId") as last,
    h.id is null as "serverRemoved", b.behind,
    r.id, r."serviceId", r."serverId", r.product, (${release.text('position')})::bigint as position
  from read.releases r
  join read.products p on p.workspace = r.workspace and p.id = r.product
  join read.services s on s.workspace = r.workspace and s.id = r."serviceId"
  left join read.servers h on h.workspace = r.workspace and h.id = r."serverId"
  left join read.runs u on u.workspace = r.workspace and u.id = r.id
  left join lateral (${BEHIND}) b on true
  where r.workspace = $1`;

interface Row {
  view: DeployView;
  run: string | null;
  last: boolean;
  serverRemoved: boolean;
  behind: (NonNullable<DeployRow['behind']> & Pick<RunRequest, 'kind' | 'input'>)[] | null;
}

const rowOf =
  ({ changes }: DeployReads) =>
  ({ view, run, last, serverRemoved, behind }: Row): DeployRow => {
    const first = behind?.find(changes);
    return {
      ...view,
      last,
      serverRemoved,
      serves: last && view.stopped === undefined,
      ...(run !== null && { run }),
      ...(first && { behind: { id: first.id, label: first.label, of: first.of } }),
    };
  };

/** `changes`: whether a run blocks others on the same server. */
export interface DeployReads {
  db: Pool;
  changes: (request: Pick<RunRequest, 'kind' | 'input'>) => boolean;
}

export type DeploysOf = Partial<Record<'service' | 'product' | 'server', string | undefined>>;

const WANTED = `($2::text is null or "serviceId" = $2) and ($3::text is null or product = $3)
  and ($4::text is null or "serverId" = $4)`;
const wanted = (workspace: string, { service, product, server }: DeploysOf) => [
  workspace,
  ...[service, product, server].map((id) => id ?? null),
];

/** Newest first. */
export const listDeploys = async (
  reads: DeployReads,
  workspace: string,
  of: DeploysOf,
  limit?: number,
): Promise<DeployRow[]> => {
  const { rows } = await reads.db.query<Row>(
    `select * from (${ROWS}) all_of_them where ${WANTED} order by position desc limit $5`,
    [...wanted(workspace, of), limit ?? null],
  );
  return rows.map(rowOf(reads));
};

export const deployDetail = async (
  reads: DeployReads,
  workspace: string,
  id: string,
): Promise<DeployRow | undefined> => {
  const { rows } = await reads.db.query<Row>(`select * from (${ROWS}) all_of_them where id = $2`, [
    workspace,
    id,
  ]);
  return rows[0] && rowOf(reads)(rows[0]);
};

/** The last releases of their services to have served on their servers, stopped ones too. */
export const lastDeploys = async (
  reads: DeployReads,
  workspace: string,
  of: DeploysOf,
): Promise<DeployRow[]> => {
  const { rows } = await reads.db.query<Row>(
    `select * from (${ROWS}) all_of_them
     where last and ${WANTED}
     order by ${shown.text('service', 'name')}, id`,
    wanted(workspace, of),
  );
  return rows.map(rowOf(reads));
};

/** The releases that serve, however many deploys have failed since. */
export const servingDeploys = async (
  reads: DeployReads,
  workspace: string,
  of: DeploysOf,
): Promise<DeployRow[]> => (await lastDeploys(reads, workspace, of)).filter(({ serves }) => serves);

/** The deploys that have not ended yet. */
export const openDeploys = async (
  reads: DeployReads,
  workspace: string,
  of: DeploysOf,
): Promise<DeployRow[]> => {
  const { rows } = await reads.db.query<Row>(
    `select * from (${ROWS}) all_of_them where run in ('requested', 'running') and ${WANTED} order by position`,
    wanted(workspace, of),
  );
  return rows.map(rowOf(reads));
};

/** Why a release that waits will not be carried out: a later one of the same service took its place. */
export const replacedBy = async (
  db: Pool,
  workspace: string,
  release: string,
): Promise<string | undefined> => {
  const { rows } = await db.query<{ version: string }>(
    `select ${newer.text('package', 'version')} as version
     from read.runs u
     join read.releases n on n.workspace = u.workspace and n."serviceId" = u."subjectId"
       and ${newer.text('replaces')} = 'true'
     join read.runs s on s.workspace = n.workspace and s.id = n.id
       and s."requestedPosition" > u."requestedPosition"
     where u.workspace = $1 and u.id = $2
     order by s."requestedPosition" limit 1`,
    [workspace, release],
  );
  return rows[0] && `the deploy of ${rows[0].version} took its place`;
};

/** Whether a later deploy of the same service has started. */
export const hasFollower = async (db: Pool, workspace: string, release: string): Promise<boolean> => {
  const { rowCount } = await db.query(
    `select from read.runs u
     join read.runs n on n.workspace = u.workspace and n.kind = u.kind and n."subjectId" = u."subjectId"
       and n."requestedPosition" > u."requestedPosition" and ${inView<RunView>('n.view').text('startedAt')} is not null
     where u.workspace = $1 and u.id = $2 limit 1`,
    [workspace, release],
  );
  return rowCount === 1;
};

/** Releases that were requested a while ago, and whose run is not known. */
export const lostDeploys = async (db: Pool): Promise<{ id: string; workspace: string }[]> => {
  const { rows } = await db.query<{ id: string; workspace: string }>(
    `select r.id, r.workspace from read.releases r
     where ${release.text('state')} = 'requested'
       and ${release.text('date')}::timestamptz < clock_timestamp() - interval '30 seconds'
       and not exists (select from read.runs u where u.workspace = r.workspace and u.id = r.id)
     limit 100`,
  );
  return rows;
};

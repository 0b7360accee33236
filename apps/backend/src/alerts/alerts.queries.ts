import type { AlertView, WorkspaceView } from '@quarterdeck/projections';
import type { Pool } from 'pg';
import type { KnownAlert, WatchedDomain } from './expiry';

/** Limit of ended alerts. They are listed to show what was delivered; the history has all of them. */
const MAX_OVER = 500;

/** Newest first: all open alerts and the newest ended ones. */
export const listAlerts = async (
  db: Pool,
  workspace: string,
  open: boolean | undefined,
): Promise<AlertView[]> => {
  const { rows } = await db.query<{ view: AlertView }>({
    name: 'alerts-list',
    text: `
      select view from (
        select view, "raisedPosition" from read.alerts
        where workspace = $1 and state = 'open' and coalesce($2, true)
        union all
        (select view, "raisedPosition" from read.alerts
         where workspace = $1 and state <> 'open' and not coalesce($2, false)
         order by "raisedPosition" desc limit ${MAX_OVER})
      ) found order by "raisedPosition" desc`,
    values: [workspace, open ?? null],
  });
  return rows.map(({ view }) => view);
};

export interface Watched {
  workspace: string;
  domain: WatchedDomain;
  settings: WorkspaceView['alerts'] | null;
  alerts: KnownAlert[];
}

/**
 * The domains with these ids, of these workspaces, or all of them, each with all alerts that there ever were about it.
 */
export const watchedDomains = async (
  db: Pool,
  which: { domains: string[]; workspaces: string[] } | 'all',
): Promise<Watched[]> => {
  const { rows } = await db.query<Watched>(
    `select d.workspace, w.view->'alerts' as settings,
       jsonb_strip_nulls(jsonb_build_object('id', d.id, 'serverName', d.view->'serverName',
         'thresholds', d.view->'thresholds', 'served', d.view->'served', 'certificate', d.view->'certificate'
       )) as domain,
       coalesce((
         select jsonb_agg(jsonb_build_object('id', a.id, 'state', a.state, 'threshold', a.view->'threshold'))
         from read.alerts a where a.workspace = d.workspace and a."subjectId" = d.id collate "default"), '[]') as alerts
     from read.domains d left join read.workspaces w on w.id = d.workspace
     where $1 or d.id = any($2) or d.workspace = any($3)`,
    which === 'all' ? [true, [], []] : [false, which.domains, which.workspaces],
  );
  return rows;
};

/** Open alerts about domains that were removed. */
export const orphanedAlerts = async (db: Pool): Promise<{ id: string; workspace: string }[]> => {
  const { rows } = await db.query<{ id: string; workspace: string }>(
    `select a.id, a.workspace from read.alerts a
     where a.state = 'open' and a.view->'subject'->>'kind' = 'domain'
       and not exists (select from read.domains d where d.id = a."subjectId")`,
  );
  return rows;
};

export interface Waiting {
  id: string;
  workspace: string;
  workspaceName: string;
  at: Date;
}

/** The next delivery of each workspace that has a webhook and is not `busy`. */
export const waitingDeliveries = async (db: Pool, busy: string[]): Promise<Waiting[]> => {
  const { rows } = await db.query<Waiting>(
    `select distinct on (a.workspace) a.id, a.workspace, w.view->>'name' as "workspaceName",
       a."nextAttemptAt" as at
     from read.alerts a join read.workspaces w on w.id = a.workspace
     where a."nextAttemptAt" is not null and w.view->'alerts' ? 'webhook' and a.workspace <> all($1)
     order by a.workspace, a."nextAttemptAt", a.id`,
    [busy],
  );
  return rows;
};

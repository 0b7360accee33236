import type { AlertView, WorkspaceView } from '@quarterdeck/projections';
import type { Pool } from 'pg';
import type { ExpiringDomain } from '../domains';
import { inView } from '../platform/in-view';
import { settingsOfAll } from '../workspaces';
import type { KnownAlert } from './expiry';

/** Limit of ended alerts in the list that is one answer. Its pages have no limit. */
export const MAX_OVER = 500;

/** Newest first: all open alerts and as many of the ended ones as `limit`. */
export const listAlerts = async (
  db: Pool,
  workspace: string,
  open?: boolean,
  limit?: number,
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
         order by "raisedPosition" desc limit $3)
      ) found order by "raisedPosition" desc`,
    values: [workspace, open ?? null, limit ?? null],
  });
  return rows.map(({ view }) => view);
};

export interface WatchedCertificate {
  domain: ExpiringDomain;
  /** Alert settings of its workspace, if any were made. */
  settings: WorkspaceView['alerts'] | undefined;
  alerts: KnownAlert[];
}

/** Each of these domains, with the settings of its workspace and all alerts about its certificate, past and present. */
export const withAlerts = async (
  db: Pool,
  domains: readonly ExpiringDomain[],
): Promise<WatchedCertificate[]> => {
  const settings = new Map((await settingsOfAll(db, 'alerts')).map((one) => [one.workspace, one.chosen]));
  const { rows } = await db.query<KnownAlert & { domain: string }>(
    `select "subjectId" as domain, id, state, ${inView<AlertView>('view').json('threshold')} as threshold from read.alerts
     where workspace = any($1) and "subjectId" = any($2)
       and ${inView<AlertView>('view').text('about')} = 'certificateExpiry'`,
    [[...new Set(domains.map(({ workspace }) => workspace))], domains.map(({ id }) => id)],
  );
  const alerts = new Map<string, KnownAlert[]>(domains.map(({ id }) => [id, []]));
  for (const { domain, ...alert } of rows) alerts.get(domain)?.push(alert);
  return domains.map((domain) => ({
    domain,
    settings: settings.get(domain.workspace),
    alerts: alerts.get(domain.id) ?? [],
  }));
};

/** Open alerts about domains that were removed. */
export const orphanedAlerts = async (db: Pool): Promise<{ id: string; workspace: string }[]> => {
  const { rows } = await db.query<{ id: string; workspace: string }>(
    `select a.id, a.workspace from read.alerts a
     where a.state = 'open' and ${inView<AlertView>('a.view').text('subject', 'kind')} = 'domain'
       and not exists (select from read.domains d where d.id = a."subjectId")`,
  );
  return rows;
};

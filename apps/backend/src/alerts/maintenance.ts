/** Windows of maintenance, and where the things are that alerts are about. */
import {
  maintenanceAt,
  maintenanceTimesOf,
  type Covered,
  type MaintenanceTimes,
  type MaintenanceFields,
} from '@quarterdeck/projections';
import type { EventData } from '@quarterdeck/events';
import type { Pool } from '../platform/tokens';

type Window = MaintenanceFields & Pick<MaintenanceTimes, 'id' | 'workspace'>;

/** Of one workspace, or of all. */
export const maintenanceWindows = async (
  db: Pick<Pool, 'query'>,
  workspace?: string,
): Promise<MaintenanceTimes[]> => {
  const { rows } = await db.query<{ view: Window }>({
    name: 'maintenance-windows',
    text: 'select view from read.maintenance_windows where workspace = $1 or $1::text is null',
    values: [workspace ?? null],
  });
  return rows.map(({ view }) => maintenanceTimesOf(view));
};

export interface AlertPlace {
  server: string | null;
  product: string | null;
}

/** SQL for the server of a thing, directly or through a site or a service, and for the product of a service. */
export const placeIn = (workspace: string, kind: string, id: string): string => `
  case ${kind}
    when 'server' then ${id}
    when 'domain' then (select d."serverId" from read.domains d where d.workspace = ${workspace} and d.id = ${id})
    when 'service' then (select r."serverId" from read.releases r
      where r.workspace = ${workspace} and r."serviceId" = ${id} and r."servedAt" is not null
      order by r."servedAt" desc limit 1)
  end as server,
  case ${kind} when 'service' then (select s.product from read.services s
    where s.workspace = ${workspace} and s.id = ${id}) end as product`;

/** What is recorded of an alert that begins in a window of maintenance. */
export const withMaintenance = async (
  db: Pick<Pool, 'query'>,
  raised: EventData<'AlertRaised'>,
  workspace: string,
): Promise<EventData<'AlertRaised'>> => {
  const { about, subject, threshold, since = new Date().toISOString() } = raised;
  if (about === 'test') return raised;
  const windows = await maintenanceWindows(db, workspace);
  if (windows.length === 0) return raised;
  const { rows } = await db.query<AlertPlace>(
    `select ${placeIn('asked.workspace', 'asked.kind', 'asked.id')}
     from (select $1::text as workspace, $2::text as kind, $3::text as id) asked`,
    [workspace, subject.kind, subject.id],
  );
  const covered: Covered = { about, subject, threshold, ...rows[0] };
  const window = maintenanceAt(windows, covered, since);
  return window ? { ...raised, maintenance: { id: window.id, name: window.name } } : raised;
};

/** Which alert the webhook of each workspace gets next, and when. */
import { putOffBy, type AlertView, type MaintenanceTimes } from '@quarterdeck/projections';
import type { Pool } from 'pg';
import { inView } from '../platform/in-view';
import { settingsOfAll } from '../workspaces';
import type { Due } from './due-work';
import { maintenanceWindows, placeIn, type AlertPlace } from './maintenance';

/** A delivery in the lane of its workspace. */
export interface Waiting extends Due {
  id: string;
  workspaceName: string;
}
type Next = Omit<Waiting, 'workspaceName'>;

const FIRST = `
  select distinct on (workspace) id, workspace as lane, "nextAttemptAt" as at from read.alerts
  where "nextAttemptAt" is not null and workspace = any($1)
  order by workspace, "nextAttemptAt", id`;

const ALL = `
  select a.id, a.workspace as lane, a."nextAttemptAt" as at, a.view as alert,
    ${placeIn('a.workspace', inView<AlertView>('a.view').text('subject', 'kind'), 'a."subjectId"')}
  from read.alerts a where a."nextAttemptAt" is not null and a.workspace = any($1)
  order by a."nextAttemptAt", a.id`;

/** What is open is put off until no maintenance is left. The end of what was told before is told at once. */
const withoutMaintenance = (
  { alert, server, product, at, ...row }: Next & AlertPlace & { alert: AlertView },
  windows: readonly MaintenanceTimes[],
): Next[] => {
  const { about } = alert;
  if (about === 'test' || alert.state !== 'open') return [{ ...row, at }];
  const own = windows.filter(({ workspace }) => workspace === row.lane);
  const later = putOffBy(own, { ...alert, about, server, product }, at.getTime());
  return later === undefined ? [] : [{ ...row, at: new Date(later) }];
};

/** The next delivery of each workspace that has a webhook and is not `busy`. */
export const waitingDeliveries = async (db: Pool, busy: string[]): Promise<Waiting[]> => {
  const called = (await settingsOfAll(db, 'alerts')).filter(
    ({ workspace, chosen }) => chosen.webhook !== undefined && !busy.includes(workspace),
  );
  const windows = await maintenanceWindows(db);
  const maintained = new Set(windows.map(({ workspace }) => workspace));
  const [some, others] = [true, false].map((is) =>
    called.map(({ workspace }) => workspace).filter((workspace) => maintained.has(workspace) === is),
  );
  const first = await db.query<Next>(FIRST, [others]);
  const all = await db.query<Next & AlertPlace & { alert: AlertView }>(ALL, [some]);
  const put = all.rows
    .flatMap((row) => withoutMaintenance(row, windows))
    .toSorted((a, b) => a.at.getTime() - b.at.getTime());
  const next = new Map<string, Next>();
  for (const row of [...first.rows, ...put]) if (!next.has(row.lane)) next.set(row.lane, row);
  const nameOf = new Map(called.map(({ workspace, name }) => [workspace, name]));
  return [...next.values()].map((row) => ({ ...row, workspaceName: nameOf.get(row.lane) ?? '' }));
};

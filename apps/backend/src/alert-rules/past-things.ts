/** What a rule may be about in the past: the things of a workspace, and the alerts that were recorded. */
import type { AlertCause, EventData } from '@quarterdeck/events';
import { same, sameAsAny, type Covered, type Crossing, type HistoryView } from '@quarterdeck/projections';
import type { Pool } from 'pg';
import { inView } from '../platform/in-view';

export interface Thing {
  kind: 'server' | 'domain';
  id: string;
  name: string;
  server: string;
}

export const thingsOf = async (db: Pool, workspace: string): Promise<Thing[]> => {
  const { rows } = await db.query<Thing>(
    `select 'server' as kind, id, alias as name, id as server from read.servers where workspace = $1
     union all
     select 'domain', id, "serverName", "serverId" from read.domains where workspace = $1`,
    [workspace],
  );
  return rows;
};

export interface PastCrossing extends Crossing, Covered {
  subject: { kind: string; id: string; name: string };
}

const history = inView<HistoryView>('h.view');

/** Each alert with its place. `$2`: since when. */
const RECORDED = `
  select h.type, h."subjectId" as id, ${history.json('data')} as data, ${history.text('at')} as at
  from read.history h
  where ${same('h.workspace', '$1')} and h.at >= $2
    and ${sameAsAny('h.type', ["'AlertRaised'", "'AlertResolved'", "'AlertDismissed'"])}
  order by h.position limit $3`;

interface RecordedRow {
  type: 'AlertRaised' | 'AlertResolved' | 'AlertDismissed';
  id: string;
  data: EventData<'AlertRaised'>;
  at: string;
}

/** Where services are now: on the server where they last served. */
const SERVICES = `
  select s.id, s.product, (select r."serverId" from read.releases r
    where r.workspace = s.workspace and r."serviceId" = s.id collate "default" and r."servedAt" is not null
    order by r."servedAt" desc limit 1) as server
  from read.services s where s.workspace = $1`;

interface PastRange {
  workspace: string;
  from: string;
  limit: number;
}

/** The crossings of causes whose alerts are the only record. */
export const recordedAlerts = async (
  db: Pool,
  { workspace, from, limit }: PastRange,
  { things, isWanted }: { things: readonly Thing[]; isWanted(about: AlertCause): boolean },
): Promise<{ crossings: PastCrossing[]; looked: number }> => {
  const { rows } = await db.query<RecordedRow>(RECORDED, [workspace, from, limit]);
  const services = await db.query<{ id: string; product: string; server: string | null }>(SERVICES, [
    workspace,
  ]);
  const serverOf = new Map<string, string | null>([
    ...things.map(({ id, server }) => [id, server] as const),
    ...services.rows.map(({ id, server }) => [id, server] as const),
  ]);
  const productOf = new Map(services.rows.map(({ id, product }) => [id, product]));
  const open = new Map<string, PastCrossing>();
  const crossings: PastCrossing[] = [];
  for (const { type, id, data, at } of rows) {
    const before = open.get(id);
    if (before) before.until = at;
    open.delete(id);
    if (type !== 'AlertRaised' || data.about === 'test' || !isWanted(data.about)) continue;
    const { about, subject, says, since = at, threshold } = data;
    const place = { server: serverOf.get(subject.id) ?? null, product: productOf.get(subject.id) ?? null };
    const crossing = { about, subject, says, since, threshold, ...place };
    open.set(id, crossing);
    crossings.push(crossing);
  }
  return { crossings, looked: rows.length };
};

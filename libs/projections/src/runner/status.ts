/** Status of the read models for health checks and metrics. */
import { comparePositions, type Position } from '@quarterdeck/events';
import type { EventStore } from '@quarterdeck/log/store';
import type pg from 'pg';
import type { AnyProjection } from '../define-projection';
import type { Lag, MaintenanceProgress, ParkedStream, ProjectionStatus } from '../superadmin';
import { readCheckpoints } from './checkpoints';
import { readMaintenance } from './maintenance-lock';

export interface RunnerStatus {
  leading: boolean;
  /** Since when this process has led. */
  leadingSince?: string;
  connected: boolean;
  position: Position;
  lag: Lag;
  projections: ProjectionStatus[];
  /** The first 100, by time. */
  parked: ParkedStream[];
  /** The running rebuild or verification of any process. */
  maintenance?: MaintenanceProgress;
  lastError?: { at: string; message: string };
}

export async function readLag(store: EventStore, position: Position): Promise<Lag> {
  const head = await store.head();
  if (comparePositions(head, position) <= 0) return { events: 0, ms: 0 };
  const [eldest] = await store.readAll(position, { limit: 1 });
  const ms = eldest ? Math.max(0, Date.now() - Date.parse(eldest.recordedAt)) : 0;
  // Positions in EventStoreDB are byte offsets, so their distance is not a number of events.
  return store.engine === 'postgres' ? { events: Number(BigInt(head) - BigInt(position)), ms } : { ms };
}

interface StatusSource extends Omit<RunnerStatus, 'projections' | 'parked' | 'maintenance'> {
  db: pg.Pool;
  projections: readonly AnyProjection[];
}

const PARKED = `select projection, stream, position, type, error, skipped::int as skipped, attempts, parked_at as "parkedAt"
  from read.parked order by parked_at limit 100`;
const PARKED_COUNT = 'select projection, count(*)::int as count from read.parked group by projection';

export async function readStatus({ db, projections, ...own }: StatusSource): Promise<RunnerStatus> {
  const stored = new Map((await readCheckpoints(db)).map((row) => [row.projection, row]));
  const parked = await db.query<Omit<ParkedStream, 'parkedAt'> & { parkedAt: Date }>(PARKED);
  const counts = await db.query<{ projection: string; count: number }>(PARKED_COUNT);
  const countOf = new Map(counts.rows.map(({ projection, count }) => [projection, count]));
  const { leading, leadingSince, connected, position, lag, lastError } = own;
  const maintenance = await readMaintenance(db);
  return {
    leading,
    leadingSince,
    connected,
    position,
    lastError,
    ...(maintenance ? { maintenance } : {}),
    lag,
    projections: projections.map(({ name, version }) => {
      const found = stored.get(name);
      return {
        name,
        version,
        storedVersion: found?.version ?? 0,
        state: found?.state ?? 'frozen',
        position: found?.position ?? '0',
        parked: countOf.get(name) ?? 0,
        updatedAt: (found?.updatedAt ?? new Date(0)).toISOString(),
      };
    }),
    parked: parked.rows.map((row) => ({ ...row, parkedAt: row.parkedAt.toISOString() })),
  };
}

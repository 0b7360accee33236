/**
 * One process at a time rebuilds, verifies on request, or retries parked streams. Its progress is in a table, where
 * other processes can read it. It counts only while the lock is held.
 */
import { Client } from 'pg';
import type pg from 'pg';
import type { EventStore } from '@quarterdeck/log/store';
import type { Position } from '@quarterdeck/events';
import type { MaintenanceProgress } from '../superadmin';
import { AREA, REBUILD_LOCK } from './schema';

export class RebuildRefused extends Error {
  override name = 'RebuildRefused';
}

const TELL_EVERY_MS = 250;
const WRITE = `insert into read.maintenance (pid, progress) values (pg_backend_pid(), $1)
  on conflict (sole) do update set pid = excluded.pid, progress = excluded.progress, told_at = clock_timestamp()`;
const READ = `select m.progress from read.maintenance m join pg_locks l on l.pid = m.pid
  where l.locktype = 'advisory' and l.classid = ${AREA} and l.objid = ${REBUILD_LOCK} and l.granted
    and l.database = (select oid from pg_database where datname = current_database())`;

/** The current maintenance of any process. A killed process holds no lock, so its progress does not count. */
export const readMaintenance = async (db: pg.Pool): Promise<MaintenanceProgress | undefined> =>
  (await db.query<{ progress: MaintenanceProgress }>(READ)).rows[0]?.progress;

export async function connected(connectionString: string): Promise<Client> {
  const client = new Client({
    connectionString,
    application_name: 'quarterdeck maintenance',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  // A lost connection fails the running query. The event itself must not end the process.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** @throws RebuildRefused with `refusal` if somebody else holds the lock */
export async function underMaintenanceLock<T>(
  connectionString: string,
  refusal: string,
  body: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await connected(connectionString);
  try {
    const { rows } = await client.query<{ mine: boolean }>(
      `select pg_try_advisory_lock(${AREA}, ${REBUILD_LOCK}) as mine`,
    );
    if (!rows[0]?.mine) throw new RebuildRefused(refusal);
    return await body(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Measures the pace, and reports it from time to time to a table and a listener. */
export class Pace {
  readonly #began = performance.now();
  readonly #beganAt = new Date().toISOString();
  #toldAt = -Infinity;
  #events = 0;

  constructor(
    /** Uses the connection that holds the lock. */
    readonly write: (text: string, values: unknown[]) => Promise<unknown>,
    readonly of: Pick<MaintenanceProgress, 'kind' | 'projections'> & { store: EventStore },
    readonly listener?: (progress: MaintenanceProgress) => void,
  ) {}

  get events(): number {
    return this.#events;
  }

  get elapsedMs(): number {
    return performance.now() - this.#began;
  }

  folded(events: number): void {
    this.#events += events;
  }

  /** A change of phase is reported at once. */
  async tell(
    phase: MaintenanceProgress['phase'],
    position: Position,
    goal: Position,
    now = false,
  ): Promise<void> {
    const progress = this.#progress(phase, position, goal);
    this.listener?.(progress);
    const at = performance.now();
    if (!now && at - this.#toldAt < TELL_EVERY_MS) return;
    this.#toldAt = at;
    await this.write(WRITE, [JSON.stringify(progress)]);
  }

  #progress(phase: MaintenanceProgress['phase'], position: Position, goal: Position): MaintenanceProgress {
    const seconds = this.elapsedMs / 1000;
    const share = goal === '0' ? 1 : Math.min(1, Number(position) / Number(goal));
    const { kind, projections, store } = this.of;
    return {
      kind,
      projections,
      phase,
      position,
      goal,
      events: this.#events,
      share,
      ...(store.engine === 'postgres' ? { total: Number(goal) } : {}),
      eventsPerSecond: seconds > 0 ? Math.round(this.#events / seconds) : 0,
      beganAt: this.#beganAt,
      ...(share > 0.005 ? { secondsLeft: Math.ceil((seconds * (1 - share)) / share) } : {}),
    };
  }
}

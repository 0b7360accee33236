/** A database, a log and runners on it, all real. */
import type { AppEvent } from '@quarterdeck/events';
import { openEventStore } from '@quarterdeck/events/store';
import type { AppendResult, EventStore } from '@quarterdeck/log/store';
import { subjects } from '@quarterdeck/projections';
import { ProjectionRunner, waitingPool, type RunnerOptions } from '@quarterdeck/projections/runner';
import { Pool } from 'pg';
import { appendAtEnd } from '../../testing/log-events';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { newEvent, PROJECTIONS } from './happenings';

export interface World {
  postgres: TestPostgres;
  url: string;
  pool: Pool;
  store: EventStore;
  append(stream: string, ...events: AppEvent[]): Promise<AppendResult>;
  /** Started, and stopped together with the world unless it was stopped before. */
  runner(options?: Partial<RunnerOptions>): Promise<ProjectionRunner>;
  rows(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

export async function openWorld(options: { own?: boolean } = {}): Promise<World> {
  const postgres = await startTestPostgres(options);
  const { url } = postgres;
  const pool = new Pool({ connectionString: url, max: 4 });
  pool.on('error', () => undefined);
  // The log is durable as in production; a crash may only lose the read models' last writes.
  await pool.query(`alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = on`);
  const store = await openEventStore({ url });
  const runners = new Set<ProjectionRunner>();
  const waitForLater = async (ms: number): Promise<boolean> => {
    const leaders = [...runners].filter(({ leading }) => leading);
    return (await Promise.all(leaders.map((runner) => runner.waitForLater(ms)))).every(Boolean);
  };
  const complete = waitingPool(pool, { waitForLater }, [...PROJECTIONS, subjects]);
  return {
    postgres,
    url,
    pool,
    store,
    append: (stream, ...events) =>
      appendAtEnd(
        store,
        stream,
        events.map((event) => newEvent(event)),
      ),
    runner: async (more = {}) => {
      const runner = new ProjectionRunner({
        db: pool,
        connectionString: url,
        store,
        projections: PROJECTIONS,
        ...more,
      });
      runners.add(runner);
      await runner.start();
      return runner;
    },
    rows: async (sql, values) => (await complete.query<Record<string, unknown>>(sql, values)).rows,
    close: async () => {
      await Promise.all([...runners].map((runner) => runner.stop()));
      await store.close();
      await pool.end();
      await postgres.stop();
    },
  };
}

/**
 * Rebuilds the parts of schema `app` that can be restored from the log: claims on names and records of people. Normally
 * they are written when something happens. With an old log and an empty database, a second workspace could take the
 * name of the first. So before anything is served, each owner restores its rows once from read models that have caught
 * up, all of them or none.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { START } from '@quarterdeck/events';
import { ProjectionRunner } from '@quarterdeck/projections/runner';
import type { ClientBase, Pool } from 'pg';
import type { Remade } from '../decisions';
import { followed, readModelsOf, sourceOf, type Log } from './resources';
import type { Config, EventStore, Logger } from '../tokens';
import { transaction } from '../database';

interface Remaking {
  pool: Pool;
  store: EventStore;
  /** Settles when the read models show everything in the log. */
  caughtUp(): Promise<void>;
}

const TOLD_EVERY_MS = 5_000;
const markOf = ({ name }: Remade): string => `remade:${name}`;

const notDone = async (db: Pick<ClientBase, 'query'>, owners: readonly Remade[]): Promise<Remade[]> => {
  const { rows } = await db.query<{ key: string }>('select key from app.installation where key = any($1)', [
    owners.map(markOf),
  ]);
  return owners.filter((owner) => !rows.some(({ key }) => key === markOf(owner)));
};

/** If several processes start at once, one restores the rows and the others wait. */
export const remake = async (
  owners: readonly Remade[],
  { pool, store, caughtUp }: Remaking,
): Promise<void> => {
  const missing = await notDone(pool, owners);
  if (missing.length === 0) return;
  // A new log contains only its founding event: processes write other events only after this step.
  const isOld = (await store.readAll(START, { limit: 2 })).length > 1;
  if (isOld) await caughtUp();
  for (const owner of missing)
    await transaction(pool, async (client) => {
      await client.query(`select pg_advisory_xact_lock(hashtextextended('remaking', 0))`);
      if ((await notDone(client, [owner])).length === 0) return;
      if (isOld) await owner.remake(client);
      await client.query(`insert into app.installation (key, value) values ($1, 'done')`, [markOf(owner)]);
    });
};

/** Call it after the read models were rebuilt from another log: the restored rows belong to the old one. */
export const forgetRemade = async (pool: Pool): Promise<void> => {
  await pool.query(`delete from app.installation where key like 'remade:%'`);
};

/** @param signal aborts the wait */
export const untilCaughtUp = async (
  projections: ProjectionRunner,
  store: EventStore,
  logger: Logger,
  signal?: AbortSignal,
): Promise<void> => {
  for (;;) {
    signal?.throwIfAborted();
    const head = await store.head();
    if (
      (await projections.ready(TOLD_EVERY_MS)) &&
      (await projections.waitFor(head, TOLD_EVERY_MS)) &&
      (await projections.waitForLater(TOLD_EVERY_MS))
    )
      return;
    logger.warn({ position: projections.position(), head }, 'waiting for the read models to catch up');
    await sleep(0);
  }
};

/** For a command without a running back end: it builds the read models itself. */
export const caughtUpAlone =
  (config: Config, { pool, url, store }: Log, logger: Logger) =>
  async (signal?: AbortSignal): Promise<void> => {
    const options = { db: pool, connectionString: url, store, projections: readModelsOf(store), logger };
    const runner = new ProjectionRunner({ ...options, log: sourceOf(store) });
    await followed(config, runner);
    try {
      await untilCaughtUp(runner, store, logger, signal);
    } finally {
      await runner.stop();
    }
  };

/** What the process holds open, in the order in which it has to be opened, and closed in the reverse. */
import { openEventStore } from '@quarterdeck/events/store';
import { projections as readModels, type AnyProjection } from '@quarterdeck/projections';
import { chain, PastTables, ProjectionRunner } from '@quarterdeck/projections/runner';
import { Pool } from 'pg';
import { Claims } from './claims';
import type { Config } from './config';
import { migrate } from './migrations';
import { timedTables } from './past';
import { startPostgres } from './postgres-server';
import { Sealing } from './sealing';
import { SessionStore } from './session-store';
import type { EventStore, Logger } from './tokens';
import { PostgresVault } from './vault';
import { KeyFile, keyFromEnvironment, type MasterKeySource } from './vault-key';

const POOL_SIZE = 16;
/** A call waits this long for a connection before it is answered with 503. */
const CONNECT_MS = 3000;
/** No call is worth waiting for longer, and each that waits holds a connection. */
const STATEMENT_MS = 20_000;

export interface Database {
  url: string;
  pool: Pool;
  close(): Promise<void>;
}

export interface Resources extends Database {
  config: Config;
  logger: Logger;
  store: EventStore;
  projections: ProjectionRunner;
  vault: PostgresVault;
  sessions: SessionStore;
  claims: Claims;
  /** The read models as they were. */
  past: PastTables;
}

export const masterKeySource = (config: Config): MasterKeySource =>
  config.MASTER_KEY ? keyFromEnvironment(config.MASTER_KEY) : new KeyFile(config.DATA_DIR);

/** Postgres with its schema `app` up to date: the given one, or the embedded one of DATA_DIR. */
export const openDatabase = async (config: Config, logger: Logger): Promise<Database> => {
  const embedded = config.DATABASE_URL ? undefined : await startPostgres({ dir: config.DATA_DIR });
  const url = config.DATABASE_URL ?? embedded?.url ?? '';
  const pool = new Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    application_name: 'quarterdeck',
  });
  let closing = false;
  // Without a listener, an idle connection that breaks ends the process.
  pool.on('error', (error) => {
    if (!closing) logger.warn({ err: error }, 'a database connection was lost');
  });
  // So does one that breaks in the hands of whoever took it out; the query that was under way tells him.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const close = async (): Promise<void> => {
    closing = true;
    await pool.end();
    await embedded?.stop();
  };
  try {
    await migrate(pool);
  } catch (error) {
    await close();
    throw error;
  }
  return { url, pool, close };
};

export const openStore = (
  { url }: Pick<Database, 'url'>,
  config: Config,
  logger: Logger,
): Promise<EventStore> =>
  openEventStore({
    url: config.EVENT_STORE_URL ?? url,
    onFault: (error) => logger.warn({ err: error }, 'the event store lost its connection for a moment'),
  });

/** EventStoreDB keeps no chain, so one is followed beside the read models. */
export const readModelsOf = ({ engine }: EventStore): readonly AnyProjection[] =>
  engine === 'eventstoredb' ? [...readModels, chain] : readModels;

export const openResources = async (config: Config, logger: Logger): Promise<Resources> => {
  const database = await openDatabase(config, logger);
  const { url, pool } = database;
  const opened: (() => Promise<void>)[] = [database.close];
  const close = async (): Promise<void> => {
    for (const step of opened.splice(0).reverse())
      await step().catch((error: unknown) => logger.error({ err: error }, 'closing failed'));
  };
  try {
    const vault = await PostgresVault.open(pool, masterKeySource(config));
    const store = await openStore(database, config, logger);
    opened.push(() => store.close());
    const sessions = new SessionStore(pool, url, (error) => logger.warn({ err: error }, 'sessions'));
    await sessions.start();
    opened.push(() => sessions.stop());
    const projections = new ProjectionRunner({
      db: pool,
      connectionString: url,
      store,
      projections: readModelsOf(store),
      logger,
    });
    await projections.start();
    opened.push(() => projections.stop());
    const past = new PastTables({
      connectionString: url,
      store,
      projections: [...readModels],
      timed: timedTables,
      onFault: (error) => logger.warn({ err: error }, 'the connection for the past was lost'),
    });
    opened.push(() => past.stop());
    const sealing = new Sealing({ store, pool, projections, logger });
    sealing.start();
    opened.push(async () => sealing.stop());
    return {
      ...database,
      config,
      logger,
      vault,
      store,
      sessions,
      projections,
      claims: new Claims(pool),
      past,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};

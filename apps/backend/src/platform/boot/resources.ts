/** The resources of the process, opened in the necessary order and closed in reverse. */
import fs from 'node:fs';
import path from 'node:path';
import { openEventStore } from '@quarterdeck/events/store';
import {
  type AuthenticStore,
  isLogOfAnotherVersion,
  LastingConnection,
  placeOf,
  WrongLogKey,
} from '@quarterdeck/log/store';
import { projections as readModels, type AnyProjection } from '@quarterdeck/projections';
import {
  AnotherLog,
  chain,
  AsOfTables,
  ProjectionRunner,
  sourceLog,
  type SourceLog,
  waitingPool,
} from '@quarterdeck/projections/runner';
import { Pool } from 'pg';
import { Claims } from '../decisions';
import type { Config } from '../config';
import {
  migrate,
  type Outage,
  outagesOf,
  type PostgresFailed,
  PostgresKeeper,
  type PostgresServer,
  RESTORING_MARK,
  type Room,
  sparing,
  UnfinishedRestore,
} from '../database';
import { recordedMember, SessionStore } from '../sessions';
import { Sealing } from './sealing';
import { withoutSecrets } from '../config';
import { prepareDataDir } from './start/data-dir';
import { awaitedDatabase, schemaProblem } from './start/database';
import { startEmbedded } from './start/embedded';
import { openEventLog } from './start/event-log';
import { untilThere, type Patience } from './start/patience';
import { StartProblem, WRONG_ENVIRONMENT, type Fault } from '../start-problem';
import type { EventStore, Logger } from '../tokens';
import type { Program } from './program';
import { KeyFile, keyFromEnvironment, type MasterKeySource, PostgresVault } from '../vault';

const POOL_SIZE = 16;
/**
 * How long a call waits for a connection before it is answered with 503. The limit includes delays in this process: up
 * to 4 s on a busy machine when hundreds of sockets connect at once.
 */
const CONNECT_MS = 10_000;
/** Idle connections are kept this long: a new one costs Postgres a process, usually when the load is highest. */
const IDLE_MS = 300_000;
/** No call is worth a longer wait, and each waiting call holds a connection. */
const STATEMENT_MS = 20_000;

export interface Database {
  url: string;
  pool: Pool;
  /** Undefined if DATABASE_URL names another server. */
  server: PostgresServer | undefined;
  close(): Promise<void>;
}

export interface Log extends Database {
  vault: PostgresVault;
  store: AuthenticStore;
}

export interface Resources extends Log, Program {
  projections: ProjectionRunner;
  /** Started once everything that uses it was created. */
  connection: LastingConnection;
  sessions: SessionStore;
  claims: Claims;
  /** Read models of the past. */
  past: AsOfTables;
  /** The disks that this process writes to, and whether they have space. */
  rooms: readonly Room[];
  /** Settles when the embedded Postgres has ended and cannot be started again. */
  lost: Promise<PostgresFailed>;
}

export const masterKeySource = ({ MASTER_KEY, DATA_DIR }: Config): MasterKeySource => {
  if (MASTER_KEY) return keyFromEnvironment(MASTER_KEY);
  prepareDataDir(DATA_DIR, { database: false });
  return new KeyFile(DATA_DIR);
};

/** @throws StartProblem if a restore into the folder was begun and did not end */
const refuseMarked = (config: Config): void => {
  if (config.DATABASE_URL || !fs.existsSync(path.join(config.DATA_DIR, RESTORING_MARK))) return;
  throw schemaProblem(config, new UnfinishedRestore('a restore was begun here and did not end'));
};

const patienceOf = (config: Config, logger: Logger, signal: AbortSignal | undefined): Patience => ({
  waitMs: config.START_WAIT_SECONDS * 1000,
  tell: (line) => logger.warn(line),
  ...(signal ? { signal } : {}),
});

/**
 * Opens Postgres (DATABASE_URL, or embedded in DATA_DIR) and brings its schema `app` up to date.
 * @param signal aborts the wait for a Postgres that does not answer yet
 * @param prepare for a restore, which makes the schema by itself; default: brings the schema up to date
 */
export const openDatabase = async (
  { config, logger, tables }: Program,
  signal?: AbortSignal,
  prepare?: (pool: Pool) => Promise<void>,
): Promise<Database> => {
  if (!prepare) refuseMarked(config);
  const patience = patienceOf(config, logger, signal);
  const embedded = config.DATABASE_URL ? undefined : await startEmbedded(config, patience);
  const url = config.DATABASE_URL ?? embedded?.url ?? '';
  const pool = new Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    statement_timeout: STATEMENT_MS,
    application_name: 'quarterdeck',
  });
  const upToDate = (): Promise<void> =>
    migrate(pool, tables.steps, {
      alsoPending: async () =>
        !config.EVENT_STORE_URL && (await isLogOfAnotherVersion(pool)) ? ['schema log'] : [],
      before: (pending) => tables.beforeMigration({ config, logger, url, pool, tables, pending, signal }),
    });
  let closing = false;
  // Without a listener, an error of an idle connection ends the process.
  pool.on('error', (error) => {
    if (!closing) logger.warn({ err: error }, 'a database connection was lost');
  });
  // The same is true of a connection in use. Its running query reports the error to the caller.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const close = async (): Promise<void> => {
    closing = true;
    await pool.end();
    await embedded?.stop();
  };
  try {
    await untilThere(() => (prepare ?? upToDate)(pool), awaitedDatabase(config), patience);
  } catch (error) {
    await close();
    throw schemaProblem(config, error);
  }
  return { url, pool, server: embedded, close };
};

interface Opening {
  /** Gives no identity to a log without one, and also opens a log that has moved. */
  readOnly?: boolean;
  /** Does not upgrade the log's schema from an earlier version. */
  asItIs?: boolean;
}

const openStore = (
  { url, vault }: Pick<Log, 'url' | 'vault'>,
  config: Config,
  logger: Logger,
  { signal, readOnly = false, asItIs = false }: Opening & { signal?: AbortSignal | undefined },
): Promise<AuthenticStore> => {
  const onFault = (error: unknown): void =>
    logger.warn({ err: error }, 'the event log lost its connection for a moment');
  const patience = patienceOf(config, logger, signal);
  const options = { onFault, masterKey: vault.masterKey, readOnly, asItIs };
  const store = config.EVENT_STORE_URL
    ? openEventLog(config.EVENT_STORE_URL, { ...options, prefix: config.EVENT_STORE_PREFIX }, patience)
    : untilThere(() => openEventStore({ url, ...options }), awaitedDatabase(config), patience);
  return store.catch((error: unknown) => {
    if (!(error instanceof WrongLogKey)) throw error;
    const remedy = 'give the master key of that log, or correct EVENT_STORE_URL';
    const fault: Fault = {
      wrong: `is not the key of this log: ${error.message}`,
      remedy,
      exitCode: WRONG_ENVIRONMENT,
    };
    throw new StartProblem(masterKeySource(config).setting, fault, error);
  });
};

/**
 * Opens database, vault and event log for the commands.
 * @param readOnly gives no identity to a log without one, and also opens a log that has moved
 */
export const openLog = async (program: Program, readOnly = false): Promise<Log> => {
  const database = await openDatabase(program);
  try {
    return await openLogIn(database, program, { readOnly });
  } catch (error) {
    await database.close();
    throw error;
  }
};

/** Like `openLog`, in a database that is already open. Closing the log also closes the database. */
export const openLogIn = async (
  database: Database,
  { config, logger }: Pick<Program, 'config' | 'logger'>,
  opening: Opening = {},
): Promise<Log> => {
  const vault = await PostgresVault.open(database.pool, masterKeySource(config));
  const store = await openStore({ url: database.url, vault }, config, logger, opening);
  const close = async (): Promise<void> => {
    await store.close();
    await database.close();
  };
  await (opening.readOnly ? placeOf(store) : store.locate()).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  return { ...database, vault, store, close };
};

/** @throws StartProblem if the read models belong to another log */
const anotherLog = ({ EVENT_STORE_URL }: Config, error: unknown): never => {
  if (!(error instanceof AnotherLog)) throw error;
  const value = EVENT_STORE_URL === undefined ? undefined : withoutSecrets(EVENT_STORE_URL);
  const setting = { variable: 'EVENT_STORE_URL', ...(value === undefined ? {} : { value }) };
  const place =
    EVENT_STORE_URL === undefined
      ? 'is not set, so the log is the one in the database, but'
      : 'names a log, but';
  const wrong = `${place} ${error.message}`;
  const remedy =
    'put EVENT_STORE_URL back, or run `npm run projections -- rebuild` to build them from this log';
  throw new StartProblem(setting, { wrong, remedy, exitCode: WRONG_ENVIRONMENT }, error);
};

/** @throws StartProblem */
export const followed = (config: Config, projections: ProjectionRunner): Promise<void> =>
  projections.start().catch((error: unknown) => anotherLog(config, error));

/** What the read models remember about the log: its id, and the event that recorded its arrival at this place. */
export const sourceOf = ({ keys, home }: AuthenticStore): SourceLog | undefined =>
  keys && { id: keys.id, home };

/** EventStoreDB keeps no hash chain, so a read model does. */
export const readModelsOf = ({ engine }: EventStore): readonly AnyProjection[] =>
  engine === 'eventstoredb' ? [...readModels, chain] : readModels;

/** @returns a promise that settles when the embedded Postgres cannot be restarted */
const keep = (
  server: PostgresServer | undefined,
  logger: Logger,
  opened: (() => Promise<void>)[],
): Promise<PostgresFailed> =>
  new Promise((resolve) => {
    if (!server) return;
    const keeper = new PostgresKeeper(server, {
      onBack: ({ downMs, adopted }) =>
        logger.warn(
          { downMs, data: server.data },
          `the embedded Postgres had stopped and was started again${adopted ? ' by another process' : ''}`,
        ),
      onFailing: (failure) =>
        logger.warn({ err: failure }, 'the embedded Postgres has stopped and does not start; trying again'),
      onLost: resolve,
    });
    opened.push(() => keeper.stop());
  });

export const openResources = async (
  { config, logger: plainLogger, tables }: Program,
  signal?: AbortSignal,
): Promise<Resources> => {
  const outages: Outage[] = [];
  const logger = sparing(plainLogger, outages);
  let head = (): Promise<unknown> => Promise.resolve();
  const database = await openDatabase({ config, logger, tables }, signal);
  const { url, pool, server } = database;
  const opened: (() => Promise<void>)[] = [database.close];
  const { all, rooms } = outagesOf(database, config.EVENT_STORE_URL, plainLogger, () => head());
  outages.push(...all);
  const lost = keep(server, logger, opened);
  opened.push(async () => outages.forEach((outage) => outage.stop()));
  const close = async (): Promise<void> => {
    for (const step of opened.splice(0).reverse())
      await step().catch((error: unknown) => logger.error({ err: error }, 'closing failed'));
  };
  try {
    const vault = await PostgresVault.open(pool, masterKeySource(config));
    // Read models exist, so their log has an identity. A log without one is another log, and must not get an identity
    // here.
    const built = await sourceLog(pool);
    const store = await openStore({ url, vault }, config, logger, { signal, readOnly: built !== undefined });
    head = () => store.head();
    opened.push(() => store.close());
    await store.locate();
    if (built !== undefined && !store.keys) anotherLog(config, new AnotherLog(built, undefined));
    const fault = (what: string) => (error: unknown) => logger.warn({ err: error }, what);
    const connection = new LastingConnection({ connectionString: url }, fault('the lasting connection'));
    const sessions = new SessionStore(pool, connection, fault('sessions'), recordedMember(store));
    sessions.start();
    opened.push(() => connection.close());
    opened.push(async () => sessions.stop());
    const projections = new ProjectionRunner({
      db: pool,
      connectionString: url,
      store,
      projections: readModelsOf(store),
      log: sourceOf(store),
      logger,
    });
    await followed(config, projections);
    opened.push(() => projections.stop());
    const past = new AsOfTables({
      connectionString: url,
      store,
      projections: [...readModels],
      timed: tables.timed,
      onFault: fault('the connection for the past was lost'),
    });
    opened.push(() => past.stop());
    const sealing = new Sealing({ store, pool, projections, logger });
    sealing.start();
    opened.push(async () => sealing.stop());
    return {
      ...database,
      pool: waitingPool(pool, projections, readModels),
      config,
      logger,
      tables,
      vault,
      store,
      connection,
      sessions,
      projections,
      claims: new Claims(pool),
      past,
      rooms,
      lost,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};

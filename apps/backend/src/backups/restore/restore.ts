/** Restores a console from archives into an empty folder or an empty database. */
import fs from 'node:fs';
import path from 'node:path';
import { DATABASE, openEngine, openTakenIn, type LogEngine } from '@quarterdeck/log/store';
import type { Pool } from 'pg';
import { withoutSecrets, type Config } from '../../platform/config';
import {
  awaitedEventLog,
  caughtUpAlone,
  openDatabase,
  openLogIn,
  openPlace,
  type Database,
  type Log,
  type Program,
} from '../../platform/boot';
import {
  makeFile,
  migrate,
  RESTORING,
  RESTORING_MARK,
  syncFolder,
  transaction,
} from '../../platform/database';
import type { Logger } from '../../platform/tokens';
import { KeyFile, masterKey } from '../../platform/vault';
import { ArchiveRefused } from '../archive/head';
import { openPart, type Archive, type Keys } from '../archive/read';
import { LOG_PART, MASTER_KEY_PART } from '../tables';
import type { UpTo } from './plan';
import { putBackEvents, putBackTables, refuseBeforeLog, type Tell } from './put-back';
import { settle, type Settled } from './settle';

/** The place is not suitable for a restore. Nothing in it was changed. */
export class PlaceRefused extends Error {
  override name = 'PlaceRefused';
}

export interface Restoring extends Program {
  /** The full archive first. */
  archives: readonly Archive[];
  key: Keys;
  /** Passphrase of the master key in the archive, if that key is to be used. */
  keyPassphrase?: string | undefined;
  upTo?: UpTo | undefined;
  /** Called after all checks have passed, when the work begins. */
  onBegin?: () => void;
  tell: Tell;
  /** Checks the restored log before `settle` ends what must not continue. */
  check?: (log: Log) => Promise<void>;
  /** Aborts only the wait for the read models. `tell` can abort everything else by throwing. */
  signal?: AbortSignal;
}

/** Names that an otherwise unused data folder may contain. */
const HARMLESS = new Set(['master.key', 'backups', 'backups-on-their-way', RESTORING_MARK]);

/** @throws PlaceRefused */
const refuseUsedFolder = ({ DATABASE_URL, DATA_DIR }: Config): void => {
  if (DATABASE_URL || !fs.existsSync(DATA_DIR)) return;
  const found = fs.readdirSync(DATA_DIR).find((name) => !HARMLESS.has(name));
  if (found !== undefined)
    throw new PlaceRefused(`DATA_DIR=${DATA_DIR} is not empty: it has ${found}; name an empty folder`);
};

/** Applies the migrations of schema `app` that the archive had. */
const migrateTo = (pool: Pool, { head }: Archive, { tables }: Program): Promise<void> => {
  const steps = tables.steps.filter(({ name }) => head.schema.includes(name));
  return migrate(pool, steps, { restoring: true });
};

/** @throws PlaceRefused */
const beginIn = async (pool: Pool, restoring: Restoring, keyText: string | undefined): Promise<void> => {
  const { archives, onBegin } = restoring;
  await transaction(pool, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select nspname as name from pg_namespace where nspname in ('app', 'log', 'read', 'read_build')`,
    );
    if (rows[0])
      throw new PlaceRefused(`the database is not empty: it has a schema ${rows[0].name}; name an empty one`);
    await client.query(
      `create schema app; create table ${RESTORING} (archive text not null, began_at timestamptz not null default now())`,
    );
    await client.query(`insert into ${RESTORING} (archive) values ($1)`, [archives.at(-1)!.head.id]);
  });
  onBegin?.();
  if (keyText !== undefined) {
    const { DATA_DIR } = restoring.config;
    fs.mkdirSync(DATA_DIR, { recursive: true, mode: 0o700 });
    makeFile(path.join(DATA_DIR, 'master.key'), `${keyText}\n`);
  }
  await migrateTo(pool, archives[0]!, restoring);
};

/** Opens every archive once, so a wrong key is detected before anything is created. */
export const tryKey = async (archives: readonly Archive[], key: Keys): Promise<void> => {
  for (const archive of archives) (await openPart(archive, LOG_PART, key)).destroy();
};

const MAX_KEY_LENGTH = 1_000;

const keyInArchive = async (archive: Archive, passphrase: string): Promise<string> => {
  let text = '';
  for await (const piece of await openPart(archive, MASTER_KEY_PART, { passphrase })) {
    text += String(piece);
    if (text.length > MAX_KEY_LENGTH) break;
  }
  return text.trim();
};

/**
 * Makes sure that the right master key is available before anything is restored.
 * @returns the text of the key if it is only in the archive
 * @throws PlaceRefused, ArchiveRefused
 */
const keyToMake = async (
  { DATA_DIR, MASTER_KEY }: Config,
  archive: Archive,
  keyPassphrase: string | undefined,
): Promise<string | undefined> => {
  const wanted = archive.head.masterKey;
  const file = new KeyFile(DATA_DIR);
  const found = MASTER_KEY ? masterKey(MASTER_KEY) : file.read();
  if (found?.id === wanted) return undefined;
  if (found)
    throw new PlaceRefused(
      `${MASTER_KEY ? 'MASTER_KEY' : path.join(DATA_DIR, 'master.key')} is master key ${found.id}, and the archive needs master key ${wanted}`,
    );
  if (keyPassphrase === undefined)
    throw new PlaceRefused(
      `the archive needs master key ${wanted}: set MASTER_KEY, put the file master.key into DATA_DIR, or give --master-key PASSPHRASE-FILE if the archive has it`,
    );
  const text = await keyInArchive(archive, keyPassphrase);
  if (masterKey(text).id !== wanted)
    throw new ArchiveRefused(`${archive.file}: the master key in it is not the one that its head names`);
  return text;
};

/**
 * Marks the folder before the first file is made in it: a database that is only begun has no mark of its own yet, and
 * a console would start on it as a new one. @returns removes the mark
 */
const markFolder = ({ DATABASE_URL, DATA_DIR }: Config, archive: Archive): (() => void) => {
  if (DATABASE_URL) return () => undefined;
  const mark = path.join(DATA_DIR, RESTORING_MARK);
  fs.mkdirSync(DATA_DIR, { recursive: true, mode: 0o700 });
  makeFile(mark, `${archive.head.id}\n`);
  return () => {
    fs.rmSync(mark, { force: true });
    syncFolder(DATA_DIR);
  };
};

/**
 * The place of the event log, which must be empty.
 * @throws PlaceRefused
 */
const openTarget = async (
  url: string,
  { EVENT_STORE_URL, ...config }: Config,
  logger: Logger,
): Promise<LogEngine> => {
  if (EVENT_STORE_URL === undefined) return openEngine({ url });
  const patience = { waitMs: config.START_WAIT_SECONDS * 1000, tell: (line: string) => logger.warn(line) };
  const options = { prefix: config.EVENT_STORE_PREFIX };
  const engine = await openPlace(EVENT_STORE_URL, options, awaitedEventLog(EVENT_STORE_URL), patience);
  if ((await engine.newest()) === undefined) return engine;
  await engine.close();
  throw new PlaceRefused(
    `EVENT_STORE_URL=${withoutSecrets(EVENT_STORE_URL)} has a log already; name an empty place`,
  );
};

const putBack = async (restoring: Restoring, database: Database): Promise<Settled> => {
  const { config, logger, archives, key, upTo, tell } = restoring;
  const { pool, url } = database;
  for (const archive of archives) {
    await migrateTo(pool, archive, restoring);
    await putBackTables(url, archive, { key, tables: restoring.tables, tell });
  }
  await migrate(pool, restoring.tables.steps, { restoring: true });
  const target = await openTarget(url, config, logger);
  const archive = archives.at(-1)!;
  let position: string;
  try {
    position = await putBackEvents(target, archives, { key, upTo, tell });
    const master = config.MASTER_KEY ? masterKey(config.MASTER_KEY) : new KeyFile(config.DATA_DIR).read();
    const { id: log, publicKey } = archive.head.log;
    const at =
      config.EVENT_STORE_URL === undefined ? DATABASE : (withoutSecrets(config.EVENT_STORE_URL) ?? DATABASE);
    await openTakenIn(target, { masterKey: master!.key, identity: { log, publicKey }, at });
  } finally {
    await target.close();
  }
  tell('building the read models');
  const log = await openLogIn(database, restoring);
  try {
    await caughtUpAlone(config, log, logger)(restoring.signal);
    await restoring.check?.(log);
    return await settle({ pool, store: log.store, archive, position, upTo });
  } finally {
    await log.store.close();
  }
};

/** @throws PlaceRefused, ArchiveRefused, MoveRefused */
export const restore = async (restoring: Restoring): Promise<Settled> => {
  const { config, logger, archives, key, keyPassphrase, upTo } = restoring;
  const newest = archives.at(-1)!;
  refuseUsedFolder(config);
  await tryKey(archives, key);
  if (upTo) await refuseBeforeLog(archives[0]!, key, upTo);
  const keyText = await keyToMake(config, newest, keyPassphrase);
  if (config.EVENT_STORE_URL !== undefined) await (await openTarget('', config, logger)).close();
  const removeMark = markFolder(config, newest);
  const database = await openDatabase(restoring, undefined, (pool) => beginIn(pool, restoring, keyText));
  try {
    const settled = await putBack(restoring, database);
    removeMark();
    return settled;
  } finally {
    await database.close();
  }
};

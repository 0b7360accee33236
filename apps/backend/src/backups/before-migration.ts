/**
 * At its first start, a newer version takes a full archive into DATA_DIR/backups before it migrates the database, so
 * that the migration can be reverted. Until the archive exists, nothing in the database is changed, not even the schema
 * of the log. This requires no other machine and may be killed at any time.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { hasLog } from '@quarterdeck/log/store';
import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { type BeforeMigration, type Log, openLogIn } from '../platform/boot';
import { Decisions } from '../platform/decisions';
import { ownMeta } from '../platform/sessions';
import { StartProblem, WRONG_ENVIRONMENT } from '../platform/start-problem';
import { openArchive, type Archive } from './archive/read';
import { nameAt, removeForgotten } from './folder';
import { ownRecipient } from './own-identity';
import { reserveOf } from './room';
import { takeBackup } from './take';
import { targetName } from './targets/open-target';
import { BackupBook } from './work/backup-book';
import { factsOf, type Taken } from './work/take-one';

/**
 * Key in `app.installation` for the archive until the new version has recorded it. The old version does not know the
 * event that records it.
 */
const NOTE = 'backup-before-migration';

interface Note {
  taken: Taken['taken'];
  durationMs: number;
  /** Pending migrations. */
  pending: readonly string[];
}

const readNote = async (pool: Pool): Promise<Note | undefined> => {
  const { rows } = await pool.query<{ value: string }>('select value from app.installation where key = $1', [
    NOTE,
  ]);
  return rows[0] && (JSON.parse(rows[0].value) as Note);
};

/** The archive of an earlier attempt at the same migration, unless events were recorded since. */
const madeBefore = async (log: Log, pending: readonly string[]): Promise<Archive | undefined> => {
  const note = await readNote(log.pool);
  if (!note || String(note.pending) !== String(pending)) return undefined;
  const archive = await openArchive(path.join(note.taken.place, note.taken.name)).catch(() => undefined);
  return archive?.head.log.end.position === (await log.store.head()) ? archive : undefined;
};

/** Recipients by the plan: the master key opens the archive, and so do the identities that the plan names. */
export const recipientsOf = async ({ store, vault }: Log): Promise<string[]> => {
  const { plan } = await new BackupBook(new Decisions(store)).state();
  return [await ownRecipient(vault.masterKey), ...plan.recipients];
};

const take = async (
  log: Log,
  { config, tables, pending, signal }: Parameters<BeforeMigration>[0],
): Promise<Archive> => {
  const began = performance.now();
  const folder = targetName({ kind: 'folder' }, config.DATA_DIR);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeForgotten(folder);
  const [id, takenAt] = [uuidv7(), new Date().toISOString()];
  const archive = await takeBackup({
    log,
    tables,
    elsewhere: config.EVENT_STORE_URL !== undefined,
    id,
    file: path.join(folder, nameAt(takenAt, id)),
    takenAt,
    signal,
    lock: { recipients: await recipientsOf(log) },
    reserve: reserveOf(config),
  });
  const durationMs = Math.round(performance.now() - began);
  const note: Note = { taken: factsOf(archive, { name: folder }), durationMs, pending };
  await log.pool.query(
    'insert into app.installation (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value',
    [NOTE, JSON.stringify(note)],
  );
  return archive;
};

/** @throws StartProblem if no backup can be taken; nothing is changed then */
export const backUpFirst: BeforeMigration = async (about) => {
  const { config, logger, pool, url, pending } = about;
  if (config.BACKUPS === 'off') {
    logger.warn({ steps: pending }, 'this version changes the database, without a backup: BACKUPS is off');
    return;
  }
  try {
    if (!config.EVENT_STORE_URL && !(await hasLog(pool))) return;
    const database = { url, pool, server: undefined, close: () => Promise.resolve() };
    const log = await openLogIn(database, { config, logger }, { readOnly: true, asItIs: true });
    try {
      // The log predates log identities, so no archive can be signed.
      if (!log.store.keys) {
        logger.warn({ steps: pending }, 'this version changes the database, without a backup: it is too old');
        return;
      }
      const { file } = (await madeBefore(log, pending)) ?? (await take(log, about));
      logger.warn(
        { steps: pending, archive: file },
        'this version changes the database; its backup is taken',
      );
    } finally {
      await log.close();
    }
  } catch (error) {
    if (error instanceof StartProblem) throw error;
    const wrong = `has to be backed up before this version changes its database, and that failed: ${(error as Error).message}`;
    const remedy = 'mend that, or set BACKUPS=off to go on without a backup';
    const setting = { variable: 'DATA_DIR', value: config.DATA_DIR };
    throw new StartProblem(setting, { wrong, remedy, exitCode: WRONG_ENVIRONMENT }, error);
  }
};

/** Records the archive in the log once the new version runs. */
export const recordFirst = async (pool: Pool, book: BackupBook): Promise<void> => {
  const note = await readNote(pool);
  if (!note) return;
  const { archives, current } = await book.state();
  const { work } = note.taken;
  if (current && current.work !== work) return;
  if (!archives.some(({ id }) => id === work)) {
    if (!current) await book.request({ work, why: 'migration', full: true }, ownMeta('system', '-'));
    await book.end({ type: 'BackupTaken', data: { ...note.taken, durationMs: note.durationMs } });
  }
  await pool.query('delete from app.installation where key = $1', [NOTE]);
};

/** The archives in a folder: their names, and the chains that they form. */
import fs from 'node:fs/promises';
import path from 'node:path';
import type { AuthenticStore } from '@quarterdeck/log/store';
import { lockMark, type Lock } from './archive/age';
import { ArchiveRefused, type Head } from './archive/head';
import { openArchive, type Archive } from './archive/read';
import { DRAFT } from './archive/write';

export const EXTENSION = '.backup';
/** Age at which an unfinished archive counts as left behind by a killed backup. */
const FORGOTTEN_MS = 24 * 60 * 60_000;

/** Names sort by time. Two consoles may use one place, and be due in the same millisecond: the id tells them apart. */
export const nameAt = (takenAt: string, id: string): string =>
  `quarterdeck-${takenAt.replace(/[^\dTZ]/g, '')}-${id.slice(-8)}${EXTENSION}`;

export interface FolderContent {
  archives: Archive[];
  /** Files that are named like an archive but are not intact archives. */
  refused: string[];
}

/**
 * These errors concern one file: it is a folder or a socket, we have no permission, or it was removed. Any other error means that the
 * disk or the network has failed.
 */
const OF_ONE_FILE = ['EISDIR', 'EACCES', 'EPERM', 'ENOENT', 'ELOOP', 'ENXIO', 'ENODEV'];

/** @returns undefined if the error concerns more than this file */
const whyNoArchive = (file: string, error: unknown): string | undefined => {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (error instanceof ArchiveRefused) return message;
  return OF_ONE_FILE.includes(code) ? `${file}: it cannot be read (${code})` : undefined;
};

/**
 * Reads only the heads. Oldest first.
 * @param onEach called after each file
 */
export const archivesIn = async (folder: string, onEach?: () => void): Promise<FolderContent> => {
  const found: FolderContent = { archives: [], refused: [] };
  const names = (await fs.readdir(folder)).filter((name) => name.endsWith(EXTENSION));
  for (const file of names.sort().map((name) => path.join(folder, name)))
    try {
      found.archives.push(await openArchive(file));
    } catch (error) {
      const problem = whyNoArchive(file, error);
      if (problem === undefined) throw error;
      found.refused.push(problem);
    } finally {
      onEach?.();
    }
  found.archives.sort((a, b) => a.head.takenAt.localeCompare(b.head.takenAt));
  return found;
};

type Log = Pick<AuthenticStore, 'keys' | 'engine' | 'home'>;

/**
 * True if that log signed the archive. The id alone proves nothing: anybody can write it into a head and sign with
 * another key.
 */
export const isOfLog = (
  { log }: Pick<Head, 'log'>,
  keys: { id: string; publicKey: string } | undefined,
): boolean => log.id === keys?.id && log.publicKey === keys.publicKey;

/** True if the archive uses the positions of that place: a restored log and a moved one count separately. */
const isOfPlace = (
  { log }: Head,
  { engine, home }: Pick<Log, 'engine'> & { home?: string | null | undefined },
): boolean => log.engine === engine && log.home === (home ?? null);

/** True if the archive was taken from this log, and from the place where the log is now. */
export const isContinuedBy = (head: Head, log: Log): boolean =>
  isOfLog(head, log.keys) && isOfPlace(head, log);

/**
 * The archives to restore one after the other, the full one first and this one last.
 * @param others contain the earlier ones
 * @throws ArchiveRefused if one is missing, or they do not join
 */
export const chainAmong = (archive: Archive, others: readonly Archive[]): Archive[] => {
  const chain = [archive];
  for (let first = archive; first.head.base !== null; first = chain[0]!) {
    const { base, log } = first.head;
    const before = others.find(({ head }) => head.id === base);
    if (!before)
      throw new ArchiveRefused(
        `${first.file}: the archive that it continues is missing: the one that ends at position ${log.after.position}`,
      );
    const { end } = before.head.log;
    if (
      !isOfLog(before.head, log) ||
      !isOfPlace(before.head, log) ||
      end.hash !== log.after.hash ||
      chain.includes(before)
    )
      throw new ArchiveRefused(`${first.file}: it does not continue ${before.file}`);
    chain.unshift(before);
  }
  return chain;
};

/** As `chainAmong`, with the archives in the same folder. */
export const chainOf = async (archive: Archive): Promise<Archive[]> =>
  chainAmong(
    archive,
    archive.head.base === null ? [] : (await archivesIn(path.dirname(archive.file))).archives,
  );

/** Archives of this log in its place that a new archive with the same lock and master key may continue. */
export const continuable = (
  archives: readonly Archive[],
  log: Log,
  lock: Lock,
  masterKey: string,
): Archive[] =>
  archives.filter(
    ({ head }) => isContinuedBy(head, log) && head.lock === lockMark(lock) && head.masterKey === masterKey,
  );

/** The newest archive with its chain, the full one first. Empty if one of them is missing. */
export const newestChain = (archives: readonly Archive[]): Archive[] => {
  const last = archives.at(-1);
  try {
    return last ? chainAmong(last, archives) : [];
  } catch (error) {
    if (error instanceof ArchiveRefused) return [];
    throw error;
  }
};

/** Removes unfinished archives that have not been written to for a day. */
export const removeForgotten = async (folder: string): Promise<void> => {
  for (const name of (await fs.readdir(folder)).filter((one) => one.endsWith(`${EXTENSION}${DRAFT}`))) {
    const file = path.join(folder, name);
    const changed = await fs.stat(file).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(),
    );
    if (Date.now() - changed > FORGOTTEN_MS) await fs.rm(file, { force: true });
  }
};

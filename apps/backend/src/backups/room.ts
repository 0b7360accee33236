/**
 * Room on a disk. A full one stops the embedded Postgres and the console with it, so what is written beside its data leaves
 * a reserve there.
 */
import { stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../platform/boot';

export interface Reserve {
  /** Where Postgres has its data. */
  folder: string;
  bytes: number;
}

const RESERVE_BYTES = 512 * 1_048_576;

/** @returns undefined where Postgres is elsewhere: its disk is not the concern of backups */
export const reserveOf = ({
  DATABASE_URL,
  DATA_DIR,
}: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>): Reserve | undefined =>
  DATABASE_URL ? undefined : { folder: path.join(DATA_DIR, 'postgres'), bytes: RESERVE_BYTES };

const mb = (bytes: number): string => `${Math.floor(bytes / 1_000_000)} MB`;

/** @returns why so many bytes may not be written to a folder; undefined when they may */
export const roomProblem = async (
  folder: string,
  reserve: Reserve | undefined,
  bytes = 0,
): Promise<string | undefined> => {
  if (!reserve) return undefined;
  const [here, there] = await Promise.all(
    [folder, reserve.folder].map((one) => stat(one).catch(() => undefined)),
  );
  if (!here || here.dev !== there?.dev) return undefined;
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= reserve.bytes + bytes) return undefined;
  const needed = bytes > 0 ? `, ${mb(bytes)} are to be written` : '';
  return `${folder} is on the disk of the database, where ${mb(free)} are free${needed}, and ${mb(reserve.bytes)} stay free so that the console can work`;
};

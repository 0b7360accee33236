/**
 * Free disk space. A full disk stops the embedded Postgres and the console with it, so files written to the same disk
 * have to leave a reserve.
 */
import { stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../platform/config';

export interface Reserve {
  /** Data folder of Postgres. */
  folder: string;
  bytes: number;
}

const RESERVE_BYTES = 512 * 1_048_576;

/** @returns undefined if Postgres is on another machine, whose disk is not checked here */
export const reserveOf = ({
  DATABASE_URL,
  DATA_DIR,
}: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>): Reserve | undefined =>
  DATABASE_URL ? undefined : { folder: path.join(DATA_DIR, 'postgres'), bytes: RESERVE_BYTES };

const mb = (bytes: number): string => `${Math.floor(bytes / 1_000_000)} MB`;

/** @returns why this many bytes may not be written to a folder; undefined if they may */
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

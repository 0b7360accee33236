/**
 * The log of the embedded Postgres. Postgres only appends to it, so after months it would fill the disk, and the
 * console could record nothing more. The newest lines stay, and the ones before them move to `server.log.1`.
 */
import fs from 'node:fs';

const LIMIT_BYTES = 8 * 1024 * 1024;

const copyAs = (older: string, log: string, { uid, gid }: fs.Stats): void => {
  try {
    fs.copyFileSync(log, older);
    fs.chownSync(older, uid, gid);
  } catch {
    // On a full disk, free space matters more than old lines.
    fs.rmSync(older, { force: true });
  }
};

/** Never throws: a log whose size cannot be limited must not end anything. */
export const boundLog = (log: string): void => {
  try {
    const stats = fs.statSync(log);
    if (stats.size <= LIMIT_BYTES) return;
    copyAs(`${log}.1`, log, stats);
    // Postgres continues at the beginning of the truncated file. Lines written at this moment may be lost.
    fs.truncateSync(log);
  } catch {
    return;
  }
};

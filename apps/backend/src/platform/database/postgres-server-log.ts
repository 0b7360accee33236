/**
 * The log of the embedded Postgres. Postgres only appends to it: after months it would fill the disk, and the console
 * could record nothing more. Its newest lines are kept, and the ones before them in `server.log.1`.
 */
import fs from 'node:fs';

const LIMIT_BYTES = 8 * 1024 * 1024;

const copyAs = (older: string, log: string, { uid, gid }: fs.Stats): void => {
  try {
    fs.copyFileSync(log, older);
    fs.chownSync(older, uid, gid);
  } catch {
    // On a full disk room is worth more than old lines.
    fs.rmSync(older, { force: true });
  }
};

/** Never throws: a log that cannot be bounded is no reason to end anything. */
export const boundLog = (log: string): void => {
  try {
    const stats = fs.statSync(log);
    if (stats.size <= LIMIT_BYTES) return;
    copyAs(`${log}.1`, log, stats);
    // Postgres goes on at the beginning of the emptied file. It may lose the lines of this instant.
    fs.truncateSync(log);
  } catch {
    return;
  }
};

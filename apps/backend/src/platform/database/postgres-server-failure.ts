/** Why the embedded Postgres does not start, as one line that says what to do. */
import fs from 'node:fs';

export type FailureKind = 'full' | 'damaged' | 'refused' | 'passing';

/** What a failed start of Postgres printed. On a full disk it may have printed nothing. */
interface Attempt {
  /** Folder of the cluster. */
  data: string;
  /** Log file of the server. */
  log: string;
  port: number;
  /** Output of this attempt, on stderr and in the log. */
  said: string;
  freeBytes: number;
}

const MB = 1024 * 1024;
/** One segment of the write-ahead log: a recovery needs at least this much. */
const NEEDED_BYTES = 16 * MB;

export class PostgresFailed extends Error {
  override name = 'PostgresFailed';
  /** Node's error code. */
  readonly code: string | undefined;

  constructor(
    /** `passing`: another attempt may succeed at once. */
    readonly kind: FailureKind,
    /** For people, without a final full stop. */
    readonly reason: string,
    readonly remedy: string,
    said: string,
  ) {
    super(`Postgres did not start: ${reason}; ${remedy}`, { cause: new Error(said) });
    this.code = kind === 'full' ? 'ENOSPC' : undefined;
  }
}

const fullDisk = /No space left on device|Disk quota exceeded|ENOSPC|EDQUOT/;
const held = /shared memory block|lock file "postmaster\.pid" already exists/;
const taken = /could not bind|Address already in use/;
const unwritable = /Permission denied|Read-only file system|has wrong ownership|EACCES|EROFS/;
const otherVersion = /initialized by PostgreSQL version/;
const damage =
  /PANIC:|pg_control|invalid .*record|checkpoint record|Input\/output error|incorrect checksum|incompatible with server|data directory|cluster directory/;

/** Pure. */
export const failureOf = ({ data, log, port, said, freeBytes }: Attempt): PostgresFailed => {
  const failed = (kind: FailureKind, reason: string, remedy: string): PostgresFailed =>
    new PostgresFailed(kind, reason, remedy, said);
  const complaint =
    [...said.matchAll(/^.*?(?:PANIC|FATAL|error):\s+(.*)$/gm)].map(([, text]) => text).join('; ') ||
    said.split('\n')[0] ||
    'it gave no reason';
  if (fullDisk.test(said) || freeBytes < MB)
    return failed(
      'full',
      `the disk is full: ${(freeBytes / MB).toFixed(0)} MB are free in ${data}`,
      `free at least ${NEEDED_BYTES / MB} MB there`,
    );
  if (held.test(said)) return failed('passing', complaint, `end the processes that use ${data}`);
  if (taken.test(said))
    return failed('passing', `port ${port} is taken by another program`, 'end that program');
  if (otherVersion.test(said))
    return failed('refused', complaint, 'use the version that made it, or move its data with pg_upgrade');
  if (unwritable.test(said))
    return failed('refused', `${data} cannot be used: ${complaint}`, 'give it back to its owner');
  if (damage.test(said))
    return failed(
      'damaged',
      `the database in ${data} is damaged: ${complaint}`,
      `restore that folder from a backup; ${log} says more`,
    );
  return failed('passing', complaint, `see ${log}`);
};

/** Free space for accounts other than root. */
export const freeBytesIn = (folder: string): number => {
  try {
    const { bavail, bsize } = fs.statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
};

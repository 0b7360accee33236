/** Checks whether DATA_DIR is usable before anything is started, and reports problems in one line. */
import fs from 'node:fs';
import path from 'node:path';
import { PostgresFailed } from '../../database';
import { StartProblem, UNAVAILABLE, WRONG_ENVIRONMENT, type Fault } from '../../start-problem';

/** Size of a new cluster with its first segments of the write-ahead log, and space to recycle them. */
const NEW_CLUSTER_BYTES = 160 * 1024 * 1024;

const MB = 1024 * 1024;
const wrongFolder = (wrong: string, remedy: string): Fault => ({
  wrong,
  remedy,
  exitCode: WRONG_ENVIRONMENT,
});

/** Classifies a problem with a folder, from an error of Node or a message of Postgres. Pure. */
export const folderFault = (error: unknown): Fault | undefined => {
  const {
    code = '',
    message = '',
    stderr = '',
  } = error as {
    code?: unknown;
    message?: unknown;
    stderr?: unknown;
  };
  const said = [code, message, stderr].map(String).join('\n');
  if (/\b(EEXIST|ENOTDIR)\b|Not a directory/.test(said))
    return wrongFolder('is a file or below a file, not a folder', 'name a folder');
  if (/\bEROFS\b|Read-only file system/.test(said))
    return wrongFolder('is on a read-only file system', 'mount it for writing, or choose another folder');
  if (/\bENOSPC\b|No space left on device/.test(said))
    return wrongFolder(
      'has no space left: the disk is full',
      'free some space there, or choose another folder',
    );
  if (/\bEDQUOT\b|Disk quota exceeded/.test(said))
    return wrongFolder('has no space left: the disk quota is used up', 'raise it, or choose another folder');
  if (/\b(EACCES|EPERM)\b|Permission denied/.test(said))
    return wrongFolder(
      `cannot be written by the user of this process (id ${process.getuid?.() ?? 'unknown'})`,
      'make that user the owner of the folder, or choose another one',
    );
  return undefined;
};

/** One folder at a time: on a read-only file system, Node's recursive `mkdir` says that a folder does not exist. */
const makeFolder = (dir: string): void => {
  if (fs.existsSync(dir)) return;
  makeFolder(path.dirname(dir));
  try {
    fs.mkdirSync(dir);
  } catch (error) {
    // Another process may have made it in the meantime.
    if (!fs.existsSync(dir)) throw error;
  }
};

/** Creates the folder and writes to it once. @throws StartProblem */
export const prepareDataDir = (dir: string, { database }: { database: boolean }): void => {
  const setting = { variable: 'DATA_DIR', value: dir };
  try {
    makeFolder(path.resolve(dir));
    const trial = path.join(dir, `trial.${process.pid}`);
    fs.writeFileSync(trial, 'written to check that the folder is writable');
    fs.rmSync(trial);
  } catch (error) {
    const fault = folderFault(error);
    throw fault ? new StartProblem(setting, fault, error) : error;
  }
  if (!database || fs.existsSync(path.join(dir, 'postgres'))) return;
  const { bavail, bsize } = fs.statfsSync(dir);
  const free = bavail * bsize;
  if (free >= NEW_CLUSTER_BYTES) return;
  const wrong = `has ${Math.floor(free / MB)} MB free, and a new database takes ${NEW_CLUSTER_BYTES / MB} MB`;
  throw new StartProblem(setting, wrongFolder(wrong, 'free some space there, or choose another folder'));
};

const serverFault = ({ reason, remedy }: PostgresFailed): Fault => ({
  wrong: `has a database that does not start: ${reason}`,
  remedy,
  exitCode: UNAVAILABLE,
});

/** Reports why the embedded Postgres or `initdb` does not start. @throws always */
export const embeddedProblem = (dir: string, error: unknown): never => {
  if (error instanceof StartProblem) throw error;
  const setting = { variable: 'DATA_DIR', value: dir };
  if (error instanceof PostgresFailed)
    throw new StartProblem(setting, folderFault(error) ?? serverFault(error), error);
  const said = error instanceof Error ? error.message : String(error);
  const last = [...said.matchAll(/^.*(?:FATAL|PANIC|error):\s+(.*)$/gm)].at(-1)?.[1] ?? said;
  const fault = folderFault({ message: last }) ??
    folderFault(error) ?? {
      wrong: `has a database that does not start: ${last}`,
      remedy: `see ${path.join(dir, 'postgres', 'server.log')}`,
      exitCode: UNAVAILABLE,
    };
  throw new StartProblem(setting, fault, error);
};

/**
 * Tracks which processes use a data folder's Postgres, with one file per process, and a lock so that no process starts
 * a server that another one is stopping.
 */
import fs from 'node:fs';
import path from 'node:path';

/** Pids are reused. Together with the start time, a process is unique. */
const identity = (pid: number): string | undefined => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return undefined;
  }
  if (!fs.existsSync('/proc/self/stat')) return String(pid);
  try {
    const afterName = fs
      .readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return afterName[0] === 'Z' ? undefined : `${pid} ${afterName[19]}`;
  } catch {
    return undefined;
  }
};

const ownIdentity = (): string => identity(process.pid) ?? String(process.pid);

const usersFolder = (home: string) => path.join(home, 'postgres.users');

/** Several servers of one process on the same folder count once each. */
const claims = new Map<string, number>();

export function claimUse(home: string): void {
  claims.set(home, (claims.get(home) ?? 0) + 1);
  fs.mkdirSync(usersFolder(home), { recursive: true });
  fs.writeFileSync(path.join(usersFolder(home), String(process.pid)), ownIdentity());
}

export function releaseUse(home: string): void {
  claims.set(home, Math.max(0, (claims.get(home) ?? 0) - 1));
  if (claims.get(home) === 0) fs.rmSync(path.join(usersFolder(home), String(process.pid)), { force: true });
}

/** Number of other living users. Removes the dead ones. */
export function otherUsers(home: string): number {
  const folder = usersFolder(home);
  if (!fs.existsSync(folder)) return 0;
  let living = 0;
  for (const name of fs.readdirSync(folder)) {
    const file = path.join(folder, name);
    if (identity(Number(name)) === readIfThere(file)) living += 1;
    else fs.rmSync(file, { force: true });
  }
  return living;
}

function readIfThere(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

export async function withLock<T>(home: string, work: () => Promise<T>): Promise<T> {
  const lock = path.join(home, 'postgres.lock');
  const deadline = Date.now() + 60_000;
  while (!takeLock(lock)) {
    if (Date.now() > deadline)
      throw new Error(`${lock} has been held for a minute by process ${readIfThere(lock)}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  try {
    return await work();
  } finally {
    fs.rmSync(lock, { force: true });
  }
}

/** Written to a separate file and then linked, so that a lock always contains its holder. */
function takeLock(lock: string): boolean {
  const mine = `${lock}.${process.pid}`;
  fs.writeFileSync(mine, ownIdentity());
  try {
    fs.linkSync(mine, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const holder = readIfThere(lock);
    if (holder !== null && identity(Number(holder.split(' ')[0])) !== holder)
      fs.rmSync(lock, { force: true });
    return false;
  } finally {
    fs.rmSync(mine, { force: true });
  }
}

/** The processes of the embedded Postgres on this machine. */
import fs from 'node:fs';
import path from 'node:path';

export interface Postmaster {
  pid: number;
  port: number;
  /** `zombie`: dead, but not yet collected by its parent. `stranger`: the pid now belongs to another program. */
  state: 'ready' | 'busy' | 'zombie' | 'stranger';
}

/** Lines of postmaster.pid: 1 pid, 4 port, 8 status (`ready`, `starting`, `stopping`). */
export function readPostmaster(data: string): Postmaster | undefined {
  let lines: string[];
  try {
    lines = fs.readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return undefined;
  }
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return undefined;
  if (hasProc()) {
    if (/^State:\s+[ZX]/m.test(readProcess(pid, 'status'))) return { pid, port, state: 'zombie' };
    // A pid from before the last boot of the machine or container may belong to anything now.
    if (!worksIn(pid, data)) return { pid, port, state: 'stranger' };
  }
  return { pid, port, state: lines[7]?.trim() === 'ready' ? 'ready' : 'busy' };
}

/** A stopped process (SIGSTOP) counts as running: it answers nobody, but still owns its files. */
export function isRunning(data: string): boolean {
  const state = readPostmaster(data)?.state;
  return state === 'ready' || state === 'busy';
}

/**
 * Postgres refuses to start while the process in its pid file lives, except if that process is its grandparent, which
 * is us. With our pid in the file, it only checks that nobody holds the old shared memory.
 */
export function disownPidFile(data: string, found: Postmaster): void {
  const file = path.join(data, 'postmaster.pid');
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  if (Number(lines[0]) !== found.pid) return;
  // Written to a separate file: on a full disk the pid file would be left empty, and with an empty one Postgres never
  // starts again.
  const disowned = `${file}.disowned`;
  fs.writeFileSync(disowned, [process.pid, ...lines.slice(1)].join('\n'));
  fs.renameSync(disowned, file);
}

/**
 * Ends child processes that a dead postmaster left behind. They notice by themselves when they next wait, but one in a
 * long calculation holds the shared memory until then.
 */
export function endLeftovers(data: string, signal: 'SIGQUIT' | 'SIGKILL'): void {
  if (!hasProc()) return;
  for (const name of fs.readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || !worksIn(pid, data)) continue;
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended by itself.
    }
  }
}

const hasProc = (): boolean => fs.existsSync('/proc/self/status');

/** Every process of a cluster has the cluster's folder as working directory. */
function worksIn(pid: number, data: string): boolean {
  if (!/^Name:\s+postgres/m.test(readProcess(pid, 'status'))) return false;
  try {
    return fs.readlinkSync(`/proc/${pid}/cwd`) === fs.realpathSync(data);
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function readProcess(pid: number, file: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

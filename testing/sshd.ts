import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { PATIENCE_MS } from './patience';
import { freePort } from './free-port';
import { familyOf } from './processes';
import { fingerprintOfFile, type KeyKind, makeKey, type UserKey, UserKeys } from './sshd-keys';
import { canUnshare, prepareRoot, type SshdUser, untilWeDie } from './sshd-root';

export interface SshdOptions {
  /** A loopback address. */
  host?: string;
  port?: number;
  maxSessions?: number;
  /** In the format of sshd_config, such as `1:100:1`. */
  maxStartups?: string;
  hostKeys?: ('ed25519' | 'rsa' | 'ecdsa')[];
  /** More lines of sshd_config, which replace ours of the same keyword. */
  config?: string[];
  /** The PATH of commands that run on the server. */
  path?: string;
  /** Files of this machine that are hidden on the server. Needs root. */
  absent?: string[];
  /** Files and folders of this machine, by their paths on the server. Needs root. */
  mounts?: Record<string, string>;
  /** More accounts. Needs root. */
  users?: SshdUser[];
  /** Contents of root's .profile and .bashrc. Needs root. */
  profile?: string;
  /**
   * Shell lines that run on the server before sshd starts. Needs root. Unless something is mounted over them, the
   * server's files are this machine's, so these lines must write into `folder` only.
   */
  boot?: string;
}

export interface Sshd {
  host: string;
  port: number;
  username: string;
  /** An empty folder, deleted with the server. Commands on the server see it under the same path. */
  folder: string;
  /** Path of root's home on this machine, if the server has its own mounts. */
  home?: string;
  /** Path of the file with the accepted public keys. */
  authorizedKeys: string;
  /** Path of sshd's log at LogLevel VERBOSE, with a line for each connection, session and end. */
  log: string;
  hostKey: { algorithm: string; fingerprint: string };
  keyFor(kind: KeyKind): Promise<UserKey>;
  /** Restarts the server with a new host key. */
  swapHostKey(): Promise<{ algorithm: string; fingerprint: string }>;
  /** Restarts the server with its first host key. */
  restoreHostKey(): Promise<{ algorithm: string; fingerprint: string }>;
  /** Ends the server and all its connections, and starts it again on the same port. */
  restart(): Promise<void>;
  /** Sends a signal to the server and its connection processes, but not to commands. */
  kill(signal: NodeJS.Signals): void;
  /** Starts the server again after a kill; commands that are still running continue. */
  startAgain(): Promise<void>;
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

const sshdBinary = '/usr/sbin/sshd';
const algorithms = { ed25519: 'ssh-ed25519', rsa: 'ssh-rsa', ecdsa: 'ecdsa-sha2-nistp256' };

const answers = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (up: boolean) => (): void => {
      socket.destroy();
      resolve(up);
    };
    socket.once('data', end(true)).once('error', end(false)).once('end', end(false));
  });

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Starts a private, real sshd on the loopback network, with its own keys, configuration and log in a temporary folder.
 * As root it has its own mounts and process tree, so this machine's accounts do not affect it and its processes end
 * with it. Without root, or where that is forbidden, it is a plain sshd of the current user.
 */
export const startSshd = async (options: SshdOptions = {}): Promise<Sshd> => {
  if (!existsSync(sshdBinary))
    throw new Error(`there is no ${sshdBinary} here: apt-get install openssh-server`);
  const host = options.host ?? '127.0.0.1';
  const port = options.port ?? (await freePort(host));
  const folder = mkdtempSync(join(tmpdir(), 'sshd-'));
  // sshd reads authorized_keys as the user who logs in.
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'work'));
  const authorizedKeys = join(folder, 'authorized_keys');
  writeFileSync(authorizedKeys, '', { mode: 0o644 });
  const keys = new UserKeys(folder, authorizedKeys);
  const kinds = options.hostKeys ?? ['ed25519'];
  const first = kinds[0] ?? 'ed25519';
  let generation = 0;
  const hostKeyFile = (kind: string): string => join(folder, `host_${kind}_${generation}`);
  const config = join(folder, 'sshd_config');
  const log = join(folder, 'sshd.log');

  const configure = async (): Promise<{ algorithm: string; fingerprint: string }> => {
    const lacking = kinds.filter((kind) => !existsSync(hostKeyFile(kind)));
    await Promise.all(
      lacking.map((kind) =>
        makeKey(hostKeyFile(kind), ['-t', kind, ...(kind === 'rsa' ? ['-b', '2048'] : []), '-N', '']),
      ),
    );
    const lines = [
      `Port ${port}`,
      `ListenAddress ${host}`,
      ...kinds.map((kind) => `HostKey ${hostKeyFile(kind)}`),
      `PidFile ${folder}/sshd.pid`,
      `AuthorizedKeysFile ${authorizedKeys}`,
      'PermitRootLogin prohibit-password',
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      'UsePAM no',
      'StrictModes no',
      'UseDNS no',
      `MaxStartups ${options.maxStartups ?? '1000:30:2000'}`,
      `MaxSessions ${options.maxSessions ?? 64}`,
      ...(options.path === undefined ? [] : [`SetEnv PATH=${options.path}`]),
      'Subsystem sftp internal-sftp',
      'LogLevel VERBOSE',
    ];
    const own = options.config ?? [];
    const isReplaced = (line: string): boolean =>
      own.some((other) => other.split(' ')[0] === line.split(' ')[0]);
    const all = [...lines.filter((line) => !isReplaced(line)), ...own];
    writeFileSync(config, `${all.join('\n')}\n`);
    return {
      algorithm: algorithms[first],
      fingerprint: await fingerprintOfFile(`${hostKeyFile(first)}.pub`),
    };
  };

  const isolated = canUnshare();
  const { absent, mounts, users, profile, boot } = options;
  if (!isolated && (absent ?? mounts ?? users ?? profile ?? boot) !== undefined) {
    throw new Error('this server needs a file system of its own, which needs root and the right to unshare');
  }
  const daemon = [sshdBinary, '-D', '-f', config, '-E', log];
  const command = [...untilWeDie, ...(isolated ? prepareRoot(folder, options, daemon) : daemon)];
  if (!isolated && userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true });

  let child: ChildProcess | undefined;
  const daemons = (): number[] =>
    child?.pid === undefined
      ? []
      : familyOf(child.pid)
          .filter(({ name }) => name === 'sshd')
          .map(({ pid }) => pid);
  const send = (pid: number, name: NodeJS.Signals): void => {
    try {
      process.kill(pid, name);
    } catch {
      // The process has already ended.
    }
  };
  const signal = (name: NodeJS.Signals): void => {
    for (const pid of daemons()) send(pid, name);
  };
  const start = async (): Promise<void> => {
    const [program = sshdBinary, ...args] = command;
    const starting = spawn(program, args, {
      stdio: 'ignore',
      env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
    });
    // A test that does not stop it can still end; sshd then ends, too.
    starting.unref();
    child = starting;
    await untilItAnswers(starting);
  };
  const untilItAnswers = async (starting: ChildProcess): Promise<void> => {
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end && starting.exitCode === null;) {
      if (await answers(host, port)) return;
      await pause(10);
    }
    const said = existsSync(log) ? readFileSync(log, 'utf8').slice(-500) : '';
    throw new Error(`sshd did not start at ${host}:${port}: ${said}`);
  };
  const restart = async (): Promise<void> => {
    await end();
    await start();
  };
  const end = async (): Promise<void> => {
    const ending = child;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    ending.ref();
    const gone = new Promise<void>((resolve) => ending.once('exit', () => resolve()));
    for (const { pid } of familyOf(ending.pid ?? 0).reverse()) send(pid, 'SIGKILL');
    await gone;
  };

  let newest = 0;
  let hostKey = await configure();
  await start();
  const showHostKey = async (which: number): Promise<typeof hostKey> => {
    generation = which;
    hostKey = await configure();
    await restart();
    return hostKey;
  };
  return {
    host,
    port,
    username: userInfo().username,
    folder: join(folder, 'work'),
    ...(isolated ? { home: join(folder, 'root') } : {}),
    authorizedKeys,
    log,
    get hostKey() {
      return hostKey;
    },
    keyFor: (kind) => keys.of(kind),
    swapHostKey: () => showHostKey((newest += 1)),
    restoreHostKey: () => showHostKey(0),
    restart,
    kill: signal,
    async startAgain() {
      if (!isolated || !child) return start();
      writeFileSync(join(folder, 'again'), '');
      await untilItAnswers(child);
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async stop() {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

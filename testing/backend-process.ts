/**
 * The built back end as its own process, which tests can kill. In a file without Nest, which the browser tests cannot
 * load.
 */
import { execFile, fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

export interface SpawnOptions {
  dataDir?: string;
  databaseUrl?: string;
  port?: number;
  env?: Record<string, string>;
  /** Such as `200m`: makes `dataDir` a separate file system of this size, visible only to the back end's processes. */
  room?: string;
  /** A command that runs the back end, such as one that enters a network namespace. */
  within?: readonly string[];
  /** A copy of the repository with a back end of its own, already built. */
  root?: string;
}

export interface BackendProcess {
  url: string;
  /** The one-time sign-in link printed at start. */
  signInLink: string;
  pid: number;
  child: ChildProcess;
  /** From spawn to `ready`. */
  startedInMs: number;
  stderr(): string;
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** SIGTERM. @returns the exit code */
  stop(): Promise<number | null>;
}

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

const START_MS = 400_000;

/** The same for all back ends with a database, because several may share one. */
export const MASTER_KEY = Buffer.alloc(32, 'test master key').toString('base64');

const execute = promisify(execFile);
const built = new Map<string, Promise<unknown>>();

/** Builds once per test file, if the build is outdated. Skips even that check if `npm test` has just built. */
const buildOnce = (part: 'backend' | 'console'): Promise<unknown> => {
  const before = built.get(part);
  if (before !== undefined) return before;
  const line = `import('./scripts/build.mjs').then((m) => m.buildWhenNeeded(['${part}']))`;
  const build =
    process.env.BUILT_BY_NPM_TEST === undefined ? execute(process.execPath, ['-e', line]) : Promise.resolve();
  built.set(part, build);
  return build;
};

export const buildBackend = (): Promise<unknown> => buildOnce('backend');
export const buildConsole = (): Promise<unknown> => buildOnce('console');

/** Environment that keeps tests from writing to the default data folder of the current user. */
export const placeOf = ({
  dataDir,
  databaseUrl,
}: Pick<SpawnOptions, 'dataDir' | 'databaseUrl'>): Record<string, string> => ({
  DATA_DIR: dataDir ?? join(tmpdir(), `quarterdeck-none-${process.pid}`),
  ...(databaseUrl ? { DATABASE_URL: databaseUrl, MASTER_KEY } : {}),
});

/** Runs one of the back end's commands in its own process. */
export async function runCommand(args: string[], options: SpawnOptions = {}): Promise<CommandResult> {
  await buildBackend();
  const env = { PATH: process.env.PATH, ...placeOf(options), ...options.env };
  return new Promise((done) => {
    execFile(process.execPath, ['dist/backend/cli.js', ...args], { env }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

export interface LoadedCommands {
  run(args: string[]): Promise<{ code: number; printed: string }>;
  close(): void;
}

/** Runs many commands one after another in a single process, for tests that do not test the commands themselves. */
export const loadCommands = async (options: SpawnOptions): Promise<LoadedCommands> => {
  await buildBackend();
  const env = { PATH: process.env.PATH, ...placeOf(options), ...options.env };
  const child = fork('testing/loaded-commands.mjs', { env, execArgv: [] });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the process of the commands has ended with ${String(code)}`);
  });
  ended.catch(() => undefined);
  let last: Promise<unknown> = Promise.resolve();
  const run: LoadedCommands['run'] = (args) => {
    const answer = last.then(async () => {
      child.send(args);
      const [result] = (await Promise.race([once(child, 'message'), ended])) as [
        { code: number; printed: string },
      ];
      return result;
    });
    last = answer.catch(() => undefined);
    return answer;
  };
  return { run, close: () => child.kill() };
};

/** Starts `dist/backend/main.js`, built from the current sources, as its own process. */
export async function spawnBackend({
  dataDir,
  databaseUrl,
  port = 0,
  env = {},
  room,
  within = [],
  root = resolve('.'),
}: SpawnOptions): Promise<BackendProcess> {
  if (root === resolve('.')) await buildBackend();
  const began = Date.now();
  const program = [process.execPath, join(root, 'dist/backend/main.js')];
  const mounted = [
    'unshare',
    '--mount',
    'sh',
    '-c',
    'mount -t tmpfs -o "size=$0,mode=755" tmpfs "$1"; shift; exec "$@"',
    room ?? '',
    dataDir ?? '',
    ...program,
  ];
  const [command = '', ...args] = [...within, ...(room === undefined ? program : mounted)];
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      CALLS_PER_MINUTE: '0',
      HEALTH_CHECKS: 'off',
      DNS_CHECKS: 'off',
      SITE_CHECKS: 'off',
      SSL_SCHEDULE: 'off',
      CLOUD_LOOKS: 'off',
      BACKUPS: 'off',
      DEPLOY_WATCH_SECONDS: '1',
      // Most tests have nobody who would take over.
      DRAIN_SECONDS: '0',
      CHECK_ANSWERS: 'on',
      ...placeOf({ dataDir, databaseUrl }),
      ...env,
    },
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const exited = once(child, 'exit');
  const late = setTimeout(() => child.kill('SIGKILL'), START_MS);
  let [url, signInLink, startedInMs] = ['', '', 0];
  for await (const line of createInterface({ input: child.stdout })) {
    const [, word, rest = ''] = /^(ready|sign in) (.*)$/.exec(line) ?? [];
    if (word === 'ready') [url, startedInMs] = [rest, Date.now() - began];
    if (word === 'sign in') signInLink = rest;
    if (url && (signInLink || env.GITHUB_CLIENT_ID || env.GOOGLE_CLIENT_ID)) break;
  }
  clearTimeout(late);
  if (!url || child.pid === undefined) throw new Error(`the back end did not start:\n${stderr}`);
  child.stdout.resume();
  const kill = async (signal: NodeJS.Signals = 'SIGKILL'): Promise<void> => {
    child.kill(signal);
    await exited;
  };
  const stop = async (): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) await kill('SIGTERM');
    return child.exitCode;
  };
  return { url, signInLink, pid: child.pid, child, startedInMs, stderr: () => stderr, kill, stop };
}

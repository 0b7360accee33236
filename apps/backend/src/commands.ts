/**
 * The command line. Commands work beside a running back end: same Postgres, same vault, same rules. If none is running,
 * the embedded Postgres runs as long as the command.
 *
 * Exit codes: 0 success, 1 a negative result (a difference, a broken chain, a refusal), 2 wrong usage, 3 failure, 69 a
 * required service is not available, 78 wrong environment, 130 interrupted.
 */
import type { DestinationStream } from 'pino';
import {
  auditCommand,
  type Command,
  type CommandContext,
  Interrupted,
  logCommand,
  rotateKeyCommand,
  UsageError,
} from './platform/cli';
import { readConfig } from './platform/config';
import { endOf, named } from './platform/boot';
import { leavePostgres } from './platform/database';
import { DomainError } from './platform/errors';
import { createLogger } from './platform/logging';
import { backupCommand, restoreCommand } from './backups';
import { signInLinkCommand } from './sessions';
import { projectionsCommand } from './superadmin';
import { tables } from './tables';

export const commands: Readonly<Record<string, Command>> = {
  'sign-in-link': signInLinkCommand,
  projections: projectionsCommand,
  audit: auditCommand,
  log: logCommand,
  backup: backupCommand,
  restore: restoreCommand,
  'rotate-key': rotateKeyCommand,
};

const usage = (): string =>
  `usage:${Object.values(commands)
    .flatMap((command) => command.usage)
    .map((line) => `\n  ${line}`)
    .join('')}`;

export interface Terminal {
  env: NodeJS.ProcessEnv;
  /** A line of stdout. */
  print(line: string): void;
  /** A line of stderr. */
  tell(line: string): void;
  /** Default: stderr. */
  log?: DestinationStream;
  /** Aborted when the process is asked to end. */
  signal?: AbortSignal;
}

const INTERRUPTED = 130;

/**
 * Runs a command until it ends or is cut off. Then no database of this process is left running.
 * @throws Interrupted
 */
const untilInterrupted = async (
  signal: AbortSignal,
  run: (interruptible: CommandContext['interruptible']) => Promise<number>,
): Promise<number> => {
  let obeying = 0;
  const cutOff = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => {
      if (obeying === 0) reject(signal.reason as Error);
    });
  });
  const running = run(async (work) => {
    obeying += 1;
    try {
      return await work(signal);
    } finally {
      obeying -= 1;
    }
  });
  try {
    return await Promise.race([running, cutOff]);
  } finally {
    if (signal.aborted) await leavePostgres();
  }
};

/** @returns the exit code */
export const runCommandLine = async (
  [name = '', ...args]: string[],
  { env, print, tell, log, signal = new AbortController().signal }: Terminal,
): Promise<number> => {
  try {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command) throw new UsageError(name ? `there is no command ${name}` : 'a command is missing');
    // A command does not wait for a missing service, as the back end does: the operator sees the problem at once.
    const config = readConfig({ ...env, START_WAIT_SECONDS: env.START_WAIT_SECONDS || '0' });
    const logger = createLogger(env.LOG_LEVEL ? config.LOG_LEVEL : 'error', log);
    const context = { config, logger, tables, env, print, tell };
    return await untilInterrupted(signal, (interruptible) =>
      command.run(args, { ...context, interruptible }),
    ).catch((error: unknown) => {
      throw named(error, config);
    });
  } catch (error) {
    if (error instanceof UsageError) {
      tell(`${error.message}\n${usage()}`);
      return 2;
    }
    if (error instanceof DomainError) {
      tell(error.msg);
      return 1;
    }
    if (error instanceof Interrupted) {
      tell(error.message);
      return INTERRUPTED;
    }
    const { line, exitCode } = endOf(error, 3);
    // A stack says nothing to an operator.
    const [first = '', ...stack] = line.split('\n');
    const isTraced = stack.length === 0 || env.LOG_LEVEL === 'debug' || env.LOG_LEVEL === 'trace';
    tell(isTraced ? line : `${first} (LOG_LEVEL=debug shows where)`);
    return exitCode;
  }
};

/**
 * The command line. Commands work beside a running back end: same Postgres, same vault, same rules. If none is running,
 * the embedded Postgres runs as long as the command.
 *
 * Exit codes: 0 success, 1 a negative result (a difference, a broken chain, a refusal), 2 wrong usage, 3 failure, 69 a
 * required service is not available, 78 wrong environment.
 */
import { auditCommand, type Command, logCommand, rotateKeyCommand, UsageError } from './platform/cli';
import { endOf, named, readConfig } from './platform/boot';
import { DomainError } from './platform/errors';
import { createLogger } from './platform/logging';
import { backupCommand, restoreCommand } from './backups';
import { signInLinkCommand } from './sessions';
import { projectionsCommand } from './superadmin';
import { tables } from './tables';

const commands: Record<string, Command> = {
  'sign-in-link': signInLinkCommand,
  projections: projectionsCommand,
  audit: auditCommand,
  log: logCommand,
  backup: backupCommand,
  restore: restoreCommand,
  'rotate-key': rotateKeyCommand,
};

const usage = (): string =>
  `usage:\n${Object.values(commands)
    .flatMap((command) => command.usage)
    .map((line) => `  ${line}\n`)
    .join('')}`;

const run = async ([name = '', ...args]: string[]): Promise<number> => {
  try {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command) throw new UsageError(name ? `there is no command ${name}` : 'a command is missing');
    // The operator of a command sees at once that something is missing. A service has to wait for it.
    const config = readConfig({ ...process.env, START_WAIT_SECONDS: process.env.START_WAIT_SECONDS || '0' });
    const logger = createLogger(process.env.LOG_LEVEL ? config.LOG_LEVEL : 'error');
    const print = (line: string) => process.stdout.write(`${line}\n`);
    return await command.run(args, { config, logger, tables, print }).catch((error: unknown) => {
      throw named(error, config);
    });
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\n${usage()}`);
      return 2;
    }
    if (error instanceof DomainError) {
      process.stderr.write(`${error.msg}\n`);
      return 1;
    }
    const { line, exitCode } = endOf(error, 3);
    process.stderr.write(`${line}\n`);
    return exitCode;
  }
};

process.exitCode = await run(process.argv.slice(2));

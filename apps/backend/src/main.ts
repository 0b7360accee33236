/** `npm start`. Logs go to stderr. stdout has the two lines that people and scripts wait for. */
import type { DynamicModule } from '@nestjs/common';
import { AppModule } from './app.module';
import { type Config, hasSignInProvider, readConfig } from './platform/config';
import { endOf, named, type Resources, startBackend } from './platform/boot';
import { leavePostgres } from './platform/database';
import { createLogger } from './platform/logging';
import { UNAVAILABLE } from './platform/start-problem';
import { SignInLinks } from './sessions';
import { tables } from './tables';

/** The workspace of a new installation. */
const FIRST_WORKSPACE = 'main';
const SHUTDOWN_MS = 10_000;

const run = async (config: Config): Promise<void> => {
  const logger = createLogger(config.LOG_LEVEL);
  // A missing `await` somewhere is worth a line in the log, but must not end the process for everybody.
  process.on('unhandledRejection', (error) => logger.error({ err: error }, 'unhandled rejection'));
  const ending = new AbortController();
  const hurrying = new AbortController();
  const end = (signal: string): void => {
    // No load balancer waits for what Ctrl-C ends, and a second signal means: at once.
    if (signal === 'SIGINT' || ending.signal.aborted) hurrying.abort();
    if (ending.signal.aborted) return;
    ending.abort();
    logger.info({ signal }, 'shutting down');
    // A second time limit, in addition to that of HTTP: whatever hangs, an orchestrator gets its exit code in time.
    setTimeout(() => {
      logger.error('shutting down took too long');
      void leavePostgres().finally(() => process.exit(1)); // What hangs would keep the process alive for ever.
    }, SHUTDOWN_MS).unref();
    starting
      .then(
        (backend) => backend.drain(hurrying.signal).then(() => backend.close()),
        // A start that failed has closed whatever it had opened.
        () => undefined,
      )
      .then(
        () => process.exit(0), // Handles that a library left open must not delay a requested end.
        (error: unknown) => {
          logger.error({ err: error }, 'shutting down failed');
          process.exit(1); // A half-closed process would neither serve nor exit.
        },
      );
  };
  // Registered before anything starts: a process killed half-way would leave its database running.
  process.on('SIGTERM', end).on('SIGINT', end);
  const module = (resources: Resources): DynamicModule => AppModule.with(resources);
  const starting = startBackend({ config, logger, tables }, module, ending.signal);
  const backend = await starting.catch((error: unknown) => {
    if (!ending.signal.aborted) throw named(error, config);
    return undefined;
  });
  if (!backend || ending.signal.aborted) return;
  void backend.resources.lost.then(({ reason, remedy }) => {
    process.stderr.write(
      `the embedded Postgres has ended and cannot be started again: ${reason}; ${remedy}, then start the console again\n`,
    );
    process.exit(UNAVAILABLE); // Without its database it cannot serve. Everything worth keeping is on disk.
  });
  process.stdout.write(`ready ${backend.url}\n`);
  if (!hasSignInProvider(config)) {
    const link = { workspace: FIRST_WORKSPACE, role: 'installer', actor: 'system' } as const;
    const links = backend.app.get(SignInLinks, { strict: false });
    const code = await links.issue(link).catch((error: unknown) => {
      // Its end has begun, and has to finish.
      if (!ending.signal.aborted) throw error;
    });
    // A superadmin would be led to the area of superadmins; who installs begins at Home.
    if (code !== undefined) process.stdout.write(`sign in ${backend.url}/login?return=/app&code=${code}\n`);
  }
};

// Nobody may read these streams any more, or their file system may be full. Neither is a reason to exit.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

try {
  await run(readConfig(process.env));
} catch (error) {
  const { line, exitCode } = endOf(error);
  process.stderr.write(`${line}\n`);
  process.exit(exitCode); // Handles opened before the failure would keep the process alive without serving.
}

/** `npm start`. Logs go to stderr; stdout has the two lines that a person or a script waits for. */
import type { DynamicModule } from '@nestjs/common';
import { AppModule } from './app.module';
import {
  type Config,
  endOf,
  hasSignInProvider,
  named,
  readConfig,
  type Resources,
  startBackend,
} from './platform/boot';
import { createLogger } from './platform/logging';
import { UNAVAILABLE } from './platform/start-problem';
import { SignInLinks } from './sessions';

/** The workspace of a fresh installation. */
const FIRST_WORKSPACE = 'main';
const SHUTDOWN_MS = 10_000;

const run = async (config: Config): Promise<void> => {
  const logger = createLogger(config.LOG_LEVEL);
  // Somebody forgot to wait for something: worth a line that is found, not the work of everybody else.
  process.on('unhandledRejection', (error) => logger.error({ err: error }, 'unhandled rejection'));
  const ending = new AbortController();
  const end = (signal: string): void => {
    if (ending.signal.aborted) return;
    ending.abort();
    logger.info({ signal }, 'shutting down');
    // A second bound behind the one on HTTP: whatever hangs, an orchestrator gets its exit code in time.
    setTimeout(() => {
      logger.error('shutting down took too long');
      process.exit(1); // Whatever hangs would keep the process for ever.
    }, SHUTDOWN_MS).unref();
    starting
      .then(
        (backend) => backend.close(),
        // What it had opened by then is closed.
        () => undefined,
      )
      .then(
        () => process.exit(0), // What a library left open must not hold up an end that was asked for.
        (error: unknown) => {
          logger.error({ err: error }, 'shutting down failed');
          process.exit(1); // Half closed, it would neither serve nor end.
        },
      );
  };
  // Before anything is started: ended half-way, it would leave its database behind.
  process.on('SIGTERM', end).on('SIGINT', end);
  const module = (resources: Resources): DynamicModule => AppModule.with(resources);
  const starting = startBackend(config, logger, module, ending.signal);
  const backend = await starting.catch((error: unknown) => {
    if (!ending.signal.aborted) throw named(error, config);
    return undefined;
  });
  if (!backend || ending.signal.aborted) return;
  void backend.resources.lost.then(({ reason, remedy }) => {
    process.stderr.write(
      `the embedded Postgres has ended and cannot be started again: ${reason}; ${remedy}, then start the console again\n`,
    );
    process.exit(UNAVAILABLE); // Without its database it serves nothing; all that it has to keep is on the disk.
  });
  process.stdout.write(`ready ${backend.url}\n`);
  if (!hasSignInProvider(config)) {
    const link = { workspace: FIRST_WORKSPACE, role: 'admin', actor: 'system' } as const;
    const code = await backend.app.get(SignInLinks, { strict: false }).issue(link);
    process.stdout.write(`sign in ${backend.url}/login?code=${code}\n`);
  }
};

// Nobody may read them any more, or their file has no room: that is no reason to end.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

try {
  await run(readConfig(process.env));
} catch (error) {
  const { line, exitCode } = endOf(error);
  process.stderr.write(`${line}\n`);
  process.exit(exitCode); // What was opened before the failure would keep it alive, serving nothing.
}

/** `npm start`. Logs go to stderr; stdout has the two lines that a person or a script waits for. */
import { AppModule } from './app.module';
import { startBackend } from './platform/backend';
import { ConfigError, hasSignInProvider, readConfig, type Config } from './platform/config';
import { createLogger } from './platform/logging';
import { WrongMasterKey } from './platform/vault';
import { SignInLinks } from './sessions';

/** The workspace of a fresh installation. */
const FIRST_WORKSPACE = 'main';
const SHUTDOWN_MS = 10_000;

const run = async (config: Config): Promise<void> => {
  const logger = createLogger(config.LOG_LEVEL);
  // Somebody forgot to wait for something: worth a line that is found, not the work of everybody else.
  process.on('unhandledRejection', (error) => logger.error({ err: error }, 'unhandled rejection'));
  let ending = false;
  const end = (signal: string): void => {
    if (ending) return;
    ending = true;
    logger.info({ signal }, 'shutting down');
    // A second bound behind the one on HTTP: whatever hangs, an orchestrator gets its exit code in time.
    setTimeout(() => {
      logger.error('shutting down took too long');
      process.exit(1); // Whatever hangs would keep the process for ever.
    }, SHUTDOWN_MS).unref();
    starting
      .then((backend) => backend.close())
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
  const starting = startBackend(config, logger, (resources) => AppModule.with(resources));
  const backend = await starting;
  if (ending) return;
  process.stdout.write(`ready ${backend.url}\n`);
  if (!hasSignInProvider(config)) {
    const link = { workspace: FIRST_WORKSPACE, role: 'admin', actor: 'system' } as const;
    const code = await backend.app.get(SignInLinks, { strict: false }).issue(link);
    process.stdout.write(`sign in ${backend.url}/login?code=${code}\n`);
  }
};

const reasonOf = (error: unknown): string => {
  if (error instanceof ConfigError || error instanceof WrongMasterKey) return error.message;
  const { code, port, stack } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE')
    return `port ${port} is taken: set PORT to another one, or 0 for any that is free`;
  return stack ?? String(error);
};

try {
  await run(readConfig(process.env));
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exit(1); // What was opened before the failure would keep it alive, serving nothing.
}

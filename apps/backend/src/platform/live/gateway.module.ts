/** Live updates for the console: the socket, and the output of runs on it. */
import { Global, Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Gateway } from './gateway';
import { LiveMessages } from './live-messages';
import { RunFeeds, RunOutputs } from '../run-output';
import { Leases } from '../leases';
import { CONNECTION, DB, type LastingConnection, LOGGER, type Logger, type Pool } from '../tokens';

const fault =
  (logger: Logger, what: string) =>
  (error: unknown): void =>
    logger.warn({ err: error }, what);

@Global()
@Module({
  providers: [
    Gateway,
    {
      provide: LiveMessages,
      inject: [DB, CONNECTION],
      useFactory: (pool: Pool, connection: LastingConnection) => new LiveMessages(pool, connection),
    },
    {
      provide: RunOutputs,
      inject: [DB, CONNECTION, Leases, LOGGER],
      useFactory: (pool: Pool, connection: LastingConnection, leases: Leases, logger: Logger) =>
        new RunOutputs(pool, connection, leases, fault(logger, 'output of runs')),
    },
    {
      provide: RunFeeds,
      inject: [RunOutputs, LOGGER],
      useFactory: (outputs: RunOutputs, logger: Logger) =>
        new RunFeeds(outputs, fault(logger, 'watched runs')),
    },
    {
      provide: Leases,
      inject: [DB, CONNECTION, LOGGER],
      useFactory: (pool: Pool, connection: LastingConnection, logger: Logger) =>
        new Leases(pool, connection, fault(logger, 'leases of runs')),
    },
  ],
  exports: [LiveMessages, RunOutputs, Leases],
})
export class GatewayModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    @Inject(CONNECTION) private readonly connection: LastingConnection,
    private readonly outputs: RunOutputs,
    private readonly leases: Leases,
  ) {}

  async onModuleInit(): Promise<void> {
    this.leases.start();
    await this.connection.start();
  }

  /** Closed last: runs that are being ended still write. */
  async onApplicationShutdown(): Promise<void> {
    this.leases.stop();
    this.outputs.stop();
    await this.connection.close();
  }
}

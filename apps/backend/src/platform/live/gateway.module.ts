/** Live updates for the console: the socket, and the output of runs on it. */
import { Global, Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Gateway } from './gateway';
import { LiveMessages } from './live-messages';
import { RunFeeds, RunOutputs } from '../run-output';
import { RunLeases } from '../leases';
import { DB, LOGGER, type Logger, type Pool } from '../tokens';

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
      inject: [DB, LOGGER],
      useFactory: (pool: Pool, logger: Logger) =>
        new LiveMessages(pool, pool.options.connectionString ?? '', fault(logger, 'live messages')),
    },
    {
      provide: RunOutputs,
      inject: [DB, RunLeases, LOGGER],
      useFactory: (pool: Pool, leases: RunLeases, logger: Logger) =>
        new RunOutputs(pool, pool.options.connectionString ?? '', leases, fault(logger, 'output of runs')),
    },
    {
      provide: RunFeeds,
      inject: [RunOutputs, LOGGER],
      useFactory: (outputs: RunOutputs, logger: Logger) =>
        new RunFeeds(outputs, fault(logger, 'watched runs')),
    },
    {
      provide: RunLeases,
      inject: [DB, LOGGER],
      useFactory: (pool: Pool, logger: Logger) =>
        new RunLeases(pool, pool.options.connectionString ?? '', fault(logger, 'leases of runs')),
    },
  ],
  exports: [LiveMessages, RunOutputs, RunLeases],
})
export class GatewayModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    @Inject(LiveMessages) private readonly messages: LiveMessages,
    @Inject(RunOutputs) private readonly outputs: RunOutputs,
    @Inject(RunLeases) private readonly leases: RunLeases,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.leases.start();
    await this.messages.start();
    await this.outputs.start();
  }

  /** Closed last: runs that are being ended still write. */
  async onApplicationShutdown(): Promise<void> {
    await this.leases.stop();
    await this.messages.stop();
    await this.outputs.stop();
  }
}

/** Work that only one of all processes does: the one that holds its lease. It starts and ends with the application. */
import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import type { Logger } from '../tokens';
import type { Leases } from './leases';
import { ProcessLease } from './process-lease';

interface Terms {
  /** Name of the lease. Never changes: processes of two versions have to agree on it. */
  lease: string;
  /** What fails if the work fails, for the log message. */
  what: string;
  /** False if this installation has turned the work off. */
  isOn?: boolean;
}

export abstract class LeasedWork<T extends Terms = Terms> implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly lease: ProcessLease;

  constructor(
    leases: Leases,
    protected readonly logger: Logger,
    protected readonly terms: T,
  ) {
    this.lease = new ProcessLease(leases, terms.lease, {
      onTaken: () => this.begin(),
      onLost: () => void this.cease(),
      onFault: (error) => logger.warn({ err: error }, `the lease: ${terms.what}`),
    });
  }

  protected abstract begin(): void;

  /** Also called if the work has not begun. */
  protected abstract cease(): Promise<unknown>;

  onApplicationBootstrap(): void {
    if (this.terms.isOn !== false) this.lease.start();
  }

  /** Waits for work under way. */
  async onModuleDestroy(): Promise<void> {
    await this.cease();
    await this.lease.stop();
  }
}

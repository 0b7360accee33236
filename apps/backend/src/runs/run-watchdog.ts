/**
 * Takes over runs that no process drives any more: their process was stopped or died, while their work continues.
 */
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { streamParts } from '@quarterdeck/events';
import type { RunView } from '@quarterdeck/projections';
import { inView } from '../platform/in-view';
import { Leases } from '../platform/leases';
import { DB, LOGGER, VAULT, type Logger, type Pool, type Vault } from '../platform/tokens';
import { leaseOf, RunEngine } from './run-engine';

/**
 * At this interval, open runs are compared with the leases, as a lease may be lost with its table. Secrets kept for ended
 * runs are destroyed then too.
 */
const SWEEP_MS = 16_000;
const UNLEASED = `
  select r.id from read.runs r
  where r.state in ('requested', 'running')
    and ${inView<RunView>('r.view').text('requestedAt')}::timestamptz < clock_timestamp() - interval '30 seconds'
    and not exists (select from app.leases l where l.name = 'run-' || r.id)
  limit 100`;
const FAULT = 'could not look for runs without an end';

@Injectable()
export class RunWatchdog implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private looking = false;
  private stopped = false;

  constructor(
    private readonly engine: RunEngine,
    private readonly leases: Leases,
    @Inject(DB) private readonly db: Pool,
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.leases.onOver(() => void this.look());
    this.timer = setInterval(() => void this.sweep(), SWEEP_MS).unref();
    void this.look().then(() => this.sweep());
  }

  onModuleDestroy(): void {
    this.stopped = true;
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    if (this.looking || this.stopped) return;
    this.looking = true;
    try {
      for (const lease of await this.leases.expired('run-'))
        if (await this.leases.takeOver(lease)) await this.takeUp(streamParts(lease.name).id);
    } catch (error) {
      this.logger.warn({ err: error }, FAULT);
    } finally {
      this.looking = false;
    }
  }

  private async sweep(): Promise<void> {
    try {
      await this.vault.forget();
      const { rows } = await this.db.query<{ id: string }>(UNLEASED);
      for (const { id } of rows)
        if (!this.engine.isDriving(id) && (await this.leases.acquire(leaseOf(id)))) await this.takeUp(id);
    } catch (error) {
      this.logger.warn({ err: error }, FAULT);
    }
  }

  private async takeUp(run: string): Promise<void> {
    this.logger.info({ run }, 'a run without a process is taken over');
    try {
      await this.engine.takeUp(run);
    } catch (error) {
      this.logger.warn({ err: error, run }, 'a run could not be taken over for now');
      // If the lease cannot be handed over now, nobody renews it, so it expires and is found again.
      await this.leases.handOver(leaseOf(run)).catch(() => undefined);
    }
  }
}

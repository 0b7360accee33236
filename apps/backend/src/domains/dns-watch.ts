/** Watches where every domain points, while this process holds the lease. Changes are recorded. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Leases, ProcessLease } from '../platform/leases';
import { ownMeta } from '../platform/sessions';
import { CONFIG, DB, LOGGER, type Config, type Logger, type Pool } from '../platform/tokens';
import { DnsRounds } from './dns-rounds';
import { DomainRegistry, type AskedDns } from './domain-registry';
import { domainsToWatch, type WatchedDomain } from './domains.queries';

/** How long to wait at shutdown for running look-ups. */
const PATIENCE_MS = 2000;

@Injectable()
export class DnsWatch implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly lease: ProcessLease;
  private rounds: DnsRounds<WatchedDomain, AskedDns> | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(DB) private readonly db: Pool,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly registry: DomainRegistry,
    leases: Leases,
  ) {
    this.lease = new ProcessLease(leases, 'dns-watch', {
      onTaken: () => this.begin(),
      onLost: () => void this.end(),
      onFault: this.fault('the lease of the DNS watch'),
    });
  }

  onApplicationBootstrap(): void {
    if (this.config.DNS_CHECKS === 'on') this.lease.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.end();
    await this.lease.stop();
  }

  /** Rounds over the domains of all workspaces. Nothing is looked up before they are started. */
  newRounds(): DnsRounds<WatchedDomain, AskedDns> {
    return new DnsRounds<WatchedDomain, AskedDns>({
      due: () => domainsToWatch(this.db),
      ask: ({ id, workspace }) => this.registry.ask(id, workspace),
      record: async ({ id, workspace }, asked) => {
        await this.registry.recordAnswer(id, asked, ownMeta('system', workspace));
      },
      onFault: this.fault('a look at DNS'),
    });
  }

  private begin(): void {
    this.rounds = this.newRounds();
    this.rounds.start();
  }

  private async end(): Promise<void> {
    const { rounds } = this;
    this.rounds = undefined;
    if (rounds) await Promise.race([rounds.stop(), sleep(PATIENCE_MS, undefined, { ref: false })]);
  }

  private fault(what: string): (error: unknown) => void {
    return (error) => this.logger.warn({ err: error }, what);
  }
}

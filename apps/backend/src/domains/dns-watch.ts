/** Watches where every domain points, while this process holds the lease. Changes are recorded. */
import { Inject, Injectable } from '@nestjs/common';
import { Leases } from '../platform/leases';
import { ownMeta } from '../platform/sessions';
import { CONFIG, DB, LOGGER, type Config, type Logger, type Pool } from '../platform/tokens';
import { DomainRegistry, type AskedDns } from './domain-registry';
import { isFault } from './domain-pointing';
import { domainsToWatch, type WatchedDomain } from './domains.queries';
import { Rounds } from './rounds';
import { RoundsByLease } from './rounds-by-lease';

@Injectable()
export class DnsWatch extends RoundsByLease<WatchedDomain, AskedDns> {
  constructor(
    @Inject(CONFIG) config: Config,
    @Inject(DB) private readonly db: Pool,
    @Inject(LOGGER) logger: Logger,
    private readonly registry: DomainRegistry,
    leases: Leases,
  ) {
    super(leases, logger, {
      lease: 'dns-watch',
      what: 'the looks at DNS',
      isOn: config.DNS_CHECKS === 'on',
    });
  }

  /**
   * Rounds over the domains of all workspaces. DNS changes take minutes to
   * become visible: most TTLs are 300 s, and shorter ones are rare.
   */
  newRounds(): Rounds<WatchedDomain, AskedDns> {
    return new Rounds<WatchedDomain, AskedDns>({
      due: () => domainsToWatch(this.db),
      ask: ({ id, workspace }) => this.registry.ask(id, workspace),
      isFault: ({ answer }) => isFault(answer),
      record: async ({ id, workspace }, asked) => {
        await this.registry.recordAnswer(id, asked, ownMeta('system', workspace));
      },
      onFault: (err) => this.logger.warn({ err }, 'a look at DNS'),
    });
  }
}

/** Watches certificates, services, the log and the backups, and calls webhooks, in the one process that holds the lease for it. */
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { BackupWork } from '../backups';
import { Outbound } from '../platform/outbound';
import { Leases, ProcessLease } from '../platform/leases';
import { ProjectedEvents } from '../platform/live';
import { CONFIG, DB, EVENT_STORE, LOGGER, PROJECTIONS, VAULT } from '../platform/tokens';
import type { Config, EventStore, Logger, Pool, ProjectionRunner, Vault } from '../platform/tokens';
import { WorkspaceSettings } from '../workspaces';
import { BackupWatch } from './backup-watch';
import { Deliveries } from './deliveries';
import { ExpiryWatch } from './expiry-watch';
import { ForeignWatch } from './foreign-watch';
import { SiteAlerts } from './site-alerts';
import { ServiceWatch } from './service-watch';

@Injectable()
export class AlertWork implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly lease: ProcessLease;
  private end: (() => Promise<void>) | undefined;
  private ended: Promise<void> = Promise.resolve();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(DB) private readonly db: Pool,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    @Inject(VAULT) private readonly vault: Vault,
    private readonly commands: CommandBus,
    private readonly settings: WorkspaceSettings,
    private readonly outbound: Outbound,
    leases: Leases,
    private readonly backups: BackupWork,
  ) {
    this.lease = new ProcessLease(leases, 'alerts', {
      onTaken: () => this.begin(),
      onLost: () => this.stop(),
      onFault: this.fault('the lease of the alerts'),
    });
  }

  onApplicationBootstrap(): void {
    this.lease.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.stop();
    await this.ended;
    await this.lease.stop();
  }

  private begin(): void {
    this.logger.info({}, 'alerts: this process watches');
    const { config, db, store, projections, vault, commands, settings, outbound } = this;
    const watch = new ExpiryWatch(db, commands, this.fault('the certificates to be watched'));
    const onFault = this.fault('the delivery of an alert');
    const needs = { config, db, store, projections, vault, commands, settings, outbound, onFault };
    const deliveries = new Deliveries(needs);
    const foreign = new ForeignWatch(db, commands, this.fault('the watch over events of others'));
    const backups = new BackupWatch(db, commands, this.backups, this.fault('the watch over the backups'));
    const services = new ServiceWatch(db, commands, this.fault('the services to be watched'));
    const sites = new SiteAlerts(db, commands, this.fault('the sites to be watched'));
    const stream = new ProjectedEvents(
      store,
      projections,
      (events) => {
        watch.heard(events);
        foreign.heard(events);
        backups.heard(events);
        services.heard(events);
        sites.heard(events);
        deliveries.heard(events);
      },
      this.fault('the events that alerts follow'),
    );
    // Listens before the first look, so that no event in between is missed.
    stream.start(projections.position());
    watch.start();
    foreign.start();
    backups.start();
    services.start();
    sites.start();
    deliveries.start();
    this.end = async () => {
      stream.stop();
      await Promise.all([
        watch.stop(),
        foreign.stop(),
        backups.stop(),
        services.stop(),
        sites.stop(),
        deliveries.stop(),
      ]);
    };
  }

  private stop(): void {
    const end = this.end;
    this.end = undefined;
    if (!end) return;
    this.logger.info({}, 'alerts: this process no longer watches');
    this.ended = end();
  }

  private fault(what: string): (error: unknown) => void {
    return (error) => this.logger.warn({ err: error }, what);
  }
}

/** Watches certificates, services, cloud accounts, the log and the backups, and calls webhooks, in the one process that holds the lease for it. */
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { BackupWork } from '../backups';
import { Outbound } from '../platform/outbound';
import { LeasedWork, Leases } from '../platform/leases';
import { ProjectedEvents } from '../platform/live';
import { CONFIG, DB, EVENT_STORE, LOGGER, PROJECTIONS, VAULT } from '../platform/tokens';
import type { Config, EventStore, Logger, Pool, ProjectionRunner, Vault } from '../platform/tokens';
import { WorkspaceSettings } from '../workspaces';
import { AskingWatch } from './asking-watch';
import { BackupWatch } from './backup-watch';
import { CloudWatch } from './cloud-watch';
import { Deliveries } from './deliveries';
import { ExpiryWatch } from './expiry-watch';
import { ForeignWatch } from './foreign-watch';
import { SiteAlerts } from './site-alerts';
import { ServiceWatch } from './service-watch';

@Injectable()
export class AlertWork extends LeasedWork {
  private end: (() => Promise<void>) | undefined;
  private ended: Promise<void> = Promise.resolve();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(DB) private readonly db: Pool,
    @Inject(LOGGER) logger: Logger,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    @Inject(VAULT) private readonly vault: Vault,
    private readonly commands: CommandBus,
    private readonly settings: WorkspaceSettings,
    private readonly outbound: Outbound,
    leases: Leases,
    private readonly backups: BackupWork,
  ) {
    super(leases, logger, { lease: 'alerts', what: 'the alerts' });
  }

  protected begin(): void {
    this.logger.info({}, 'alerts: this process watches');
    const { config, db, store, projections, vault, commands, settings, outbound } = this;
    const depsOf = (what: string) => ({ db, commands, onFault: this.fault(what) });
    const followers = [
      new ExpiryWatch(depsOf('the certificates to be watched')),
      new AskingWatch(depsOf('the instances that wait for people'), store),
      new ForeignWatch(depsOf('the watch over events of others')),
      new BackupWatch(depsOf('the watch over the backups'), this.backups),
      new CloudWatch(depsOf('the cloud accounts to be watched')),
      new ServiceWatch(depsOf('the services to be watched')),
      new SiteAlerts(depsOf('the sites to be watched')),
      new Deliveries({
        config,
        store,
        projections,
        vault,
        settings,
        outbound,
        ...depsOf('the delivery of an alert'),
      }),
    ];
    const stream = new ProjectedEvents(
      store,
      projections,
      (events) => followers.forEach((follower) => follower.heard(events)),
      this.fault('the events that alerts follow'),
    );
    // Listens before the first look, so that no event in between is missed.
    stream.start(projections.position());
    for (const follower of followers) follower.start();
    this.end = async () => {
      stream.stop();
      await Promise.all(followers.map((follower) => follower.stop()));
    };
  }

  protected cease(): Promise<void> {
    const end = this.end;
    this.end = undefined;
    if (end) {
      this.logger.info({}, 'alerts: this process no longer watches');
      this.ended = end();
    }
    return this.ended;
  }

  private fault(what: string): (error: unknown) => void {
    return (error) => this.logger.warn({ err: error }, what);
  }
}

/** Watches certificates, services, cloud accounts, the log and the backups, and calls webhooks, in the one process that holds the lease for it. */
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { BackupWork } from '../backups';
import { Hooks } from '../platform/hooks';
import { Outbound } from '../platform/outbound';
import { Leases } from '../platform/leases';
import { CONFIG, DB, EVENT_STORE, LOGGER, PROJECTIONS, VAULT } from '../platform/tokens';
import type { Config, EventStore, Logger, Pool, ProjectionRunner, Vault } from '../platform/tokens';
import { WorkspaceSettings } from '../workspaces';
import { AskingWatch } from './asking-watch';
import { BackupWatch } from './backup-watch';
import { CloudWatch } from './cloud-watch';
import { CutWatch } from './cut-watch';
import { Deliveries } from './deliveries';
import { ExpiryWatch } from './expiry-watch';
import { ForeignWatch } from './foreign-watch';
import { MeasuredWatch } from './measured-watch';
import { DeployWatch, failedSchedules, ScheduleWatch } from './outcome-watch';
import { RecordedWatch } from './recorded-watch';
import { SiteAlerts } from './site-alerts';
import { ServiceWatch } from './service-watch';
import { WatchingWork, type Follower } from './watching-work';

@Injectable()
export class AlertWork extends WatchingWork {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(DB) private readonly db: Pool,
    @Inject(LOGGER) logger: Logger,
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(PROJECTIONS) projections: ProjectionRunner,
    @Inject(VAULT) private readonly vault: Vault,
    private readonly commands: CommandBus,
    private readonly settings: WorkspaceSettings,
    private readonly outbound: Outbound,
    leases: Leases,
    private readonly backups: BackupWork,
    private readonly hooks: Hooks,
  ) {
    super(leases, logger, { lease: 'alerts', what: 'the alerts' }, { store, projections });
  }

  protected followers(): Follower[] {
    const { config, db, vault, commands, settings, outbound } = this;
    const { store, projections } = this.log;
    const depsOf = (what: string) => ({ db, commands, onFault: this.fault(what) });
    return [
      new ExpiryWatch(depsOf('the certificates to be watched')),
      new AskingWatch(depsOf('the instances that wait for people'), store),
      new ForeignWatch(depsOf('the watch over events of others')),
      new CutWatch(depsOf('the watch over streams that were cut'), store),
      new BackupWatch(depsOf('the watch over the backups'), this.backups),
      new CloudWatch(depsOf('the cloud accounts to be watched')),
      new ServiceWatch(depsOf('the services to be watched')),
      new RecordedWatch(depsOf('the servers and sites to be watched')),
      new DeployWatch(depsOf('the deploys to be watched')),
      new ScheduleWatch(depsOf('the scheduled runs to be watched'), this.hooks.of(failedSchedules)),
      new MeasuredWatch(depsOf('the figures of servers to be watched')),
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
  }
}

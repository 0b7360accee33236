/** Follows pushed versions, in the one process that holds the lease for it. */
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { servicePackage } from '@quarterdeck/events';
import { WatchingWork, type Follower } from '../alerts';
import { Deploys } from '../deploys';
import { PlainRecords, recordsOf } from '../platform/kit';
import { Leases } from '../platform/leases';
import { DB, EVENT_STORE, LOGGER, PROJECTIONS } from '../platform/tokens';
import type { EventStore, Logger, Pool, ProjectionRunner } from '../platform/tokens';
import { RunEngine } from '../runs';
import { ApprovalWatch } from './approval-watch';
import { PushDeliveries } from './push-deliveries';
import { PushStarts } from './push-starts';

@Injectable()
export class PushWork extends WatchingWork {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(LOGGER) logger: Logger,
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(PROJECTIONS) projections: ProjectionRunner,
    private readonly commands: CommandBus,
    leases: Leases,
    private readonly deliveries: PushDeliveries,
    private readonly deploys: Deploys,
    private readonly engine: RunEngine,
    @Inject(recordsOf(servicePackage)) private readonly packages: PlainRecords,
  ) {
    super(leases, logger, { lease: 'pushes', what: 'the pushed versions' }, { store, projections });
  }

  protected followers(): Follower[] {
    const { db, commands, deliveries, deploys, engine, packages } = this;
    const depsOf = (what: string) => ({ db, commands, onFault: this.fault(what) });
    return [
      new PushStarts({
        ...depsOf('the pushed versions to be deployed'),
        deliveries,
        deploys,
        engine,
        packages,
      }),
      new ApprovalWatch(depsOf('the pushed versions that wait for people')),
    ];
  }
}

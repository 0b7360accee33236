/** Makes and sends the messages to alert channels, in the one process that holds the lease for it. */
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { WatchingWork, type Follower } from '../alerts';
import { Decisions } from '../platform/decisions';
import { Leases } from '../platform/leases';
import { CONFIG, DB, EVENT_STORE, LOGGER, PROJECTIONS } from '../platform/tokens';
import type { Config, EventStore, Logger, Pool, ProjectionRunner } from '../platform/tokens';
import { ChannelFailures } from './channel-failures';
import { ChannelSender } from './channel-sender';
import { MessageDeliveries } from './message-deliveries';
import { MessageQueue } from './message-queue';

@Injectable()
export class ChannelWork extends WatchingWork {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(DB) private readonly db: Pool,
    @Inject(LOGGER) logger: Logger,
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(PROJECTIONS) projections: ProjectionRunner,
    private readonly commands: CommandBus,
    private readonly decisions: Decisions,
    private readonly sender: ChannelSender,
    leases: Leases,
  ) {
    super(leases, logger, { lease: 'alert-channels', what: 'the alert channels' }, { store, projections });
  }

  protected followers(): Follower[] {
    const { config, db, commands, decisions, sender } = this;
    const { store, projections } = this.log;
    const depsOf = (what: string) => ({ db, commands, onFault: this.fault(what) });
    return [
      new MessageQueue(depsOf('the messages to alert channels'), projections),
      new ChannelFailures(depsOf('the alert channels that fail')),
      new MessageDeliveries({
        config,
        store,
        projections,
        decisions,
        sender,
        ...depsOf('the delivery to an alert channel'),
      }),
    ];
  }
}

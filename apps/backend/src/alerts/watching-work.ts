/** Work that follows the events, in the one process that holds the lease for it. */
import type { RecordedEvent } from '@quarterdeck/events';
import { LeasedWork, type Leases } from '../platform/leases';
import { ProjectedEvents } from '../platform/live';
import type { EventStore, Logger, ProjectionRunner } from '../platform/tokens';

export interface Follower {
  heard(events: readonly RecordedEvent[]): void;
  start(): void;
  stop(): Promise<void>;
}

const ended = async (followers: readonly Follower[]): Promise<void> => {
  await Promise.all(followers.map((follower) => follower.stop()));
};

interface Followed {
  store: EventStore;
  projections: ProjectionRunner;
}

export abstract class WatchingWork extends LeasedWork {
  private end: (() => Promise<void>) | undefined;
  private ended: Promise<void> = Promise.resolve();

  constructor(
    leases: Leases,
    logger: Logger,
    terms: { lease: string; what: string },
    protected readonly log: Followed,
  ) {
    super(leases, logger, terms);
  }

  protected abstract followers(): readonly Follower[];

  protected begin(): void {
    this.logger.info({}, `${this.terms.lease}: this process watches`);
    let followers = this.followers();
    let isOver = false;
    let changing = Promise.resolve();
    const { store, projections } = this.log;
    const stream = new ProjectedEvents(store, projections, {
      heard: (events) => followers.forEach((follower) => follower.heard(events)),
      // New ones look at everything. Two that look at the same time could raise the same alert.
      leftBehind: () => {
        const before = followers;
        followers = [];
        changing = changing.then(async () => {
          await ended(before);
          if (isOver) return;
          followers = this.followers();
          for (const follower of followers) follower.start();
        });
      },
      onFault: this.fault(`the events that ${this.terms.what} follow`),
    });
    // Listens before the first look, so that no event in between is missed.
    stream.start(projections.position());
    for (const follower of followers) follower.start();
    this.end = async () => {
      isOver = true;
      stream.stop();
      await changing;
      await ended(followers);
    };
  }

  protected cease(): Promise<void> {
    const end = this.end;
    this.end = undefined;
    if (end) {
      this.logger.info({}, `${this.terms.lease}: this process no longer watches`);
      this.ended = end();
    }
    return this.ended;
  }

  protected fault(what: string): (error: unknown) => void {
    return (error) => this.logger.warn({ err: error }, what);
  }
}

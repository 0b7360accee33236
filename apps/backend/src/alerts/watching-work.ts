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
    const followers = this.followers();
    const { store, projections } = this.log;
    const stream = new ProjectedEvents(
      store,
      projections,
      (events) => followers.forEach((follower) => follower.heard(events)),
      this.fault(`the events that ${this.terms.what} follow`),
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
      this.logger.info({}, `${this.terms.lease}: this process no longer watches`);
      this.ended = end();
    }
    return this.ended;
  }

  protected fault(what: string): (error: unknown) => void {
    return (error) => this.logger.warn({ err: error }, what);
  }
}

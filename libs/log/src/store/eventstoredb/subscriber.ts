import { keepUp } from '../../backoff';
import { comparePositions, type Position } from '../../envelope';
import type { KeptBatchHandler, KeptEvent } from '../engine';
import type { Subscription, SubscriptionOptions } from '../event-store';
import { deliver, report } from '../subscriber';
import { eventIn, type Names } from './events';
import type { Leader } from './leader';
import { subscribeRequest } from './requests';
import { Source } from './source';

const CONNECT_MS = 5_000;

/**
 * Follows our events in `$all`. The server's subscriptions end for good at the first fault, so this one starts again
 * after the last event that the handler finished. It does not use the server's checkpoints, because they run ahead of
 * the handler.
 */
export class CatchUpSubscriber implements Subscription {
  readonly #stopped = new AbortController();
  readonly #loop: Promise<void>;

  constructor(
    private readonly leader: Leader,
    private readonly names: Names,
    private after: Position,
    private readonly handler: KeptBatchHandler,
    private readonly options: SubscriptionOptions,
    private readonly head: () => Promise<Position>,
    private readonly onStop: (subscriber: CatchUpSubscriber) => void,
  ) {
    this.#loop = keepUp(
      this.#stopped.signal,
      (works) => this.#follow(works),
      (error) => report(options.onFault, error),
    );
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    this.onStop(this);
    await this.#loop;
  }

  /** One subscription on the server, until it breaks or is stopped. */
  async #follow(onDelivered: () => void): Promise<void> {
    const { signal } = this.#stopped;
    const target = await this.head();
    let behind = true;
    const connection = await this.leader.connection(Date.now() + CONNECT_MS);
    const source = new Source(connection, subscribeRequest(this.after, this.names.filter), signal);
    try {
      while (!signal.aborted) {
        const batch = this.#take(source);
        if (batch.length > 0) {
          behind = true;
          if (!(await deliver(batch, this.handler, this.options, signal))) return;
          this.after = batch.at(-1)?.position ?? this.after;
          onDelivered();
          continue;
        }
        if (behind && comparePositions(this.after, target) >= 0) {
          behind = false;
          this.options.onCaughtUp?.();
        }
        if (source.ended) throw new Error('the server ended the subscription');
        await source.more();
      }
    } catch (error) {
      this.leader.failed(connection, error);
      throw error;
    } finally {
      source.close();
    }
  }

  /** The events that have arrived. After a resumption the server may send some again that were delivered before. */
  #take(source: Source): KeptEvent[] {
    const { batchSize = 500 } = this.options;
    const batch: KeptEvent[] = [];
    let last = this.after;
    while (batch.length < batchSize) {
      const answer = source.take();
      if (!answer) break;
      const raw = eventIn(answer);
      const event = raw && this.names.kept(raw);
      if (!event || comparePositions(event.position, last) <= 0) continue;
      batch.push(event);
      last = event.position;
    }
    return batch;
  }
}

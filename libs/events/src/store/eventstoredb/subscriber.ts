import { eventTypeFilter, type AllStreamSubscription, type EventStoreDBClient } from '@eventstore/db-client';
import { comparePositions, type Position } from '../../envelope';
import { keepUp } from '../backoff';
import type { KeptBatchHandler, KeptEvent } from '../engine';
import type { Subscription, SubscriptionOptions } from '../event-store';
import { deliver, report } from '../subscriber';
import { keptEvent, readPosition } from './events';

/**
 * Follows `$all`. The client's subscriptions end for good at the first fault, so this one is made anew from the last
 * event that the handler has finished with. The client's own checkpoints are not used: they run ahead of the handler.
 */
export class CatchUpSubscriber implements Subscription {
  readonly #stopped = new AbortController();
  readonly #loop: Promise<void>;

  constructor(
    private readonly client: EventStoreDBClient,
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

  /** One subscription of the client, until it breaks or we stop. */
  async #follow(onDelivered: () => void): Promise<void> {
    const { signal } = this.#stopped;
    const target = await this.head();
    let behind = true;
    const stream = this.client.subscribeToAll({
      fromPosition: readPosition(this.after),
      filter: eventTypeFilter({
        regex: '^[^$].*',
        checkpointInterval: 1_000,
        checkpointReached: () => undefined,
      }),
    });
    const source = new Source(stream, signal);
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
        await source.more();
      }
    } finally {
      source.close();
      await stream.unsubscribe().catch(() => undefined);
    }
  }

  /** What has arrived. After a resumption the server may send again what was delivered before. */
  #take(source: Source): KeptEvent[] {
    const { batchSize = 500 } = this.options;
    const batch: KeptEvent[] = [];
    let last = this.after;
    while (batch.length < batchSize) {
      const resolved = source.take();
      if (!resolved) break;
      const event = keptEvent(resolved);
      if (!event || comparePositions(event.position, last) <= 0) continue;
      batch.push(event);
      last = event.position;
    }
    return batch;
  }
}

type Resolved = Parameters<typeof keptEvent>[0];

/** Reads the client's stream by hand: no more is taken than fits a batch, so that a slow handler slows the server. */
class Source {
  #fault: { error: unknown } | undefined;
  #wake: () => void = () => undefined;

  constructor(
    private readonly stream: AllStreamSubscription,
    private readonly signal: AbortSignal,
  ) {
    const wake = () => this.#wake();
    const fail = (error: unknown) => {
      this.#fault ??= { error };
      this.#wake();
    };
    stream.on('readable', wake);
    stream.on('error', fail);
    stream.on('end', () => fail(new Error('the server ended the subscription')));
    stream.on('close', () => fail(new Error('the subscription was closed')));
    signal.addEventListener('abort', wake, { once: true });
    this.close = () => signal.removeEventListener('abort', wake);
  }

  readonly close: () => void;

  take(): Resolved | undefined {
    return (this.stream.read() as Resolved | null) ?? undefined;
  }

  async more(): Promise<void> {
    const arrived = new Promise<void>((resolve) => (this.#wake = resolve));
    if (this.#fault) throw this.#fault.error;
    if (this.stream.readableLength > 0 || this.signal.aborted) return;
    await arrived;
  }
}

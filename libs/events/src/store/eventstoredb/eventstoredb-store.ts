import { setTimeout as sleep } from 'node:timers/promises';
import { EventStoreDBClient } from '@eventstore/db-client';
import type { EncodedEvent } from '../../codec';
import type { ExpectedRevision, Position } from '../../envelope';
import type { KeptBatchHandler, KeptEvent, LogEngine } from '../engine';
import {
  StoreUnavailable,
  type AppendResult,
  type Subscription,
  type SubscriptionOptions,
} from '../event-store';
import { Appender } from './appender';
import { Reader } from './reader';
import { CatchUpSubscriber } from './subscriber';

export interface EventStoreDbOptions {
  /** `esdb://…` or `esdb+discover://…`, as the server's own tools take it. */
  url: string;
}

/** What users run who outgrow one machine: EventStoreDB or KurrentDB. */
export class EventStoreDbStore implements LogEngine {
  readonly name = 'eventstoredb';
  readonly #client: EventStoreDBClient;
  readonly #reader: Reader;
  readonly #appender: Appender;
  readonly #subscribers = new Set<CatchUpSubscriber>();
  readonly #appends = new Set<Promise<unknown>>();
  #closed = false;

  constructor({ url }: EventStoreDbOptions) {
    this.#client = EventStoreDBClient.connectionString(url);
    this.#reader = new Reader(this.#client);
    this.#appender = new Appender(this.#client, this.#reader);
  }

  async append(stream: string, events: EncodedEvent[], expected: ExpectedRevision): Promise<AppendResult> {
    if (this.#closed) throw new StoreUnavailable(new Error('the store is closed'));
    const append = this.#appender.append(stream, events, expected);
    this.#appends.add(append);
    try {
      return await append;
    } finally {
      this.#appends.delete(append);
    }
  }

  readStream(
    stream: string,
    { from, limit }: { from: number; limit?: number | undefined },
  ): Promise<KeptEvent[]> {
    return this.#reader.stream(stream, from, limit);
  }

  readStreams(streams: Iterable<string>, upTo: Position | undefined): AsyncIterable<KeptEvent[]> {
    return this.#reader.streams(streams, upTo);
  }

  readAll(after: Position, limit: number): Promise<KeptEvent[]> {
    return this.#reader.all(after, limit);
  }

  head(): Promise<Position> {
    return this.#reader.head();
  }

  subscribe(after: Position, handler: KeptBatchHandler, options: SubscriptionOptions): Subscription {
    const subscriber = new CatchUpSubscriber(
      this.#client,
      after,
      handler,
      options,
      () => this.head(),
      (stopped) => this.#subscribers.delete(stopped),
    );
    this.#subscribers.add(subscriber);
    return subscriber;
  }

  problem(): Promise<string | undefined> {
    return Promise.resolve(undefined);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await Promise.all([...this.#subscribers].map((subscriber) => subscriber.stop()));
    await Promise.allSettled(this.#appends);
    // It cancels its calls at once, but may wait for ever to hear that they have ended.
    await Promise.race([this.#client.dispose(), sleep(250)]);
    await closeChannel(this.#client);
  }
}

/** The client has no way to end its connection, which would keep the process alive. */
async function closeChannel(client: EventStoreDBClient): Promise<void> {
  const { getChannel } = client as unknown as { getChannel(): Promise<{ close(): void }> };
  const channel = await getChannel().catch(() => undefined);
  channel?.close();
}

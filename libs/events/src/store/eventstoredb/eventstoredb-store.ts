import { setTimeout as sleep } from 'node:timers/promises';
import { EventStoreDBClient } from '@eventstore/db-client';
import { codec as catalogueCodec, type Codec } from '../../codec';
import type { ExpectedRevision, NewEvent, Position, RecordedEvent } from '../../envelope';
import {
  StoreUnavailable,
  type AppendResult,
  type BatchHandler,
  type EventStore,
  type Subscription,
  type SubscriptionOptions,
} from '../event-store';
import { Appender } from './appender';
import { Reader } from './reader';
import { CatchUpSubscriber } from './subscriber';

export interface EventStoreDbOptions {
  /** `esdb://…` or `esdb+discover://…`, as the server's own tools take it. */
  url: string;
  codec?: Codec;
}

/** What users run who outgrow one machine: EventStoreDB or KurrentDB. */
export class EventStoreDbStore implements EventStore {
  readonly engine = 'eventstoredb';
  readonly #client: EventStoreDBClient;
  readonly #codec: Codec;
  readonly #reader: Reader;
  readonly #appender: Appender;
  readonly #subscribers = new Set<CatchUpSubscriber>();
  readonly #appends = new Set<Promise<unknown>>();
  #closed = false;

  constructor({ url, codec = catalogueCodec }: EventStoreDbOptions) {
    this.#client = EventStoreDBClient.connectionString(url);
    this.#codec = codec;
    this.#reader = new Reader(this.#client, codec);
    this.#appender = new Appender(this.#client, this.#reader);
  }

  async append(stream: string, events: NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
    if (events.length === 0) throw new Error('an append needs at least one event');
    if (this.#closed) throw new StoreUnavailable(new Error('the store is closed'));
    const encoded = events.map((event) => this.#codec.encode(event));
    const append = this.#appender.append(stream, encoded, expected);
    this.#appends.add(append);
    try {
      return await append;
    } finally {
      this.#appends.delete(append);
    }
  }

  readStream(
    stream: string,
    { from = 0, limit }: { from?: number; limit?: number } = {},
  ): Promise<RecordedEvent[]> {
    return this.#reader.stream(stream, from, limit);
  }

  readStreams(streams: Iterable<string>, { upTo }: { upTo?: Position } = {}): AsyncIterable<RecordedEvent[]> {
    return this.#reader.streams(streams, upTo);
  }

  readAll(after: Position, { limit = 500 }: { limit?: number } = {}): Promise<RecordedEvent[]> {
    return this.#reader.all(after, limit);
  }

  head(): Promise<Position> {
    return this.#reader.head();
  }

  subscribe(after: Position, handler: BatchHandler, options: SubscriptionOptions = {}): Subscription {
    const subscriber = new CatchUpSubscriber(
      this.#client,
      this.#codec,
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

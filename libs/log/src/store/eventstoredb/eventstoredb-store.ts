import { UnavailableError } from '@eventstore/db-client';
import type { EncodedEvent } from '../../codec';
import { START, type ExpectedRevision, type Position } from '../../envelope';
import type { KeptAppend, KeptBatchHandler, KeptEvent, LogEngine, Pages, TruncatedStream } from '../engine';
import {
  LogWithoutPrefix,
  StoreUnavailable,
  type Subscription,
  type SubscriptionOptions,
} from '../event-store';
import { Appender } from './appender';
import { isCopied, Names } from './events';
import { Leader } from './leader';
import { Reader } from './reader';
import { RecordedIds } from './recorded-ids';
import { CatchUpSubscriber } from './subscriber';
import { Intake } from './take-in';
import { TruncatedStreams, writtenWithoutPrefix } from './streams-of-ours';

export interface EventStoreDbOptions {
  /** `esdb://…` or `esdb+discover://…`, in the syntax of the server's own tools. */
  url: string;
  /** Prefix of all our stream names, so that other programs can use the same server. Default: none. */
  prefix?: string;
}

/** How often it looks for streams of ours that somebody has deleted or cut. */
const LOOK_MS = 30_000;

/** For installations that outgrow one machine: EventStoreDB or KurrentDB. */
export class EventStoreDbStore implements LogEngine {
  readonly name = 'eventstoredb';

  /**
   * @throws LogWithoutPrefix if the log has events of ours, but only from before prefixes
   * @throws StoreUnavailable
   */
  static async open(options: EventStoreDbOptions): Promise<EventStoreDbStore> {
    const store = new EventStoreDbStore(options);
    try {
      if (options.prefix && (await store.head()) === START && (await writtenWithoutPrefix(store.#reader)))
        throw new LogWithoutPrefix(options.prefix);
      return store;
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  readonly #leader: Leader;
  readonly #names: Names;
  readonly #reader: Reader;
  readonly #appender: Appender;
  readonly #truncated: TruncatedStreams;
  readonly #intake: Intake;
  readonly #subscribers = new Set<CatchUpSubscriber>();
  readonly #appends = new Set<Promise<unknown>>();
  readonly #look: NodeJS.Timeout;
  #closed = false;

  constructor({ url, prefix = '' }: EventStoreDbOptions) {
    const ids = new RecordedIds();
    this.#leader = new Leader(url);
    this.#names = new Names(prefix);
    this.#reader = new Reader(this.#leader, this.#names, ids);
    this.#intake = new Intake(this.#leader, this.#names);
    this.#truncated = new TruncatedStreams(this.#reader, this.#names);
    this.#appender = new Appender(this.#leader, this.#reader, this.#names, ids);
    this.#look = setInterval(() => void this.truncated().catch(() => undefined), LOOK_MS).unref();
  }

  async append(stream: string, events: EncodedEvent[], expected: ExpectedRevision): Promise<KeptAppend> {
    if (this.#closed) throw new StoreUnavailable(new Error('the store is closed'));
    this.#truncated.refuse(stream);
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
    this.#truncated.refuse(stream);
    return this.#reader.uncut(stream, from, limit);
  }

  readStreams(streams: Iterable<string>, upTo: Position | undefined): AsyncIterable<KeptEvent[]> {
    return this.#reader.streams(streams, upTo);
  }

  readAll(after: Position, limit: number): Promise<KeptEvent[]> {
    return this.#reader.all(after, limit);
  }

  readOn(after: Position, pages: Pages): AsyncIterable<KeptEvent[]> {
    return this.#reader.pages(after, pages);
  }

  head(): Promise<Position> {
    return this.#reader.head();
  }

  subscribe(after: Position, handler: KeptBatchHandler, options: SubscriptionOptions): Subscription {
    const subscriber = new CatchUpSubscriber(
      this.#leader,
      this.#names,
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

  truncated(): Promise<TruncatedStream[]> {
    return this.#truncated.list();
  }

  async newest(): Promise<KeptEvent | undefined> {
    const newest = await this.#reader.newest();
    return newest && this.#names.kept(newest);
  }

  takeIn(events: readonly KeptEvent[]): Promise<void> {
    return this.#intake.take(events);
  }

  /** Copied events carry their original instant; the event that ends the copy does not. */
  async isUnfinished(): Promise<boolean> {
    const newest = await this.#reader.newest();
    return newest !== undefined && isCopied(newest);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#look);
    await Promise.all([...this.#subscribers].map((subscriber) => subscriber.stop()));
    await Promise.allSettled(this.#appends);
    this.#leader.close(new UnavailableError(undefined, 'the store is closed'));
  }
}

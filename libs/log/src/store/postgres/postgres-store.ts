import { Pool, type PoolConfig } from 'pg';
import type { EncodedEvent } from '../../codec';
import type { ExpectedRevision, Position } from '../../envelope';
import type { AuditedLog, Seal } from '../audit';
import type { KeptAppend, KeptBatchHandler, KeptChain, KeptEvent, LogEngine, Pages } from '../engine';
import type { Subscription, SubscriptionOptions } from '../event-store';
import { LogDamaged, StoreUnavailable } from '../event-store';
import { PagedSubscriber, report, type Page } from '../subscriber';
import { AppendClient, type WrittenBatch } from './append-client';
import { Appender, type PendingAppend } from './appender';
import { hashAt, headOf, logIn } from './audited';
import { unavailable } from './faults';
import { LastingConnection, listening } from './lasting-connection';
import { migrate } from './migrate';
import { Others } from './others';
import { Reader } from './reader';
import { RecentEvents } from './recent-events';
import { isUnfinished, takeIn } from './take-in';

export interface PostgresStoreOptions {
  url: string;
  /** Do not migrate the schema that an earlier version made. The log is then read-only. */
  asItIs?: boolean | undefined;
  /** Called for faults that the store recovers from by itself, such as a lost connection. */
  onFault?: (error: unknown) => void;
}

/**
 * Every statement here has one good plan, with an index for each condition. By default Postgres would plan statements
 * with array parameters again at each call, and would keep scanning a table, or reading a whole stream for its last
 * revision, that was small when the plan was made.
 */
const SETTINGS = [
  'timezone=UTC',
  'plan_cache_mode=force_generic_plan',
  'enable_seqscan=off',
  'enable_bitmapscan=off',
  'jit=off',
]
  .map((setting) => `-c ${setting}`)
  .join(' ');

const CHANNEL = 'log_appended';

/** The default: the log is in schema `log` of the Postgres that also has the read models. */
export class PostgresStore implements LogEngine {
  readonly name = 'postgres';
  readonly #pool: Pool;
  readonly #client: AppendClient;
  readonly #appender: Appender;
  readonly #reader: Reader;
  readonly #listener: LastingConnection;
  readonly #recent = new RecentEvents();
  readonly #subscribers = new Set<PagedSubscriber>();
  #closed = false;
  readonly chain: KeptChain = {
    audited: (last?: number): Promise<AuditedLog> => logIn(this.#pool, last),
    seal: (): Promise<Seal | undefined> => headOf(this.#pool),
    hashAt: (position) => hashAt(this.#pool, position),
    bytes: async () => {
      const { rows } = await this.#pool.query<{ bytes: string }>(
        `select pg_total_relation_size('log.events') as bytes`,
      );
      return Number(rows[0]?.bytes);
    },
  };

  static async open(options: PostgresStoreOptions): Promise<PostgresStore> {
    const store = new PostgresStore(options);
    try {
      await (options.asItIs ? store.#reader.asItIs() : migrate(store.#pool));
    } catch (error) {
      await store.close();
      throw error;
    }
    return store;
  }

  private constructor({ url, onFault }: PostgresStoreOptions) {
    const config: PoolConfig = {
      connectionString: url,
      application_name: 'quarterdeck log',
      options: SETTINGS,
      // Includes the wait for a free connection of the pool. The timer cannot fire while this process is busy.
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      // Keeps the idle listening connection alive through firewalls and NAT.
      keepAliveInitialDelayMillis: 10_000,
    };
    this.#pool = new Pool({
      ...config,
      max: 6,
      // A server that neither answers nor closes the connection counts as lost.
      query_timeout: 10_000,
      // A new connection costs more than a command, so a console that is rarely used keeps its connections.
      idleTimeoutMillis: 300_000,
    });
    // Without this handler, an error of an idle connection would end the process.
    this.#pool.on('error', (error) => report(onFault, error));
    const others = new Others(CHANNEL, () => this.#client.tell());
    this.#client = new AppendClient(this.#pool, () => others.listen);
    this.#appender = new Appender(this.#client, {
      onWritten: (batch, written) => this.#remember(batch, written),
      onFound: () => this.#wake(),
    });
    this.#reader = new Reader(this.#pool);
    const onAppended = (position: string, process: number): void => {
      if (process !== this.#client.process && Number(position) > this.#recent.tip) this.#wake();
    };
    this.#listener = new LastingConnection(config, (error) => {
      report(onFault, error);
      for (const subscriber of this.#subscribers) subscriber.fault(error);
    })
      .use(listening(CHANNEL, onAppended, () => this.#wake()))
      .use({ onConnected: (client) => others.join(client), onLost: () => others.leave() });
  }

  async append(stream: string, events: EncodedEvent[], expected: ExpectedRevision): Promise<KeptAppend> {
    if (this.#closed) throw new StoreUnavailable(new Error('the store is closed'));
    return this.#appender.append(stream, events, expected);
  }

  readStream(
    stream: string,
    { from, limit }: { from: number; limit?: number | undefined },
  ): Promise<KeptEvent[]> {
    return this.#reader.stream(stream, from, limit ?? null);
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
    void this.#listener.start();
    const subscriber = new PagedSubscriber(
      (position, limit) => this.#next(position, limit),
      after,
      handler,
      options,
      (stopped) => this.#subscribers.delete(stopped),
    );
    this.#subscribers.add(subscriber);
    return subscriber;
  }

  /** Always empty: in Postgres a trigger keeps streams from being deleted or truncated. */
  truncated(): Promise<[]> {
    return Promise.resolve([]);
  }

  problem(): Promise<string | undefined> {
    return this.#client.problem().catch((error: unknown) => {
      const fault = unavailable(error);
      if (fault instanceof LogDamaged) return fault.problem;
      throw fault;
    });
  }

  async newest(): Promise<KeptEvent | undefined> {
    const head = BigInt(await this.head());
    return head === 0n ? undefined : (await this.#reader.all(String(head - 1n), 1))[0];
  }

  async takeIn(events: readonly KeptEvent[]): Promise<void> {
    await takeIn(this.#pool, await this.head(), events);
  }

  isUnfinished(): Promise<boolean> {
    return isUnfinished(this.#pool);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await Promise.all([...this.#subscribers].map((subscriber) => subscriber.stop()));
    await this.#appender.idle();
    await this.#listener.close();
    this.#client.close();
    await this.#pool.end();
  }

  async #next(after: Position, limit: number): Promise<Page> {
    const recent = this.#recent.after(Number(after), limit);
    if (recent) return { events: recent, more: Number(recent.at(-1)?.position) < this.#recent.tip };
    return this.#reader.page(after, limit);
  }

  #wake(): void {
    for (const subscriber of this.#subscribers) subscriber.wake();
  }

  /** Hands events just written to the subscribers of this process, so that they need not read them. */
  #remember(batch: PendingAppend[], { start, recordedAt, outcomes }: WrittenBatch): void {
    if (this.#subscribers.size === 0) return;
    const events: KeptEvent[] = [];
    const sizes: number[] = [];
    batch.forEach((append, index) => {
      const revision = (outcomes[index] ?? -1) - append.events.length + 1;
      if (revision < 0) return;
      append.events.forEach((event, nth) => {
        events.push({
          ...event,
          stream: append.stream,
          revision: revision + nth,
          position: String(start + events.length + 1),
          recordedAt,
          own: true,
        });
        sizes.push(event.data.length + event.meta.length);
      });
    });
    if (events.length === 0) return;
    this.#recent.add(start, events, sizes);
    this.#wake();
  }
}

/** The log as the product knows it: events that fit their schemas, around either engine. */
import type { Codec } from '../codec';
import type { EventMeta, ExpectedRevision, NewEvent, Position, RecordedEvent } from '../envelope';
import type { KeptChain, KeptEvent, LogEngine } from './engine';
import type {
  AppendResult,
  BatchHandler,
  EventStore,
  Subscription,
  SubscriptionOptions,
} from './event-store';

const PAGE = 500;

export class TypedStore implements EventStore {
  readonly engine: EventStore['engine'];
  readonly chain?: KeptChain;

  constructor(
    private readonly log: LogEngine,
    private readonly codec: Codec,
  ) {
    this.engine = log.name;
    if (log.chain) this.chain = log.chain;
  }

  async append(stream: string, events: NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
    if (events.length === 0) throw new Error('an append needs at least one event');
    return this.log.append(
      stream,
      events.map((event) => this.codec.encode(event)),
      expected,
    );
  }

  async readStream(
    stream: string,
    { from = 0, limit }: { from?: number; limit?: number } = {},
  ): Promise<RecordedEvent[]> {
    return this.#decoded(await this.log.readStream(stream, { from, limit }));
  }

  async readAfter(stream: string, revision: number): Promise<{ events: RecordedEvent[]; revision: number }> {
    const kept = await this.log.readStream(stream, { from: revision + 1 });
    return { events: this.#decoded(kept), revision: kept.at(-1)?.revision ?? revision };
  }

  async *readStreams(
    streams: Iterable<string>,
    { upTo }: { upTo?: Position } = {},
  ): AsyncIterable<RecordedEvent[]> {
    for await (const kept of this.log.readStreams(streams, upTo)) yield this.#decoded(kept);
  }

  async readAll(after: Position, { limit = PAGE }: { limit?: number } = {}): Promise<RecordedEvent[]> {
    return this.#decoded(await this.log.readAll(after, limit));
  }

  head(): Promise<Position> {
    return this.log.head();
  }

  subscribe(after: Position, handler: BatchHandler, options: SubscriptionOptions = {}): Subscription {
    return this.log.subscribe(after, (kept) => handler(this.#decoded(kept)), options);
  }

  problem(): Promise<string | undefined> {
    return this.log.problem();
  }

  close(): Promise<void> {
    return this.log.close();
  }

  #decoded(kept: readonly KeptEvent[]): RecordedEvent[] {
    return kept.map((event) =>
      this.codec.decode({
        type: event.type,
        data: JSON.parse(event.data) as unknown,
        meta: metaOf(event),
        stream: event.stream,
        revision: event.revision,
        position: event.position,
        recordedAt: event.recordedAt,
      }),
    );
  }
}

/** Events of other programs in the same database carry other metadata, or none. */
function metaOf({ id, recordedAt, meta }: KeptEvent): EventMeta {
  const found = JSON.parse(meta) as EventMeta | null;
  if (typeof found === 'object' && found !== null && 'workspace' in found) return found;
  const own = { actor: 'system', workspace: '-', correlationId: id, causationId: id, v: '1' };
  return { id, at: recordedAt, ...own };
}

/**
 * The log for the rest of the product, on top of either engine: events that fit their schemas and that this console
 * wrote. Every event is checked here and nowhere else. Events of other writers appear only as `FOREIGN_EVENT` when the
 * log is read by position, and not at all when a stream is read.
 */
import type { Codec, EncodedEvent } from '../codec';
import {
  comparePositions,
  FOREIGN_EVENT,
  type EventMeta,
  type ExpectedRevision,
  type NewEvent,
  type Position,
  type RecordedEvent,
} from '../envelope';
import { logOf, type AuditedLog, type Seal } from './audit';
import type { KeptChain, KeptEvent, LogEngine, Pages, TruncatedStream } from './engine';
import {
  EventIdTaken,
  LogElsewhere,
  UNFINISHED,
  type AppendResult,
  type BatchHandler,
  type EventStore,
  type Subscription,
  type SubscriptionOptions,
} from './event-store';
import { parsedText } from './json-text';
import type { LogKeys } from './log-keys';
import { LogHead } from './log-head';

const PAGE = 500;
const READ_ON_PAGE = 5_000;

export class AuthenticStore implements EventStore {
  readonly engine: EventStore['engine'];
  readonly chain?: KeptChain;
  readonly #logHead: LogHead | undefined;
  /**
   * Id of the event with which the log arrived at this place, if it was ever moved. Positions are meaningful only
   * together with it. Known after `locate`.
   */
  home: string | undefined;

  /** @param keys if undefined, events get no tags and none are checked */
  constructor(
    readonly log: LogEngine,
    private readonly codec: Codec,
    readonly keys?: LogKeys,
  ) {
    this.engine = log.name;
    if (keys) this.#logHead = new LogHead(log, (event) => this.#foreign(event) !== undefined);
    if (log.chain) this.chain = log.chain;
  }

  async append(stream: string, events: NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
    if (events.length === 0) throw new Error('an append needs at least one event');
    const encoded = events.map((event) => this.codec.encode(event));
    const { keys } = this;
    if (!keys) {
      const { revision, position } = await this.log.append(stream, encoded, expected);
      return { revision, position };
    }
    const first = firstRevision(expected);
    const tagged = encoded.map((event, nth) => keys.tagged(event, stream, first + nth));
    // Postgres itself refuses appends to a log that has moved.
    const logHead = this.engine === 'postgres' ? undefined : this.#logHead;
    await logHead?.confirm();
    const { repeated, ...written } = await this.log.append(stream, tagged, expected);
    await logHead?.confirm();
    if (repeated) await this.#refuseForeign(stream, tagged, written);
    return written;
  }

  /** Checks that the log is written here. @throws LogElsewhere if it is not */
  async locate(): Promise<void> {
    await this.#logHead?.look();
    this.home = this.#logHead?.arrived;
    if (await this.log.isUnfinished()) throw new LogElsewhere(UNFINISHED);
    const moved = this.#logHead?.moved;
    if (moved !== undefined) throw new LogElsewhere(moved);
  }

  async readStream(
    stream: string,
    { from = 0, limit }: { from?: number; limit?: number } = {},
  ): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for (let next = from; ;) {
      const wanted = limit === undefined ? undefined : limit - events.length;
      const kept = await this.log.readStream(stream, { from: next, limit: wanted });
      for (const event of this.#authentic(kept)) events.push(event);
      const last = kept.at(-1);
      if (!last || wanted === undefined || kept.length < wanted || events.length === limit) return events;
      next = last.revision + 1;
    }
  }

  async readAfter(stream: string, revision: number): Promise<{ events: RecordedEvent[]; revision: number }> {
    const kept = await this.log.readStream(stream, { from: revision + 1 });
    return { events: this.#authentic(kept), revision: kept.at(-1)?.revision ?? revision };
  }

  async *readStreams(
    streams: Iterable<string>,
    { upTo }: { upTo?: Position } = {},
  ): AsyncIterable<RecordedEvent[]> {
    for await (const kept of this.log.readStreams(streams, upTo)) yield this.#authentic(kept);
  }

  async readAll(after: Position, { limit = PAGE }: { limit?: number } = {}): Promise<RecordedEvent[]> {
    return this.judged(await this.log.readAll(after, limit));
  }

  async *readOn(
    after: Position,
    { upTo, size = READ_ON_PAGE }: Partial<Pages> = {},
  ): AsyncIterable<RecordedEvent[]> {
    for await (const kept of this.log.readOn(after, { upTo, size })) yield this.judged(kept);
  }

  /** Checks events that the engine has read, and returns them as `readAll` does. */
  judged(kept: readonly KeptEvent[]): RecordedEvent[] {
    return kept.map((event) => this.#read(event));
  }

  head(): Promise<Position> {
    return this.log.head();
  }

  subscribe(after: Position, handler: BatchHandler, options: SubscriptionOptions = {}): Subscription {
    return this.log.subscribe(after, (kept) => handler(kept.map((event) => this.#read(event))), options);
  }

  /** @param last only this many events at the end, if the engine keeps the chain */
  async audited(kept?: Seal, last?: number): Promise<AuditedLog> {
    const { chain, keys } = this;
    const log = chain ? await chain.audited(last) : logOf(this, kept);
    const links = chain ? this.#judged(log.links) : log.links;
    if (!keys) return { ...log, links };
    return { ...log, links, identity: keys.identity, sign: (seal) => keys.sign(seal) };
  }

  async problem(): Promise<string | undefined> {
    await this.#logHead?.look();
    const moved = this.#logHead?.moved;
    return moved === undefined ? this.log.problem() : new LogElsewhere(moved).problem;
  }

  truncated(): Promise<TruncatedStream[]> {
    return this.log.truncated();
  }

  async rewrapKeys(masterKey: Buffer): Promise<void> {
    await this.keys?.rewrap(this.log, masterKey);
  }

  close(): Promise<void> {
    return this.log.close();
  }

  /**
   * A writer to the log can also guess one of our ids and write it before us. The engine would then take our
   * append for a repetition, although our event was not recorded.
   * @throws EventIdTaken
   */
  async #refuseForeign(
    stream: string,
    events: readonly EncodedEvent[],
    { revision }: AppendResult,
  ): Promise<void> {
    const from = revision - events.length + 1;
    for (const event of await this.log.readStream(stream, { from, limit: events.length }))
      if (this.#foreign(event) !== undefined)
        throw new EventIdTaken(event.type, `event ${event.position}, which this console did not write`);
  }

  async *#judged(links: AuditedLog['links']): AuditedLog['links'] {
    for await (const link of links) {
      const foreign = link.event && this.#foreign(link.event);
      yield foreign === undefined ? link : { ...link, foreign };
    }
  }

  #foreign(event: KeptEvent): string | undefined {
    const { keys } = this;
    if (!keys || comparePositions(event.position, keys.founded) < 0 || event.own) return undefined;
    return keys.foreign(event);
  }

  #authentic(kept: readonly KeptEvent[]): RecordedEvent[] {
    return kept.map((event) => this.#read(event)).filter(({ foreign }) => foreign === undefined);
  }

  #read(event: KeptEvent): RecordedEvent {
    const foreign = this.#foreign(event);
    const { type, stream, revision, position, recordedAt } = event;
    const place = { stream, revision, position, recordedAt };
    const data = parsedText(event.data);
    const meta = metaOf(event);
    if (foreign === undefined) return this.codec.decode({ type, data, meta, ...place });
    return {
      type: FOREIGN_EVENT,
      data: {},
      meta: strangersMeta(event),
      ...place,
      foreign,
      stored: { type, data, meta },
    };
  }
}

const firstRevision = (expected: ExpectedRevision): number => (expected === 'no_stream' ? 0 : expected + 1);

const strangersMeta = ({ id, recordedAt: at }: KeptEvent): EventMeta => ({
  id,
  at,
  actor: 'system',
  workspace: '-',
  correlationId: id,
  causationId: id,
  v: '1',
});

/** Events of other programs in the same database have other metadata, or none. */
function metaOf(event: KeptEvent): EventMeta {
  const found = parsedText(event.meta);
  if (typeof found === 'object' && found !== null && 'workspace' in found) return found as EventMeta;
  return strangersMeta(event);
}

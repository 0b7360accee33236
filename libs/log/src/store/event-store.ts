import type { KeptChain, Pages, TruncatedStream } from './engine';
import type { ExpectedRevision, NewEvent, Position, RecordedEvent } from '../envelope';
import { InvalidEvent } from '../codec';

export { InvalidEvent };

export interface AppendResult {
  /** Revision of the last appended event in its stream, counted from 0. */
  revision: number;
  /** Position of the last appended event in the whole log. */
  position: Position;
}

/** Called with events in log order, never concurrently. The next batch waits until the promise settles. */
export type BatchHandler = (batch: RecordedEvent[]) => Promise<void> | void;

export interface SubscriptionOptions {
  /** Maximum number of events in one batch. Default: 500. */
  batchSize?: number;
  /** Poll interval of a log that is read in pages, in case a notification was missed. Default: 1000. */
  pollMs?: number;
  /** Called once the subscription has delivered everything that was in the log, and after each later catch-up. */
  onCaughtUp?: () => void;
  /** Called for each fault that the subscription recovers from by itself. */
  onFault?: (error: unknown) => void;
}

export interface Subscription {
  /** Settles when the handler has returned for the last time. */
  stop(): Promise<void>;
}

/**
 * One log, two engines, with the semantics of EventStoreDB: revisions count from 0. Appending the same event ids to the
 * same stream again succeeds and writes nothing, whatever the stream's revision is and whatever is expected.
 */
export interface EventStore {
  readonly engine: 'postgres' | 'eventstoredb';
  /** Only for an engine that keeps a chain. */
  readonly chain?: KeptChain;

  /**
   * Appends atomically to one stream.
   * @throws WrongExpectedRevision with the actual revision, if the stream is not where the writer expected it.
   * @throws InvalidEvent if an event does not fit its schema; nothing of the append was written.
   * @throws EventIdTaken if the log has one of the ids elsewhere, or in an event that this console did not write.
   * @throws StreamDeleted, StreamCut
   * @throws StoreUnavailable if the log cannot be reached. The outcome may be unknown, so retry with the same ids.
   */
  append(stream: string, events: NewEvent[], expected: ExpectedRevision): Promise<AppendResult>;

  /** The events of a stream in order from `from` (default 0). Empty if there is no such stream. */
  readStream(stream: string, options?: { from?: number; limit?: number }): Promise<RecordedEvent[]>;

  /**
   * The events of a stream after a revision (-1 for all of them), and the revision that an append has to expect then.
   * That can be higher than the last event's, because withheld events take up revisions too.
   */
  readAfter(stream: string, revision: number): Promise<{ events: RecordedEvent[]; revision: number }>;
  /**
   * The events of many streams up to and including `upTo`, in pages of some thousands at most. Each stream is in order;
   * the order of the streams is not defined.
   */
  readStreams(streams: Iterable<string>, options?: { upTo?: Position }): AsyncIterable<RecordedEvent[]>;

  /** Up to `limit` (default 500) events after `after`, in log order. */
  readAll(after: Position, options?: { limit?: number }): Promise<RecordedEvent[]>;

  /**
   * The log after `after`, in pages, for whoever reads all of it. The next page is fetched while the caller works on one; a
   * caller that is slow holds the reading up, so few pages are in memory.
   */
  readOn(after: Position, pages?: Partial<Pages>): AsyncIterable<RecordedEvent[]>;

  /** Position of the newest event, `0` for an empty log. */
  head(): Promise<Position>;

  /**
   * Delivers every event after `after`, first the existing ones and then new ones: each once, in order, without gaps,
   * even if connections break or the server restarts. If a handler throws, it gets the same batch again later.
   */
  subscribe(after: Position, handler: BatchHandler, options?: SubscriptionOptions): Subscription;

  /** Why the log cannot be written, or not be read completely; undefined if it can. Fast. */
  problem(): Promise<string | undefined>;

  /**
   * Streams that somebody else has deleted or truncated, which EventStoreDB allows. Their events are still in the log,
   * but reads of the stream leave them out. Finding such streams takes a search through the whole log.
   */
  truncated(): Promise<TruncatedStream[]>;

  close(): Promise<void>;
}

export class WrongExpectedRevision extends Error {
  override name = 'WrongExpectedRevision';
  constructor(
    readonly stream: string,
    readonly expected: ExpectedRevision,
    /** Revision of the stream's last event, -1 when there is no such stream. */
    readonly actual: number,
  ) {
    super(`stream ${stream} is at revision ${actual}, expected ${expected}`);
  }
}

/** Nothing of the append was written, and a retry with the same ids cannot succeed. */
export class EventIdTaken extends InvalidEvent {
  override name = 'EventIdTaken';
  /** @param taken where the id is used, if known */
  constructor(type: string, taken = 'an event elsewhere in the log') {
    super(type, `its id is taken by ${taken}`);
    this.message = `the id of this ${type} is taken by ${taken}`;
  }
}

/** EventStoreDB has a tombstone on the stream: its events are gone, and it accepts no more. */
export class StreamDeleted extends Error {
  override name = 'StreamDeleted';
  constructor(
    readonly stream: string,
    cause?: unknown,
  ) {
    super(`stream ${stream} was deleted for good in the event log`, { cause });
  }
}

/** Somebody has set a limit on the stream, so the server hides its events from readers, or is about to. */
export class StreamCut extends Error {
  override name = 'StreamCut';
  constructor(
    readonly stream: string,
    /** As the server calls them: `deleted`, `$maxCount 5`. */
    readonly limits: string,
  ) {
    super(`stream ${stream} was cut or deleted in the event log (${limits})`);
  }
}

export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
  constructor(cause: unknown, message = 'the event log cannot be reached') {
    super(message, { cause });
  }
}

/** A log of an earlier version, whose stream names have no prefix. */
export class LogWithoutPrefix extends Error {
  override name = 'LogWithoutPrefix';
  constructor(readonly prefix: string) {
    super(`the event log holds streams without a prefix, and none that begins with ${prefix}`);
  }
}

/** The log is reachable, but differs from how this console left it. `problem` tells operators what is wrong. */
export class LogDamaged extends StoreUnavailable {
  override name = 'LogDamaged';
  constructor(
    readonly problem: string,
    cause?: unknown,
  ) {
    super(cause, problem);
  }
}

/** The log can be reached but rejects the console's credentials, which it still accepted at the start. */
export class LogForbidden extends StoreUnavailable {
  override name = 'LogForbidden';
  constructor(cause: unknown) {
    super(cause, 'the event log refuses the user that the console signs in with');
  }
}

/** Address of a log that was moved into the Postgres of the read models. */
export const DATABASE = 'database';

const elsewhere = (to: string): string => {
  if (to === UNFINISHED)
    return 'the event log is a copy that is not finished; run the copy again until it says that it is done';
  return to === DATABASE
    ? 'the event log has moved into the database of the read models; remove EVENT_STORE_URL and start the console again'
    : `the event log has moved to ${to}; set EVENT_STORE_URL to that address and start the console again`;
};

/** Used in place of an address while a log is being copied. */
export const UNFINISHED = '';

/** The log has moved to another place and is not written here any more. */
export class LogElsewhere extends LogDamaged {
  override name = 'LogElsewhere';
  /** @param to its address without credentials, `DATABASE` or `UNFINISHED` */
  constructor(
    readonly to: string,
    cause?: unknown,
  ) {
    super(elsewhere(to), cause);
  }
}

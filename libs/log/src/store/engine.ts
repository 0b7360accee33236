/**
 * The storage of a log: Postgres or EventStoreDB. An engine orders texts and returns them unchanged. It knows no
 * schemas, versions or keys: the `EventStore` around it handles those.
 */
import type { EncodedEvent } from '../codec';
import type { ExpectedRevision, Position } from '../envelope';
import type { AuditedLog, Seal } from './audit';
import type { AppendResult, Subscription, SubscriptionOptions } from './event-store';

export interface KeptEvent extends EncodedEvent {
  stream: string;
  revision: number;
  position: Position;
  /** ISO instant at which the log stored the event. */
  recordedAt: string;
  /** This process wrote the event itself, so its tag need not be checked. */
  own?: true;
}

/** Called with events in log order, never concurrently. The next batch waits until the promise settles. */
export type KeptBatchHandler = (batch: KeptEvent[]) => Promise<void> | void;

/** The chain that an engine stores with the events. */
export interface KeptChain {
  /** The log for an audit, up to its current end. With `last`, only this many events at the end. */
  audited(last?: number): Promise<AuditedLog>;
  /** The end of the chain; undefined if the engine has lost it. */
  seal(): Promise<Seal | undefined>;
  /** The hash of one event. */
  hashAt(position: Position): Promise<string | undefined>;
  /** Size of the log on disk, including indexes. */
  bytes(): Promise<number>;
}

/** Earlier events of a stream are missing. The copy could not keep the revisions. */
export class RevisionsMissing extends Error {
  override name = 'RevisionsMissing';
  constructor(readonly stream: string) {
    super(`stream ${stream} lacks events that came before`);
  }
}

/** A stream of which the engine hides a part from readers. */
export interface TruncatedStream {
  stream: string;
  /** The limits, as the engine calls them: `deleted`, `$maxCount 5`. */
  limits: string;
}

export interface KeptAppend extends AppendResult {
  /** The ids existed already, or may have. Somebody else may have written them. */
  repeated?: boolean;
}

/** Which part of the log, in which pages. */
export interface Pages {
  /** The last event. Unset: up to the end of the log. */
  upTo?: Position | undefined;
  /** Events of a page at most. There are fewer in it where they are large. */
  size: number;
}

/** Methods and errors are the same as in `EventStore`, which documents them. */
export interface LogEngine {
  readonly name: 'postgres' | 'eventstoredb';
  readonly chain?: KeptChain;
  append(stream: string, events: EncodedEvent[], expected: ExpectedRevision): Promise<KeptAppend>;
  readStream(stream: string, options: { from: number; limit?: number | undefined }): Promise<KeptEvent[]>;
  readStreams(streams: Iterable<string>, upTo: Position | undefined): AsyncIterable<KeptEvent[]>;
  readAll(after: Position, limit: number): Promise<KeptEvent[]>;
  readOn(after: Position, pages: Pages): AsyncIterable<KeptEvent[]>;
  head(): Promise<Position>;
  subscribe(after: Position, handler: KeptBatchHandler, options: SubscriptionOptions): Subscription;
  problem(): Promise<string | undefined>;
  truncated(): Promise<TruncatedStream[]>;
  close(): Promise<void>;
  /** The last event of the log. */
  newest(): Promise<KeptEvent | undefined>;
  /**
   * Stores events of the same log from another place, in order and after the existing ones, each with its revision and
   * its instant. The copy counts as unfinished from the first of these events until `LogArrived` is appended.
   * @throws RevisionsMissing
   */
  takeIn(events: readonly KeptEvent[]): Promise<void>;
  isUnfinished(): Promise<boolean>;
}

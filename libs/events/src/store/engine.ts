/**
 * What keeps a log: Postgres or EventStoreDB. An engine orders texts and gives them back unchanged. It knows no schemas,
 * no versions and no keys: those are the business of the `EventStore` around it.
 */
import type { EncodedEvent } from '../codec';
import type { ExpectedRevision, Position } from '../envelope';
import type { AuditedLog, Seal } from './audit';
import type { AppendResult, Subscription, SubscriptionOptions } from './event-store';

export interface KeptEvent extends EncodedEvent {
  stream: string;
  revision: number;
  position: Position;
  /** ISO instant at which the log took the event. */
  recordedAt: string;
  /** This process wrote it a moment ago, so that nothing has to be proven. */
  own?: true;
}

/** Called with events in log order, never two calls at once; the next batch waits until the promise settles. */
export type KeptBatchHandler = (batch: KeptEvent[]) => Promise<void> | void;

/** The chain that an engine keeps beside the events. */
export interface KeptChain {
  /** The log as an auditor reads it, up to its end now; with `last`, only so many events at its end. */
  audited(last?: number): Promise<AuditedLog>;
  /** Where it ends; undefined when that is missing. */
  seal(): Promise<Seal | undefined>;
  /** The hash of one event. */
  hashAt(position: Position): Promise<string | undefined>;
  /** What the log takes on disk, indexes included. */
  bytes(): Promise<number>;
}

/** Events of a stream that come before these are not there: a copy would not keep the revisions. */
export class RevisionsMissing extends Error {
  override name = 'RevisionsMissing';
  constructor(readonly stream: string) {
    super(`stream ${stream} lacks events that came before`);
  }
}

/** A stream of which the engine keeps a part from its readers. */
export interface TruncatedStream {
  stream: string;
  /** What does it, as the engine calls it: `deleted`, `$maxCount 5`. */
  limits: string;
}

export interface KeptAppend extends AppendResult {
  /** The ids were there already, or may have been. Somebody else may have written them. */
  repeated?: boolean;
}

/** Methods and errors are those of `EventStore`, which says what they promise. */
export interface LogEngine {
  readonly name: 'postgres' | 'eventstoredb';
  readonly chain?: KeptChain;
  append(stream: string, events: EncodedEvent[], expected: ExpectedRevision): Promise<KeptAppend>;
  readStream(stream: string, options: { from: number; limit?: number | undefined }): Promise<KeptEvent[]>;
  readStreams(streams: Iterable<string>, upTo: Position | undefined): AsyncIterable<KeptEvent[]>;
  readAll(after: Position, limit: number): Promise<KeptEvent[]>;
  head(): Promise<Position>;
  subscribe(after: Position, handler: KeptBatchHandler, options: SubscriptionOptions): Subscription;
  problem(): Promise<string | undefined>;
  truncated(): Promise<TruncatedStream[]>;
  close(): Promise<void>;
  /** The last event of the log. */
  newest(): Promise<KeptEvent | undefined>;
  /**
   * Takes events of the same log from another place, in order and behind those that are there, each with its revision
   * and its instant. From the first one on, and until `LogArrived` is appended, the copy is not finished.
   * @throws RevisionsMissing
   */
  takeIn(events: readonly KeptEvent[]): Promise<void>;
  isUnfinished(): Promise<boolean>;
}

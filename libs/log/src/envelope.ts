/**
 * The form in which every event is sent and stored, in both engines.
 *
 * Storage format: `EventMeta` and `RecordedEvent` are read back from logs written years ago. Add fields, never rename
 * them.
 */

/** A place in the log: a decimal string without leading zeros, ordered by `comparePositions`. */
export type Position = string;

/** The position before the first event. */
export const START: Position = '0';

/**
 * Returns a negative number, zero or a positive one, like any comparator. Positions can be too large for an exact
 * number.
 */
export const comparePositions = (a: Position, b: Position): number =>
  a.length !== b.length ? a.length - b.length : a < b ? -1 : a > b ? 1 : 0;

/** Whether a position is at the limit or before it. */
export const isBy = (position: Position, upTo: Position | undefined): boolean =>
  upTo === undefined || comparePositions(position, upTo) <= 0;

/** Whether nothing is left up to the limit after a position. */
export const isPast = (position: Position, upTo: Position | undefined): boolean =>
  upTo !== undefined && comparePositions(position, upTo) >= 0;

export const laterOf = (a: Position, b: Position): Position => (comparePositions(a, b) >= 0 ? a : b);

/** Revision at which the writer expects the stream to end. Revisions count from 0. */
export type ExpectedRevision = number | 'no_stream';

/** Flat strings only: EventStoreDB's atomic appends refuse anything else. */
export interface EventMeta {
  /** UUIDv7 of the event. Appending the same id again does not add a second event. */
  id: string;
  /** ISO instant of the decision. */
  at: string;
  /** Id of the person who made the request, `system` for the console's own work, `cli` for the command line. */
  actor: string;
  /** Id of the workspace of the event, or `-` for the installation as a whole. */
  workspace: string;
  /** Shared by all events that one request caused. */
  correlationId: string;
  /** Id of the command, event or run that led to this event. */
  causationId: string;
  /** Schema version of `data`, counted from 1. */
  v: string;
  /** Proves that this console wrote the event at this place: `<number of the key>.<HMAC>` (decision 0050). */
  tag?: string;
}

export interface NewEvent<T extends string = string, D = unknown> {
  type: T;
  data: D;
  meta: EventMeta;
}

export interface RecordedEvent<T extends string = string, D = unknown> extends NewEvent<T, D> {
  stream: string;
  revision: number;
  position: Position;
  /** ISO instant at which the log stored the event. */
  recordedAt: string;
  /**
   * The stored form, if it differs from the event: an older version, or a foreign event. The chain covers the stored
   * form.
   */
  stored?: { type: string; data: unknown; meta: EventMeta };
  /** Why the event counts as foreign. Its type is then `FOREIGN_EVENT`, and its contents are withheld. */
  foreign?: string;
}

/**
 * Stands in for an event that this console did not write, so that positions still count. No stored event has this type.
 */
export const FOREIGN_EVENT = 'ForeignEvent';

/** `server-0190…` from `server` and an id. A category contains no dash. */
export const streamName = (category: string, id: string): string => `${category}-${id}`;

/** The two halves of a stream name; the id of `server-0190…` is everything after the first dash. */
export const streamParts = (stream: string): { category: string; id: string } => {
  const dash = stream.indexOf('-');
  return dash < 0
    ? { category: stream, id: '' }
    : { category: stream.slice(0, dash), id: stream.slice(dash + 1) };
};

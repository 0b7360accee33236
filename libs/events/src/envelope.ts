/**
 * The shape in which every event travels and rests, whichever engine keeps it.
 *
 * Storage format: `EventMeta` and `RecordedEvent` are read back from logs written years ago. Add, never rename.
 */

/** Where in the log something stands: a decimal string without leading zeros, ordered by `comparePositions`. */
export type Position = string;

/** The position before the first event. */
export const START: Position = '0';

/** Negative, zero or positive, like any comparator. Positions may exceed what a number holds exactly. */
export const comparePositions = (a: Position, b: Position): number =>
  a.length !== b.length ? a.length - b.length : a < b ? -1 : a > b ? 1 : 0;

export const laterOf = (a: Position, b: Position): Position => (comparePositions(a, b) >= 0 ? a : b);

/** Where a writer expects a stream to be, and so where exactly he writes: a revision counts from 0. */
export type ExpectedRevision = number | 'no_stream';

/** Flat strings only: EventStoreDB's atomic appends refuse anything else. */
export interface EventMeta {
  /** UUIDv7 of the event. The same id appended again is the same event, not a second one. */
  id: string;
  /** ISO instant at which the decision was taken. */
  at: string;
  /** Id of the person who asked, `system` for the console's own work, `cli` for the command line. */
  actor: string;
  /** Id of the workspace that the event belongs to, or `-` for what concerns the installation. */
  workspace: string;
  /** Shared by everything that one request set in motion. */
  correlationId: string;
  /** Id of the command, event or run that led to this event. */
  causationId: string;
  /** Schema version of `data`, counted from 1. */
  v: string;
  /** Proves that this console wrote the event, at this place: `<number of the key>.<HMAC>` (decision 0050). */
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
  /** ISO instant at which the log took the event. */
  recordedAt: string;
  /** What the log holds, when that is not the event as it is: an older version, or a foreign event. The chain covers it. */
  stored?: { type: string; data: unknown; meta: EventMeta };
  /** Why this console did not write the event. Its type is then `FOREIGN_EVENT`, and nothing of it is handed on. */
  foreign?: string;
}

/** Keeps the place of an event that this console did not write, for whatever counts positions. No event has this type. */
export const FOREIGN_EVENT = 'ForeignEvent';

/** `server-0190…` from `server` and an id. A category holds no dash. */
export const streamName = (category: string, id: string): string => `${category}-${id}`;

/** The two halves of a stream name; the id of `server-0190…` is everything after the first dash. */
export const streamParts = (stream: string): { category: string; id: string } => {
  const dash = stream.indexOf('-');
  return dash < 0
    ? { category: stream, id: '' }
    : { category: stream.slice(0, dash), id: stream.slice(dash + 1) };
};

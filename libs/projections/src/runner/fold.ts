/** Applies one batch of events to one projection, on top of the known rows. Pure: it keeps nothing between calls. */
import { setImmediate as turn } from 'node:timers/promises';
import { streamParts, type LoggedEvent, type Position, type RecordedEvent } from '@quarterdeck/events';
import type { AnyProjection } from '../define-projection';
import { nextRow, type KnownRow, type Row } from './row';

/** A stream that a projection has set aside because one of its events cannot be folded. */
export interface Parked {
  projection: string;
  stream: string;
  position: Position;
  type: string;
  error: string;
  /** Number of later events of the stream that were set aside with it. */
  skipped: number;
}

export interface FoldInput {
  projection: AnyProjection;
  events: readonly RecordedEvent[];
  /** The row before the batch. */
  known: (key: string) => KnownRow;
  /** Streams that were set aside earlier. */
  parked?: ReadonlySet<string>;
  /** Assume that a row which is not in memory is new if an event creates it. The write has to prove it. */
  guess?: boolean;
}

export interface Folded {
  /** Changed rows; null for a deleted one. */
  changed: Map<string, Row | null>;
  /** The changed rows that were assumed to be new. */
  guessed: Set<string>;
  /** Rows that have to be looked up first. If there are any, ignore the rest of the result. */
  unknown: Set<string>;
  parked: Map<string, Parked>;
}

export const describeError = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 2000);

/** Texts of a key in 14 languages take a fifth of a millisecond. */
const FOLDED_AT_ONCE = 250;

/** Returns the events of a batch that can change rows of a read model. Most read models use one stream category. */
export function eventsFor(events: readonly RecordedEvent[]): (of: AnyProjection) => readonly RecordedEvent[] {
  const ofCategory = new Map<string, RecordedEvent[]>();
  for (const event of events) {
    const { category } = streamParts(event.stream);
    const before = ofCategory.get(category);
    if (before) before.push(event);
    else ofCategory.set(category, [event]);
  }
  return ({ rowPer = 'any' }) => (rowPer === 'any' ? events : (ofCategory.get(rowPer) ?? []));
}

const nothingYet = (): Folded => ({
  changed: new Map(),
  guessed: new Set(),
  unknown: new Set(),
  parked: new Map(),
});

export const foldBatch = (input: FoldInput): Folded => foldInto(nothingYet(), input);

/** Like `foldBatch`, and lets others have their turn in between: 1,000 large events take a good part of a second. */
export async function foldInTurns(input: FoldInput): Promise<Folded> {
  const { events } = input;
  const result = nothingYet();
  for (let at = 0; at < events.length; at += FOLDED_AT_ONCE) {
    if (at > 0) await turn();
    foldInto(result, { ...input, events: events.slice(at, at + FOLDED_AT_ONCE) });
  }
  return result;
}

/** Continues a result. */
function foldInto(result: Folded, { projection, events, known, parked, guess = false }: FoldInput): Folded {
  for (const event of events) {
    if (event.foreign !== undefined && !projection.takesForeign) continue;
    if (setAside(projection, event, parked, result)) continue;
    try {
      foldEvent(projection, event as LoggedEvent, known, guess, result);
    } catch {
      retryAlone(projection, event as LoggedEvent, known, guess, result);
    }
  }
  // A row that was assumed to be new and is deleted again cannot be proven by an insert, so look it up.
  for (const key of result.guessed) if (result.changed.get(key) === null) result.unknown.add(key);
  return result;
}

/**
 * A fold is pure, so its second failure is final. The second try is for failures beyond its control, such as lack of
 * memory.
 */
function retryAlone(
  projection: AnyProjection,
  event: LoggedEvent,
  known: FoldInput['known'],
  guess: boolean,
  result: Folded,
): void {
  try {
    foldEvent(projection, event, known, guess, result);
  } catch (error) {
    const blind = keysUnseen(projection, event, known, result);
    for (const key of blind) result.unknown.add(key);
    if (blind.length > 0) return;
    const { stream, position, type } = event;
    result.parked.set(stream, {
      projection: projection.name,
      stream,
      position,
      type,
      error: describeError(error),
      skipped: 0,
    });
  }
}

/** The fold may have failed only because a row was not loaded. */
function keysUnseen(
  projection: AnyProjection,
  event: LoggedEvent,
  known: FoldInput['known'],
  result: Folded,
): string[] {
  try {
    return projection.keys(event).filter((key) => !result.changed.has(key) && known(key) === undefined);
  } catch {
    return [];
  }
}

/** Whether the event's stream is parked. If so, counts the event. */
function setAside(
  projection: AnyProjection,
  event: RecordedEvent,
  parked: FoldInput['parked'],
  result: Folded,
): boolean {
  const { stream, position, type } = event;
  const now = result.parked.get(stream);
  if (now) now.skipped += 1;
  else if (parked?.has(stream)) {
    const entry = { projection: projection.name, stream, position, type, error: '', skipped: 1 };
    result.parked.set(stream, entry);
  } else return false;
  return true;
}

/** Folds all rows of an event or none: if the second row fails, the first stays unchanged. */
function foldEvent(
  projection: AnyProjection,
  event: LoggedEvent,
  known: FoldInput['known'],
  guess: boolean,
  result: Folded,
): void {
  const keys = projection.keys(event);
  const staged: [string, Row | null, Row | null, boolean][] = [];
  for (const key of keys) {
    const found = result.changed.has(key) ? result.changed.get(key) : known(key);
    const before = found ?? null;
    const after = nextRow(before, projection.evolve(before?.view, event, key), event);
    const blind = found === undefined;
    if (blind && !(guess && after !== null)) result.unknown.add(key);
    staged.push([key, before, after, blind]);
  }
  for (const [key, before, after, blind] of staged) {
    if (after === before) continue;
    result.changed.set(key, after);
    if (blind) result.guessed.add(key);
  }
}

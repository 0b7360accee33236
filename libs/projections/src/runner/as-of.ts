/** Read models as they were: the same folds, over the log up to an instant or a position. */
import { comparePositions, type LoggedEvent, type Position, type RecordedEvent } from '@quarterdeck/events';
import type { EventStore } from '@quarterdeck/events/store';
import type { AnyProjection, ProjectionDefinition } from '../define-projection';
import { foldBatch } from './fold';
import { logPages } from './log-pages';
import type { Row } from './row';

/** What a definition makes of events, by id. Pure. */
export function viewAt<V extends object>(
  definition: ProjectionDefinition<V>,
  events: Iterable<LoggedEvent>,
): Map<string, V> {
  const past = new Past(definition, {});
  past.apply([...events]);
  return past.views() as Map<string, V>;
}

export interface Moment {
  /** Up to and with this event. Given with `at`: whichever comes first. */
  position?: Position;
  /** Up to the first event that was recorded after this ISO instant. */
  at?: string;
}

export interface PastOptions extends Moment {
  /** Only these rows. */
  keys?: readonly string[];
  /** Only rows of this workspace. */
  workspace?: string;
  /** The streams that make the rows, when the caller knows: milliseconds instead of a pass over the whole log. */
  streams?: readonly string[];
  signal?: AbortSignal;
}

export async function asOf<V extends object>(
  store: EventStore,
  definition: ProjectionDefinition<V>,
  options: PastOptions,
): Promise<Map<string, V>> {
  const past = new Past(definition, options);
  if (options.streams) past.apply(until(await readStreams(store, options.streams), options));
  else
    for await (const page of logPages(store, { upTo: options.position })) {
      options.signal?.throwIfAborted();
      const events = until(page, options);
      past.apply(events);
      if (events.length < page.length) break;
    }
  return past.views() as Map<string, V>;
}

/** The events up to the moment; they come in log order. */
function until(events: RecordedEvent[], { position, at }: Moment): RecordedEvent[] {
  const limit = at === undefined ? Infinity : Date.parse(at);
  const end = events.findIndex(
    (event) =>
      Date.parse(event.recordedAt) > limit ||
      (position !== undefined && comparePositions(event.position, position) > 0),
  );
  return end < 0 ? events : events.slice(0, end);
}

const PAGE = 1_000;

async function readStreams(store: EventStore, streams: readonly string[]): Promise<RecordedEvent[]> {
  const all: RecordedEvent[] = [];
  for (const stream of new Set(streams))
    for (let from = 0; ; from += PAGE) {
      const events = await store.readStream(stream, { from, limit: PAGE });
      all.push(...events);
      if (events.length < PAGE) break;
    }
  return all.sort((a, b) => comparePositions(a.position, b.position));
}

class Past {
  readonly #rows = new Map<string, Row>();
  readonly #parked = new Set<string>();
  readonly #narrowed: AnyProjection;

  constructor(
    definition: AnyProjection,
    readonly options: Pick<PastOptions, 'keys' | 'workspace'>,
  ) {
    const wanted = options.keys && new Set(options.keys);
    this.#narrowed = wanted
      ? { ...definition, keys: (event) => definition.keys(event).filter((key) => wanted.has(key)) }
      : definition;
  }

  apply(events: readonly RecordedEvent[]): void {
    const known = (key: string) => this.#rows.get(key) ?? null;
    const folded = foldBatch({ projection: this.#narrowed, events, known, parked: this.#parked });
    for (const stream of folded.parked.keys()) this.#parked.add(stream);
    for (const [key, row] of folded.changed)
      if (row) this.#rows.set(key, row);
      else this.#rows.delete(key);
  }

  views(): Map<string, object> {
    const { workspace } = this.options;
    const rows = [...this.#rows].filter(([, row]) => workspace === undefined || row.workspace === workspace);
    return new Map(rows.map(([key, row]) => [key, row.view]));
  }
}

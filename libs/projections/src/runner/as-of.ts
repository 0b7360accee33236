/** Read models of the past: the same folds over the log up to an instant or a position. */
import {
  comparePositions,
  START,
  type LoggedEvent,
  type Position,
  type RecordedEvent,
} from '@quarterdeck/events';
import type { EventStore } from '@quarterdeck/log/store';
import { isShown, type AnyProjection, type ProjectionDefinition } from '../define-projection';
import { foldBatch } from './fold';
import type { Row } from './row';

/** Folds events into views, by id. Pure. */
export function viewAt<V extends object>(
  definition: ProjectionDefinition<V>,
  events: Iterable<LoggedEvent>,
): Map<string, V> {
  const past = new AsOf(definition, {});
  past.apply([...events]);
  return past.views() as Map<string, V>;
}

interface UpTo {
  /** Up to and including this event. If `at` is given too, whichever comes first. */
  position?: Position;
  /** Up to the first event recorded after this ISO instant. */
  at?: string;
}

export interface AsOfOptions extends UpTo {
  /** Only these rows. */
  keys?: readonly string[];
  /** Only rows of this workspace. */
  workspace?: string;
  /**
   * The streams that make the rows, if the caller knows them. Reading them takes milliseconds instead of a pass over
   * the whole log.
   */
  streams?: readonly string[];
  signal?: AbortSignal;
}

export async function asOf<V extends object>(
  store: EventStore,
  definition: ProjectionDefinition<V>,
  options: AsOfOptions,
): Promise<Map<string, V>> {
  const past = new AsOf(definition, options);
  if (options.streams)
    past.apply(until(await readStreams(store, options.streams, options.position), options));
  else
    for await (const page of store.readOn(START, { upTo: options.position })) {
      options.signal?.throwIfAborted();
      const events = until(page, options);
      past.apply(events);
      if (events.length < page.length) break;
    }
  return past.views() as Map<string, V>;
}

/** The events up to that place, in log order. */
function until(events: RecordedEvent[], { position, at }: UpTo): RecordedEvent[] {
  const limit = at === undefined ? Infinity : Date.parse(at);
  const end = events.findIndex(
    (event) =>
      Date.parse(event.recordedAt) > limit ||
      (position !== undefined && comparePositions(event.position, position) > 0),
  );
  return end < 0 ? events : events.slice(0, end);
}

/** The events of a few streams in log order, up to and including that position. */
export async function readStreams(
  store: EventStore,
  streams: readonly string[],
  upTo?: Position,
): Promise<RecordedEvent[]> {
  const pages = [];
  for await (const page of store.readStreams(streams, { ...(upTo !== undefined && { upTo }) }))
    pages.push(page);
  return pages.flat().sort((a, b) => comparePositions(a.position, b.position));
}

/** Folds one projection over events as they arrive. */
export class AsOf {
  readonly #rows = new Map<string, Row>();
  readonly #parked = new Set<string>();
  readonly #narrowed: AnyProjection;

  constructor(
    definition: AnyProjection,
    readonly options: Pick<AsOfOptions, 'keys' | 'workspace'>,
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

  rows(): Map<string, Row> {
    const { workspace } = this.options;
    return new Map(
      [...this.#rows].filter(([, row]) => workspace === undefined || row.workspace === workspace),
    );
  }

  /** The views that may be shown. */
  views(): Map<string, object> {
    const views = [...this.rows()].map(([key, { view }]): [string, object] => [key, view]);
    return new Map(views.filter(([, view]) => isShown(this.#narrowed, view)));
  }
}

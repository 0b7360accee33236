import type { Position } from '../../envelope';

interface EventPlace {
  revision: number;
  /** Known only for the last event of an append. */
  position: Position | undefined;
}

interface KnownIds {
  places: Map<string, EventPlace>;
  /** All events up to and including this revision are known. */
  upTo: number;
}

export interface Seen extends EventPlace {
  id: string;
}

const MAX_EVENTS = 100_000;

/**
 * Remembers the event ids of streams that this process has read or written from their beginning. The server recognises
 * a repeated append only at the same expected revision. A writer that expects a later revision has read the stream, so
 * the remembered ids show without another read whether its append is a repetition.
 */
export class RecordedIds {
  /** In order of use, the least recently used first. */
  readonly #streams = new Map<string, KnownIds>();
  #events = 0;

  constructor(private readonly max = MAX_EVENTS) {}

  /** Revision up to which the stream is known without gaps; -1 if it is not known at all. */
  upTo(stream: string): number {
    return this.#streams.get(stream)?.upTo ?? -1;
  }

  /** Adds events of a stream in order. Events after a gap are ignored. */
  add(stream: string, seen: readonly Seen[]): void {
    const known = this.#streams.get(stream) ?? { places: new Map<string, EventPlace>(), upTo: -1 };
    for (const { id, revision, position } of seen) {
      if (revision > known.upTo + 1) break;
      if (revision <= known.upTo) continue;
      known.places.set(id, { revision, position });
      known.upTo = revision;
      this.#events += 1;
    }
    this.#streams.delete(stream);
    if (known.upTo >= 0) this.#streams.set(stream, known);
    for (const [oldest, { places }] of this.#streams) {
      if (this.#events <= this.max) break;
      this.#events -= places.size;
      this.#streams.delete(oldest);
    }
  }

  /** Where these ids are: `undefined` if none exists, `mixed` if they were not written by one append. */
  find(stream: string, ids: readonly string[]): EventPlace | 'mixed' | undefined {
    const known = this.#streams.get(stream);
    const places = ids.map((id) => known?.places.get(id));
    const first = places.find((place) => place !== undefined);
    if (!first) return undefined;
    const together = places.every((place, index) => place?.revision === first.revision + index);
    return (together && places.at(-1)) || 'mixed';
  }
}

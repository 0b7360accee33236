import type { Position } from '../../envelope';

interface Place {
  revision: number;
  /** Not known of all but the last event of an append. */
  position: Position | undefined;
}

interface Known {
  places: Map<string, Place>;
  /** All events up to and with this revision are known. */
  upTo: number;
}

export interface Seen extends Place {
  id: string;
}

const MAX_EVENTS = 100_000;

/**
 * Which event ids are in which stream, as far as this process has read or written it from its beginning. The server
 * knows a repeated append at the same expected revision only; whoever appends at another one has read the stream
 * before, so what he read answers here whether he repeats himself, without another read.
 */
export class RecordedIds {
  /** The least recently used one first. */
  readonly #streams = new Map<string, Known>();
  #events = 0;

  constructor(private readonly max = MAX_EVENTS) {}

  /** Revision up to which the stream is known without a gap; -1: not at all. */
  upTo(stream: string): number {
    return this.#streams.get(stream)?.upTo ?? -1;
  }

  /** Events of a stream in order; those that would leave a gap are not kept. */
  add(stream: string, seen: readonly Seen[]): void {
    const known = this.#streams.get(stream) ?? { places: new Map<string, Place>(), upTo: -1 };
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

  /** Where these ids are: `undefined` when none is there, `mixed` when they are not there as one append. */
  find(stream: string, ids: readonly string[]): Place | 'mixed' | undefined {
    const known = this.#streams.get(stream);
    const places = ids.map((id) => known?.places.get(id));
    const first = places.find((place) => place !== undefined);
    if (!first) return undefined;
    const together = places.every((place, index) => place?.revision === first.revision + index);
    return (together && places.at(-1)) || 'mixed';
  }
}

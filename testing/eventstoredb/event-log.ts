import { EventEmitter } from 'node:events';

export interface ProposedEvent {
  id: string;
  type: string;
  contentType: string;
  data: Uint8Array;
  metadata: Uint8Array;
}

export interface StoredEvent extends ProposedEvent {
  stream: string;
  revision: number;
  /** Commit and prepare position: a byte offset in the real server, so neither contiguous nor starting at 1. */
  position: number;
  created: number;
}

export type Expected = number | 'any' | 'no_stream' | 'stream_exists';

export type AppendOutcome =
  | { ok: true; revision: number; position: number }
  /** Revision of the stream's last event; -1 if it has none. */
  | { ok: false; actual: number }
  | { ok: false; deleted: true };

interface Stream {
  events: StoredEvent[];
  /** `$maxAge` in seconds, `$maxCount`, `$tb`: from the newest event of its metadata stream. */
  limits: { $maxAge?: number; $maxCount?: number; $tb?: number };
  tombstone: boolean;
}

/** `$tb` of a deleted stream; a new append resets it. */
const DELETED = Number('9223372036854775807');
const metadataOf = (stream: string): string => `$$${stream}`;

/** The server's data on disk: it survives a restart of the protocol server in front of it. */
export class EventLog {
  readonly events: StoredEvent[] = [];
  readonly #streams = new Map<string, Stream>();
  readonly #appended = new EventEmitter().setMaxListeners(0);
  /** Ids that the server remembers for appends without an exact revision, since its start. */
  readonly #remembered = new Set<string>();

  /** @param kept `events` of an earlier one */
  constructor(kept: readonly StoredEvent[] = []) {
    for (const event of kept) this.#keep(event);
    // Like the real server, where system events come first and in between.
    if (kept.length === 0)
      this.#write('$settings', { id: '00000000-0000-0000-0000-000000000001', type: '$user' });
  }

  get bytes(): number {
    return this.events.reduce((sum, { data, metadata }) => sum + data.byteLength + metadata.byteLength, 0);
  }

  /** What a reader of the stream gets; `undefined` if the stream does not exist. */
  stream(name: string): readonly StoredEvent[] | 'deleted' | undefined {
    const stream = this.#streams.get(name);
    if (stream?.tombstone) return 'deleted';
    if (!stream || stream.events.length === 0) return undefined;
    const { $maxAge, $maxCount, $tb } = stream.limits;
    if ($tb === DELETED) return undefined;
    if ($maxAge === undefined && $maxCount === undefined && $tb === undefined) return stream.events;
    const since = $maxAge === undefined ? 0 : Date.now() - $maxAge * 1_000;
    const first = Math.max($tb ?? 0, stream.events.length - ($maxCount ?? Infinity));
    return stream.events.filter(({ revision, created }) => revision >= first && created >= since);
  }

  append(stream: string, expected: Expected, proposed: ProposedEvent[]): AppendOutcome {
    const { events, limits, tombstone } = this.#opened(stream);
    if (tombstone) return { ok: false, deleted: true };
    const actual = events.length - 1;
    const repeated = this.#repeated(events, expected, proposed);
    if (repeated) return { ok: true, revision: repeated.revision, position: repeated.position };
    const anew = limits.$tb === DELETED && expected === 'no_stream';
    if (!anew && !meets(expected, actual)) return { ok: false, actual };
    if (limits.$tb === DELETED) this.#describe(stream, { $tb: events.length });
    for (const event of proposed) this.#write(stream, event);
    if (this.events.length % 50 < proposed.length) this.#write('$stats-0', { type: '$statsCollected' });
    this.#appended.emit('appended');
    const last = events.at(-1);
    return { ok: true, revision: last?.revision ?? -1, position: last?.position ?? 0 };
  }

  /** Its events stay in `$all`. A hard deletion adds an event of its own, and the stream accepts nothing more. */
  delete(stream: string, expected: Expected, hard: boolean): AppendOutcome {
    const known = this.#opened(stream);
    if (known.tombstone) return { ok: false, deleted: true };
    const actual = known.events.length - 1;
    if (!meets(expected, actual)) return { ok: false, actual };
    if (hard) this.#write(stream, { type: '$streamDeleted' });
    else this.#describe(stream, { $tb: DELETED });
    this.#appended.emit('appended');
    return { ok: true, revision: actual, position: this.events.at(-1)?.position ?? 0 };
  }

  onAppended(listener: () => void): () => void {
    this.#appended.on('appended', listener);
    return () => this.#appended.off('appended', listener);
  }

  /** Drops what a restart of the server loses. */
  forget(): void {
    this.#remembered.clear();
  }

  /** Index in `events` of the first event after a position. */
  after(position: number): number {
    let [low, high] = [0, this.events.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.events[middle]?.position ?? 0) > position) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #opened(name: string): Stream {
    const known = this.#streams.get(name) ?? { events: [], limits: {}, tombstone: false };
    this.#streams.set(name, known);
    return known;
  }

  #describe(stream: string, limits: Stream['limits']): void {
    this.#write(metadataOf(stream), { type: '$metadata', data: Buffer.from(JSON.stringify(limits)) });
  }

  /**
   * The last of the events if all of them are where they would have been written. With an exact revision, the server
   * looks only there, so the same ids are written again at another revision.
   */
  #repeated(
    existing: readonly StoredEvent[],
    expected: Expected,
    proposed: ProposedEvent[],
  ): StoredEvent | undefined {
    const [first] = proposed;
    const at =
      typeof expected === 'number'
        ? expected + 1
        : expected === 'no_stream'
          ? 0
          : first && this.#remembered.has(first.id)
            ? existing.findIndex(({ id }) => id === first.id)
            : -1;
    const same = at >= 0 && proposed.every(({ id }, index) => existing[at + index]?.id === id);
    return same ? existing[at + proposed.length - 1] : undefined;
  }

  #write(name: string, event: Partial<ProposedEvent>): void {
    const stream = this.#opened(name);
    this.#keep({
      id: event.id ?? '00000000-0000-0000-0000-000000000000',
      type: event.type ?? '',
      contentType: event.contentType ?? 'application/json',
      data: event.data ?? Buffer.from('{}'),
      metadata: event.metadata ?? Buffer.from('{}'),
      stream: name,
      revision: stream.events.length,
      position: (this.events.at(-1)?.position ?? 0) + 137,
      created: Date.now(),
    });
    this.#remembered.add(this.events.at(-1)?.id ?? '');
  }

  #keep(stored: StoredEvent): void {
    const { stream, type } = stored;
    this.#opened(stream).events.push(stored);
    this.events.push(stored);
    if (type === '$streamDeleted') this.#opened(stream).tombstone = true;
    if (stream.startsWith('$$') && type === '$metadata') {
      const described = this.#opened(stream.slice(2));
      described.limits = JSON.parse(Buffer.from(stored.data).toString()) as Stream['limits'];
    }
  }
}

const meets = (expected: Expected, actual: number): boolean =>
  expected === 'any' ||
  (expected === 'no_stream' && actual === -1) ||
  (expected === 'stream_exists' && actual >= 0) ||
  expected === actual;

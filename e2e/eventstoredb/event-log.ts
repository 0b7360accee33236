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
  /** Revision of the stream's last event, -1 without one. */
  | { ok: false; actual: number };

/** What the real server keeps on disk: it outlives a restart of the protocol server in front of it. */
export class EventLog {
  readonly events: StoredEvent[] = [];
  readonly #streams = new Map<string, StoredEvent[]>();
  readonly #appended = new EventEmitter().setMaxListeners(0);

  constructor() {
    // As in the real one, where system events come first and in between.
    this.#write('$settings', { id: '00000000-0000-0000-0000-000000000001', type: '$user' });
  }

  get bytes(): number {
    return this.events.reduce((sum, { data, metadata }) => sum + data.byteLength + metadata.byteLength, 0);
  }

  stream(name: string): readonly StoredEvent[] {
    return this.#streams.get(name) ?? [];
  }

  append(stream: string, expected: Expected, proposed: ProposedEvent[]): AppendOutcome {
    const existing = this.stream(stream);
    const actual = existing.length - 1;
    const repeated = this.#repeated(existing, expected, proposed);
    if (repeated) return { ok: true, revision: repeated.revision, position: repeated.position };
    if (!meets(expected, actual)) return { ok: false, actual };
    for (const event of proposed) this.#write(stream, event);
    if (this.events.length % 50 < proposed.length) this.#write('$stats-0', { type: '$statsCollected' });
    const last = this.stream(stream).at(-1);
    this.#appended.emit('appended');
    return { ok: true, revision: last?.revision ?? -1, position: last?.position ?? 0 };
  }

  onAppended(listener: () => void): () => void {
    this.#appended.on('appended', listener);
    return () => this.#appended.off('appended', listener);
  }

  /** The last of the events when all of them stand where they would have been written: an idempotent write. */
  #repeated(
    existing: readonly StoredEvent[],
    expected: Expected,
    proposed: ProposedEvent[],
  ): StoredEvent | undefined {
    const at =
      typeof expected === 'number'
        ? expected + 1
        : expected === 'no_stream'
          ? 0
          : existing.findIndex(({ id }) => id === proposed[0]?.id);
    const same = at >= 0 && proposed.every(({ id }, index) => existing[at + index]?.id === id);
    return same ? existing[at + proposed.length - 1] : undefined;
  }

  #write(stream: string, event: Partial<ProposedEvent>): void {
    const events = this.#streams.get(stream) ?? [];
    const stored = {
      id: event.id ?? '00000000-0000-0000-0000-000000000000',
      type: event.type ?? '',
      contentType: event.contentType ?? 'application/json',
      data: event.data ?? Buffer.from('{}'),
      metadata: event.metadata ?? Buffer.from('{}'),
      stream,
      revision: events.length,
      position: (this.events.at(-1)?.position ?? 0) + 137,
      created: Date.now(),
    };
    events.push(stored);
    this.#streams.set(stream, events);
    this.events.push(stored);
  }
}

const meets = (expected: Expected, actual: number): boolean =>
  expected === 'any' ||
  (expected === 'no_stream' && actual === -1) ||
  (expected === 'stream_exists' && actual >= 0) ||
  expected === actual;

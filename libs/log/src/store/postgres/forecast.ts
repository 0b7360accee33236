import { createHash } from 'node:crypto';
import { rawLine } from '../chain';
import type { PendingAppend } from './appender';

/** What a batch's links of the chain are if nothing has happened since the head that this process wrote last. */
export interface Links {
  /** Hash of that head. */
  head: Buffer;
  /** ISO instant of the events. */
  at: string;
  /** One for each event of the batch. */
  hashes: Buffer[];
}

interface Written {
  /** Position of the newest event. */
  position: number;
  hash: Buffer;
  /** Instant of the newest event, by the clock of the database. */
  recordedAt: string;
}

/** Clocks drift apart by a tenth of a millisecond a second at most, mostly by far less. */
const MEASURED_EVERY_MS = 60_000;

/**
 * Computes hashes ahead, for the database that only has to compare the head. The instant follows the database's clock.
 * If either is wrong, the database computes both itself, and its answer is the next start.
 */
export class Forecast {
  #head: { position: number; hash: Buffer } | undefined;
  #at = 0;
  /** Milliseconds from this process's monotonic clock to the clock of the database. */
  #offset: number | undefined;
  #measuredAt = -Infinity;

  /**
   * The database's clock showed `at` at some moment between sending and answer, in milliseconds. An answer that came late
   * says little, so what is known stays, as far as it can be true: an instant before something that happened earlier
   * would put it into another past.
   * @param sent by `performance.now()`, as `answered`
   */
  measured(at: number, sent: number, answered: number): void {
    const [least, most] = [at - answered, at - sent];
    this.#offset = Math.min(Math.max(this.#offset ?? (least + most) / 2, least), most);
    this.#measuredAt = answered;
  }

  wrote({ position, hash, recordedAt }: Written): void {
    this.#head = { position, hash };
    this.#at = Date.parse(recordedAt);
  }

  /**
   * @returns undefined before the first answer, if the database has to show its clock again, and if a stream cannot be as
   *   all of its appends expect
   */
  links(batch: readonly PendingAppend[]): Links | undefined {
    const now = performance.now();
    if (!this.#head || this.#offset === undefined || now - this.#measuredAt > MEASURED_EVERY_MS)
      return undefined;
    this.#at = Math.max(this.#at, Math.floor(now + this.#offset));
    const at = new Date(this.#at).toISOString();
    let { position, hash } = this.#head;
    const hashes: Buffer[] = [];
    const ends = new Map<string, number>();
    for (const { stream, expected, events } of batch) {
      let revision = expected === 'no_stream' ? -1 : expected;
      if ((ends.get(stream) ?? revision) !== revision) return undefined;
      ends.set(stream, revision + events.length);
      for (const { id, type, data, meta } of events) {
        position += 1;
        revision += 1;
        const line = rawLine({
          position: String(position),
          stream,
          revision,
          id,
          type,
          recordedAt: at,
          data,
          meta,
        });
        hash = createHash('sha256').update(hash).update(line, 'utf8').digest();
        hashes.push(hash);
      }
    }
    return { head: this.#head.hash, at, hashes };
  }
}

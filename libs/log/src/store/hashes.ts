import { START } from '../envelope';
import type { Seal } from './audit';

const HASH_BYTES = 32;

/** Hashes of all events read, 40 bytes per event, to compare a seal with the event that it sealed. */
export class Hashes {
  #positions = new BigUint64Array(4_096);
  #hashes = Buffer.alloc(4_096 * HASH_BYTES);
  #count = 0;

  /** @param start what precedes the first event */
  constructor(private readonly start: Seal) {}

  /** @param link in order of positions */
  add({ position, hash }: Seal): void {
    if (this.#count === this.#positions.length) this.#grow();
    this.#positions[this.#count] = BigInt(position);
    this.#hashes.write(hash, this.#count * HASH_BYTES, 'hex');
    this.#count += 1;
  }

  /** Whether the sealed event was added with that hash. Events before the first one are not checked. */
  agrees({ position, hash }: Seal): boolean {
    if (position === this.start.position) return hash === this.start.hash;
    const wanted = BigInt(position);
    if (wanted < BigInt(this.start.position)) return this.start.position !== START;
    let low = 0;
    let high = this.#count - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.#positions[middle] ?? 0n;
      if (found === wanted)
        return this.#hashes.toString('hex', middle * HASH_BYTES, middle * HASH_BYTES + HASH_BYTES) === hash;
      if (found < wanted) low = middle + 1;
      else high = middle - 1;
    }
    return false;
  }

  #grow(): void {
    const positions = new BigUint64Array(this.#positions.length * 2);
    positions.set(this.#positions);
    this.#positions = positions;
    this.#hashes = Buffer.concat([this.#hashes, Buffer.alloc(this.#hashes.length)]);
  }
}

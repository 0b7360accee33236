import type { KeptEvent } from '../engine';

const MAX_EVENTS = 4_096;
const MAX_CHARACTERS = 4_000_000;

/**
 * The newest consecutive events that this process wrote itself. A subscriber within their range is served from memory.
 * Positions are contiguous, so no event of another process can be in between.
 */
export class RecentEvents {
  #events: KeptEvent[] = [];
  #sizes: number[] = [];
  #characters = 0;
  /** Position of the last event that precedes `#events`. */
  #base = 0;

  get tip(): number {
    return this.#base + this.#events.length;
  }

  add(start: number, events: KeptEvent[], sizes: number[]): void {
    if (start !== this.tip) {
      this.#events = [];
      this.#sizes = [];
      this.#characters = 0;
      this.#base = start;
    }
    for (const event of events) this.#events.push(event);
    for (const size of sizes) {
      this.#sizes.push(size);
      this.#characters += size;
    }
    if (this.#events.length > 2 * MAX_EVENTS || this.#characters > 2 * MAX_CHARACTERS) this.#forget();
  }

  /** Events after a position; `undefined` if the position is outside of the range. */
  after(position: number, limit: number): KeptEvent[] | undefined {
    const index = position - this.#base;
    if (index < 0 || index >= this.#events.length) return undefined;
    return this.#events.slice(index, index + limit);
  }

  /**
   * Drops many at once, but rarely: removing one element from the front of an array costs as much as removing
   * thousands.
   */
  #forget(): void {
    let count = Math.max(0, this.#events.length - MAX_EVENTS);
    let characters = this.#sizes.slice(0, count).reduce((sum, size) => sum + size, 0);
    while (this.#characters - characters > MAX_CHARACTERS) characters += this.#sizes[count++] ?? 0;
    this.#events.splice(0, count);
    this.#sizes.splice(0, count);
    this.#characters -= characters;
    this.#base += count;
  }
}

/** Recently used rows, by projection. Correct only if no other process writes them. */
import type { KnownRow, Row } from './row';

export class RowCache {
  readonly #rows = new Map<string, Map<string, Row | null>>();

  constructor(readonly limit: number) {}

  known(projection: string, key: string): KnownRow {
    const rows = this.#of(projection);
    const row = rows.get(key);
    if (row === undefined) return undefined;
    // A map keeps the order of insertion, so putting the key back makes it the newest.
    rows.delete(key);
    rows.set(key, row);
    return row;
  }

  set(projection: string, key: string, row: Row | null): void {
    const rows = this.#of(projection);
    rows.delete(key);
    rows.set(key, row);
  }

  /**
   * Drops the oldest rows beyond the limit. Do not call it while a batch is being folded, which relies on the rows that
   * it has seen.
   */
  trim(): void {
    for (const rows of this.#rows.values())
      for (const key of rows.keys()) {
        if (rows.size <= this.limit) break;
        rows.delete(key);
      }
  }

  #of(projection: string): Map<string, Row | null> {
    let rows = this.#rows.get(projection);
    if (!rows) this.#rows.set(projection, (rows = new Map<string, Row | null>()));
    return rows;
  }
}

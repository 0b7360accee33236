/** Rows touched lately, by projection. Right only for whoever is alone in writing them. */
import type { Known, Row } from './row';

export class RowCache {
  readonly #rows = new Map<string, Map<string, Row | null>>();

  constructor(readonly limit: number) {}

  known(projection: string, key: string): Known {
    const rows = this.#of(projection);
    const row = rows.get(key);
    if (row === undefined) return undefined;
    // A map keeps the order of insertion: putting it back makes it the youngest.
    rows.delete(key);
    rows.set(key, row);
    return row;
  }

  set(projection: string, key: string, row: Row | null): void {
    const rows = this.#of(projection);
    rows.delete(key);
    rows.set(key, row);
  }

  /** Forgets the eldest beyond the limit. Not while a batch is being folded, which counts on what it has seen. */
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

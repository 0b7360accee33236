/**
 * Caches the rows of long lists in memory. A list of ten thousand rows is read again after each change, though nearly
 * all rows are the same. Of unchanged rows, only ids and positions are read.
 */
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';

interface RowQuery {
  /** Prefix of the names of the prepared statements. */
  name: string;
  /** Tables of read models and their joins. */
  from: string;
  /** SQL of the id, and of one JSON value with everything that the row shows. */
  id: string;
  row: string;
  /** `position` columns of all joined tables. They show whether a row has changed, at any instant. */
  positions: readonly string[];
}

interface CachedRow<Row> {
  id: string;
  mark: string;
  row: Row;
}

/** Maximum number of cached rows. All others are read each time. */
const MAX = 20_000;

export class KeptRows<Row extends object> {
  private readonly kept = new LRUCache<string, CachedRow<Row>>({ max: MAX });

  constructor(private readonly query: RowQuery) {}

  /**
   * @param which the rest of the query: its condition and its order
   * @returns shared rows, which must not be modified
   */
  async read(db: Pool, which: { name: string; text: string; values: unknown[] }): Promise<Row[]> {
    const { name, from, id, row, positions } = this.query;
    // A rebuilt read model may show the same events differently. It gets a new fence when it goes live.
    const mark = `concat_ws(' ', (select fence from read.live), ${positions.join(', ')})`;
    const { rows: listed } = await db.query<Omit<CachedRow<Row>, 'row'>>({
      name: `${name}-${which.name}`,
      text: `select ${id} as id, ${mark} as mark from ${from} ${which.text}`,
      values: which.values,
    });
    const found = new Map<string, Row>();
    const changed: string[] = [];
    for (const now of listed) {
      const kept = this.kept.get(now.id);
      if (kept?.mark === now.mark) found.set(now.id, kept.row);
      else changed.push(now.id);
    }
    if (changed.length > 0) {
      const { rows } = await db.query<CachedRow<Row>>({
        name: `${name}-changed`,
        text: `select ${id} as id, ${mark} as mark, ${row} as row from ${from} where ${id} = any($1)`,
        values: [changed],
      });
      for (const now of rows) {
        found.set(now.id, now.row);
        this.kept.set(now.id, now);
      }
    }
    return listed.flatMap((now) => found.get(now.id) ?? []);
  }
}

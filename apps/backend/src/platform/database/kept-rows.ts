/**
 * Rows of long lists, kept in memory. A list of ten thousand is read anew after each change in it, and nearly all of its
 * rows are as they were: then only their ids and positions are read.
 */
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';

interface RowQuery {
  /** Begins the names of the prepared statements. */
  name: string;
  /** Tables of read models and their joins. */
  from: string;
  /** SQL of the id, and of one JSON value with everything that the row shows. */
  id: string;
  row: string;
  /** Columns `position` of all rows that it is made of. They tell whether it has changed, at any instant. */
  positions: readonly string[];
}

interface Kept<Row> {
  id: string;
  mark: string;
  row: Row;
}

/** Rows beyond these are read each time. */
const MOST = 20_000;

export class KeptRows<Row extends object> {
  private readonly kept = new LRUCache<string, Kept<Row>>({ max: MOST });

  constructor(private readonly query: RowQuery) {}

  /**
   * @param which the rest of the query: its condition and its order
   * @returns rows that others have too: they must not be changed
   */
  async read(db: Pool, which: { name: string; text: string; values: unknown[] }): Promise<Row[]> {
    const { name, from, id, row, positions } = this.query;
    // A rebuilt read model can show the same events in another way. It draws a new fence when it goes live.
    const mark = `concat_ws(' ', (select max(fence) from read.checkpoints), ${positions.join(', ')})`;
    const { rows: listed } = await db.query<Omit<Kept<Row>, 'row'>>({
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
      const { rows } = await db.query<Kept<Row>>({
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

/** Keys of rows that just changed, so that they flash once. Unchanged rows keep their identity in the cache. */
import { useEffect, useRef, useState } from 'react';

const FLASH_MS = 1200;
const none: ReadonlySet<string> = new Set();

export const useFlash = <Row>(
  rows: readonly Row[] | undefined,
  rowKey: (row: Row) => string,
  /** Identifies search, filters, order and page. After it changes, rows do not flash, since the list is another one. */
  question = '',
): ReadonlySet<string> => {
  const before = useRef<{ question: string; rows: Map<string, Row> } | undefined>(undefined);
  const [flashing, setFlashing] = useState<ReadonlySet<string>>(none);
  useEffect(() => {
    if (!rows) return;
    const now = new Map(rows.map((row) => [rowKey(row), row]));
    const last = before.current;
    before.current = { question, rows: now };
    if (last?.question !== question) return;
    const changed = [...now].filter(([key, row]) => last.rows.get(key) !== row).map(([key]) => key);
    // If all rows changed at once, this is another list.
    if (changed.length === 0 || (changed.length === now.size && now.size > 1)) return;
    setFlashing(new Set(changed));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only changed rows matter: most pages pass a new `rowKey` at each render
  }, [rows]);
  useEffect(() => {
    if (flashing.size === 0) return;
    const timer = setTimeout(() => setFlashing(none), FLASH_MS);
    return () => clearTimeout(timer);
  }, [flashing]);
  return flashing;
};

/** Which rows changed since the last time, so that they can flash once. Unchanged rows keep their identity in the cache. */
import { useEffect, useRef, useState } from 'react';

const FLASH_MS = 1200;
const none: ReadonlySet<string> = new Set();

export const useFlash = <Row>(
  rows: readonly Row[] | undefined,
  rowKey: (row: Row) => string,
  /** What was asked for. Rows of another question are another list, not news. */
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
    // Everything at once is another list, not news.
    if (changed.length === 0 || (changed.length === now.size && now.size > 1)) return;
    setFlashing(new Set(changed));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only other rows are news: `rowKey` is another one at each render of most pages
  }, [rows]);
  useEffect(() => {
    if (flashing.size === 0) return;
    const timer = setTimeout(() => setFlashing(none), FLASH_MS);
    return () => clearTimeout(timer);
  }, [flashing]);
  return flashing;
};

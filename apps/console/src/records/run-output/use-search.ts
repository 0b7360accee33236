/** State of an output's search: its hits and the current one. As output grows, only new lines are searched. */
import { useMemo, useState } from 'react';
import type { OutputView } from './output-view';
import { HitScan, NO_SEARCH, searchPattern, type Hit, type Search } from './search';

export interface OutputSearch {
  search: Search;
  setSearch: (change: Partial<Search>) => void;
  hits: readonly Hit[];
  /** Index into `hits`. */
  current: number;
  step: (by: 1 | -1) => void;
  /** Why the expression is invalid. */
  refused?: string;
}

export const useSearch = (view: OutputView): OutputSearch => {
  const [search, setSearch] = useState(NO_SEARCH);
  const [current, setCurrent] = useState(0);
  const pattern = useMemo(() => searchPattern(search), [search]);
  const [scan] = useState(() => new HitScan());
  const hits = scan.hits(view, pattern instanceof RegExp ? pattern : undefined);

  return {
    search,
    setSearch: (change) => {
      setSearch((before) => ({ ...before, ...change }));
      setCurrent(0);
    },
    hits,
    current: Math.min(current, Math.max(0, hits.length - 1)),
    step: (by) => setCurrent((before) => (hits.length === 0 ? 0 : (before + by + hits.length) % hits.length)),
    refused: pattern && 'refused' in pattern ? pattern.refused : undefined,
  };
};

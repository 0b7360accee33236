/** Ranks the palette's entries that match a query, best first; among equal matches, those used more come first. */
import { matchSorter } from 'match-sorter';

export interface Ranked {
  id: string;
  label: string;
  /** Kind of entry: "Server". */
  kind: string;
  /** Additional text shown beside the label; also searched. */
  description?: string;
  /** Additional search words that are not shown. */
  words?: string;
}

const KEY = 'quarterdeck.palette';
const KEPT = 60;
const DAY_MS = 86_400_000;

interface Use {
  id: string;
  times: number;
  last: number;
}

const isUse = (value: unknown): value is Use =>
  typeof value === 'object' && value !== null && 'id' in value && 'times' in value && 'last' in value;

export const recallUses = (): Use[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isUse) : [];
  } catch {
    return [];
  }
};

export const rememberUse = (id: string, now: number): void => {
  const uses = recallUses();
  const times = (uses.find((use) => use.id === id)?.times ?? 0) + 1;
  const others = uses.filter((use) => use.id !== id);
  try {
    localStorage.setItem(KEY, JSON.stringify([{ id, times, last: now }, ...others].slice(0, KEPT)));
  } catch {
    // Without storage, all entries have the same weight.
  }
};

/** Weight by frequency and recency: a use counts less with each day since the last one. */
const weightOf = ({ times, last }: Use, now: number): number =>
  times / (1 + Math.max(0, now - last) / DAY_MS);

const { CONTAINS } = matchSorter.rankings;

/** A match at the start of the label or of a word in it ranks before any match in the other keys. */
const keys = [
  { key: 'label', threshold: CONTAINS },
  { key: 'kind', threshold: CONTAINS, maxRanking: CONTAINS },
  { key: 'description', threshold: CONTAINS, maxRanking: CONTAINS },
  { key: 'words', threshold: CONTAINS, maxRanking: CONTAINS },
];

export const rank = <E extends Ranked>(
  entries: readonly E[],
  query: string,
  uses: readonly Use[],
  now: number,
): E[] => {
  const words = query.trim().split(/\s+/).filter(Boolean);
  const weights = new Map(uses.map((use) => [use.id, weightOf(use, now)]));
  const moreUsed = (a: E, b: E): number => (weights.get(b.id) ?? 0) - (weights.get(a.id) ?? 0);
  if (words.length === 0) return [...entries].sort(moreUsed);
  const baseSort = (a: { item: E; index: number }, b: { item: E; index: number }): number =>
    moreUsed(a.item, b.item) || a.index - b.index;
  // Every word must match. Labels that contain the whole query come first; the match of the first word orders the rest.
  const found = words.reduceRight<E[]>(
    (left, word) => matchSorter(left, word, { keys, baseSort }),
    [...entries],
  );
  const whole = new Set(
    words.length > 1 ? matchSorter(found, query.trim(), { keys: ['label'], threshold: CONTAINS }) : [],
  );
  return [...whole, ...found.filter((entry) => !whole.has(entry))];
};

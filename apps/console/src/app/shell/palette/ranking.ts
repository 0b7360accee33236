/** Which of the palette's entries fit what was typed, best first; among equals, what this person uses comes first. */
import { matchSorter } from 'match-sorter';

export interface Ranked {
  id: string;
  label: string;
  /** What kind of thing it is: "Server". */
  kind: string;
  /** A further fact, which is shown. */
  description?: string;
  /** Further words by which it is found. */
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
    // Without storage every entry counts the same.
  }
};

/** Often and lately: each day without a use counts for less. */
const weightOf = ({ times, last }: Use, now: number): number =>
  times / (1 + Math.max(0, now - last) / DAY_MS);

const { CONTAINS } = matchSorter.rankings;

/** The beginning of a name or of a word in it goes before the other words, however well these fit. */
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
  // Each word has to occur. The whole text decides the order where it occurs as it is, otherwise the first word does.
  const found = words.reduceRight<E[]>(
    (left, word) => matchSorter(left, word, { keys, baseSort }),
    [...entries],
  );
  const whole = new Set(
    words.length > 1 ? matchSorter(found, query.trim(), { keys: ['label'], threshold: CONTAINS }) : [],
  );
  return [...whole, ...found.filter((entry) => !whole.has(entry))];
};

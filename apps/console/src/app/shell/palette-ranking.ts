/** Which of the palette's entries fit what was typed, best first. */
interface Entry {
  id: string;
  label?: string;
  description?: string;
}

const KEY = 'quarterdeck.recent';
const KEPT = 8;

export const recall = (): string[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((id): id is string => typeof id === 'string') : [];
  } catch {
    return [];
  }
};

export const remember = (id: string): void => {
  try {
    localStorage.setItem(
      KEY,
      JSON.stringify([id, ...recall().filter((other) => other !== id)].slice(0, KEPT)),
    );
  } catch {
    // Without storage nothing is recent.
  }
};

/** 0 is no match. Letters in order are enough, but words that begin so come first. */
export const score = (text: string, query: string): number => {
  const [hay, needle] = [text.toLowerCase(), query.toLowerCase()];
  if (hay.startsWith(needle)) return 4;
  if (hay.split(/[^a-z0-9]+/).some((word) => word.startsWith(needle))) return 3;
  if (hay.includes(needle)) return 2;
  let at = -1;
  for (const letter of needle) {
    at = hay.indexOf(letter, at + 1);
    if (at < 0) return 0;
  }
  return 1;
};

export const rankActions = <E extends Entry>(
  entries: readonly E[],
  typed: string,
  recent: readonly string[],
): E[] => {
  const query = typed.trim();
  const recency = (id: string): number => (recent.includes(id) ? KEPT - recent.indexOf(id) : 0);
  return entries
    .map((entry) => ({
      entry,
      fit:
        query === ''
          ? 1
          : Math.max(score(entry.label ?? '', query) * 2, Math.min(score(entry.description ?? '', query), 3)),
    }))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit || recency(b.entry.id) - recency(a.entry.id))
    .map(({ entry }) => entry);
};

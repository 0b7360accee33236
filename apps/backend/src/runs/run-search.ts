/** Searches runs: every word must occur in the text that a list shows of a run. */
import { runsThatSay } from '@quarterdeck/projections';
import { literally } from '../platform/database';

/**
 * How many of the newest runs are compared one by one, which finds frequent words. Rare words are found with an index;
 * for frequent words, the index would collect every matching run.
 */
export const COMPARED = 500;

/** Keeps Postgres from scanning the index of the positions. */
export const FOUND_FIRST = 'order by "requestedPosition" + 0 desc';

/** @param parameter makes a placeholder for a value */
export const matchesOf = (search: string, parameter: (value: string) => string): string => {
  const words = search.split(/\s+/).filter(Boolean);
  return words.length === 0 ? '' : runsThatSay(words.map((word) => parameter(`%${literally(word)}%`)));
};

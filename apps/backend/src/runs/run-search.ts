/** Search among runs: all words occur in what a list shows of a run. */
import { runText } from '@quarterdeck/projections';
import { literally } from '../platform/database';

/**
 * How many of the newest runs are compared one by one. Frequent words are found among them, and rare ones with an
 * index, which would collect all runs that match.
 */
export const COMPARED = 500;

/** Keeps Postgres from walking along the index of the positions. */
export const FOUND_FIRST = 'order by "requestedPosition" + 0 desc';

/** @param parameter makes a placeholder for a value */
export const matchesOf = (search: string, parameter: (value: string) => string): string =>
  search
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => `${runText} ilike ${parameter(`%${literally(word)}%`)}`)
    .join(' and ');

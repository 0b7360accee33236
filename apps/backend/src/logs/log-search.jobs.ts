/** Regular expressions of operators run in a thread, which is ended when one takes too long. */
import type { Job } from '../platform/threads';

interface LineSearch {
  expression: string;
  matchCase: boolean;
  lines: readonly string[];
}

/** For each line, whether it matches. */
export const matchLines: Job<LineSearch, boolean[]> = {
  name: 'matchLines',
  work: ({ expression, matchCase, lines }) => {
    const pattern = new RegExp(expression, matchCase ? 'u' : 'iu');
    return lines.map((line) => pattern.test(line));
  },
};

/** Search within output: plain text, or a regular expression. */
import type { OutputView } from './output-view';

export interface Search {
  text: string;
  regex: boolean;
  matchCase: boolean;
}

export interface Hit {
  /** Index of the line. */
  line: number;
  from: number;
  to: number;
}

export const NO_SEARCH: Search = { text: '', regex: false, matchCase: false };
/** Nobody steps through more hits than this, and counting on would block the page. */
export const MAX_HITS = 10_000;

/** The pattern, `undefined` for an empty search, or the reason why the expression is invalid. */
export const searchPattern = ({
  text,
  regex,
  matchCase,
}: Search): RegExp | undefined | { refused: string } => {
  if (text === '') return undefined;
  const source = regex ? text : text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  try {
    return new RegExp(source, matchCase ? 'gu' : 'giu');
  } catch {
    return { refused: 'Not Regular expression' };
  }
};

export const hitsOfLine = (pattern: RegExp, text: string): { from: number; to: number }[] => {
  const hits: { from: number; to: number }[] = [];
  for (const match of text.matchAll(pattern)) {
    // A match of the empty string (`x*`) has nothing to highlight.
    if (match[0] !== '') hits.push({ from: match.index, to: match.index + match[0].length });
    if (hits.length >= 1000) break;
  }
  return hits;
};

/** Hits in the lines from index `start` on. */
export const findHits = (pattern: RegExp, view: Pick<OutputView, 'count' | 'line'>, start = 0): Hit[] => {
  const hits: Hit[] = [];
  for (let line = start; line < view.count && hits.length < MAX_HITS; line += 1)
    for (const hit of hitsOfLine(pattern, view.line(line)?.text ?? '')) hits.push({ line, ...hit });
  return hits.slice(0, MAX_HITS);
};

/** The hits in an output that may grow or be rewound. Lines that can no longer change are searched once. */
export class HitScan {
  private of: { view: OutputView; pattern: RegExp } | undefined;
  private version = -1;
  private settled = 0;
  private found: readonly Hit[] = [];

  hits(view: OutputView, pattern: RegExp | undefined): readonly Hit[] {
    if (!pattern) return [];
    if (this.of?.view !== view || this.of.pattern !== pattern) {
      this.of = { view, pattern };
      [this.version, this.settled, this.found] = [-1, 0, []];
    }
    if (this.version === view.getVersion()) return this.found;
    const from = Math.min(this.settled, view.settled);
    const kept = this.found.filter(({ line }) => line < from);
    this.found = [...kept, ...findHits(pattern, view, from)].slice(0, MAX_HITS);
    [this.version, this.settled] = [view.getVersion(), view.settled];
    return this.found;
  }
}

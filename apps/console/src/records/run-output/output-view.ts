/** Output as a viewer reads it: everything so far, or the state at an instant of a replay. */
import type { OutputLine } from './line-writer';

/** The point where a step begins to print. */
export interface StepMark {
  step: string;
  attempt: number;
  /** Indices of its first line and its first chunk. */
  line: number;
  chunk: number;
}

export interface OutputView {
  /** Number of lines. */
  readonly count: number;
  line(index: number): OutputLine | undefined;
  /** Lines before this index will not change any more. */
  readonly settled: number;
  /** Length of the longest line, in characters. */
  readonly longest: number;
  /** In the order of their lines. */
  readonly marks: readonly StepMark[];
  /** Lines `from` to `to`, counted from 1, both included. */
  text(from?: number, to?: number): string;
  subscribe(listener: () => void): () => void;
  /** Increases with every change; React compares it. */
  getVersion(): number;
}

export const textOf = (view: Pick<OutputView, 'count' | 'line'>, from = 1, to = view.count): string => {
  const lines: string[] = [];
  for (let index = from - 1; index < Math.min(to, view.count); index += 1)
    lines.push(`${view.line(index)?.text ?? ''}\n`);
  return lines.join('');
};

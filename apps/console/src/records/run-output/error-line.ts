/** Finds the line at which a step went wrong, if its output shows one. Pure. */
import { faultAt, reasonOf } from '@quarterdeck/projections';
import type { OutputView, StepMark } from './output-view';

/** A step may print 100,000 lines, but its fault is rarely that far from the end. */
const SEARCHED = 5000;

/** Index of the step's first line, and of the line after its last; `undefined` if it printed nothing. */
const rangeOf = (
  { marks, count }: Pick<OutputView, 'marks' | 'count'>,
  { step, attempt }: Pick<StepMark, 'step' | 'attempt'>,
): { from: number; to: number } | undefined => {
  const at = marks.findIndex((mark) => mark.step === step && mark.attempt === attempt);
  const mark = marks[at];
  return mark && { from: mark.line, to: marks[at + 1]?.line ?? count };
};

/**
 * The line with the recorded reason; otherwise the line that best explains the failure, preferring the error stream.
 * `line` is counted from 1.
 */
export const errorLineOf = (
  output: Pick<OutputView, 'marks' | 'count' | 'line'>,
  step: Pick<StepMark, 'step' | 'attempt'>,
  reason = '',
): { line: number; text: string } | undefined => {
  const range = rangeOf(output, step);
  if (!range) return undefined;
  const lines: { line: number; text: string; stream: 'out' | 'err' }[] = [];
  for (let index = Math.max(range.from, range.to - SEARCHED); index < range.to; index += 1) {
    const line = output.line(index);
    if (line && line.text.trim() !== '')
      lines.push({ line: index + 1, text: line.text.trim(), stream: line.stream });
  }
  const errors = lines.filter(({ stream }) => stream === 'err');
  const among = errors.length > 0 ? errors : lines;
  // The recorded reason is the whole line, or the beginning of a very long one.
  const told =
    reason === ''
      ? undefined
      : lines.findLast(({ text }) => reasonOf(text) === reason || text.startsWith(reason));
  const found = told ?? among[faultAt(among.map(({ text }) => text)) ?? among.length - 1];
  return found && { line: found.line, text: found.text };
};

/** The line at which a step went wrong, as far as its output shows it. Pure. */
import { faultAt } from '@quarterdeck/projections';
import type { OutputView, StepMark } from './output-view';

/** A step may print 100,000 lines; its fault is rarely that far from its end. */
const SEARCHED = 5000;

/** From the first to behind the last line of a step; `undefined` if it printed nothing. */
const rangeOf = (
  { marks, count }: Pick<OutputView, 'marks' | 'count'>,
  { step, attempt }: Pick<StepMark, 'step' | 'attempt'>,
): { from: number; to: number } | undefined => {
  const at = marks.findIndex((mark) => mark.step === step && mark.attempt === attempt);
  const mark = marks[at];
  return mark && { from: mark.line, to: marks[at + 1]?.line ?? count };
};

/**
 * The line with the recorded reason, else the line that says why, errors before ordinary output. `line` is counted from
 * 1.
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
  // A reason is as long as its line, or the beginning of a very long one.
  const told = reason === '' ? undefined : lines.findLast(({ text }) => text.startsWith(reason));
  const found = told ?? among[faultAt(among.map(({ text }) => text)) ?? -1];
  return found && { line: found.line, text: found.text };
};

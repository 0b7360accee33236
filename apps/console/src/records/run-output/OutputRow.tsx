/** One line with its number, and above it the steps that begin there. As lean as can be: many pass by while scrolling. */
import { memo, type Ref } from 'react';
import type { OutputLine } from './line-writer';
import { LineText } from './LineText';
import classes from './run-output.module.css';
import { hitsOfLine } from './search';

export interface OutputRowProps {
  index: number;
  /** Pixels from the top. */
  start: number;
  line: OutputLine;
  /** Differs when the line does, which is rewritten in place. */
  stamp: number;
  /** Steps that begin here. */
  marks: readonly string[] | undefined;
  selected: boolean;
  pattern: RegExp | undefined;
  /** Where the hit begins that is looked at. */
  current: number | undefined;
  href: string;
  /** It is the one number that the Tab key stops at. */
  stop: boolean;
  /** Asked for the height, which wrapped lines do not know beforehand. */
  measure: Ref<HTMLDivElement> | undefined;
}

const NO_HITS: [] = [];

export const OutputRow = memo(function OutputRow(props: OutputRowProps) {
  const { index, start, line, marks, selected, pattern, current, href, stop, measure } = props;
  const number = index + 1;
  return (
    <div
      ref={measure}
      data-index={index}
      className={classes.row}
      style={{ transform: `translateY(${start}px)` }}
    >
      {marks?.map((mark) => (
        <h3 key={mark} className={classes.mark}>
          {mark}
        </h3>
      ))}
      <div className={classes.line} data-selected={selected || undefined} data-stream={line.stream}>
        <a
          href={href}
          className={classes.number}
          aria-label={`Line ${number}`}
          tabIndex={stop ? 0 : -1}
          data-number={number}
        >
          {number}
        </a>
        {line.stream === 'err' && <span className={classes.err}>err</span>}
        <span className={classes.text} data-text>
          <LineText line={line} hits={pattern ? hitsOfLine(pattern, line.text) : NO_HITS} current={current} />
        </span>
      </div>
    </div>
  );
});

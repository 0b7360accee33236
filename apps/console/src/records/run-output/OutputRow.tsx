/**
 * One line with its number, below the headings of the steps that begin there. Kept lean, because scrolling renders
 * many.
 */
import { memo, type Ref } from 'react';
import type { LogEntryHead, OutputLine } from './line-writer';
import { LineText } from './LineText';
import classes from './run-output.module.css';
import { hitsOfLine } from './search';

export interface OutputRowProps {
  index: number;
  /** Offset from the top in pixels. */
  start: number;
  line: OutputLine;
  /** Changes when the line is rewritten in place, to force a render. */
  stamp: number;
  /** Headings of the steps that begin at this line. */
  marks: readonly string[] | undefined;
  selected: boolean;
  pattern: RegExp | undefined;
  /** Start of the current search hit in this line. */
  current: number | undefined;
  href: string;
  /** Whether this line number is the list's tab stop. */
  stop: boolean;
  /** Measures the height, which is unknown for wrapped lines. */
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
      <div
        className={classes.line}
        data-selected={selected || undefined}
        data-stream={line.stream}
        data-level={line.entry?.level}
      >
        {line.entry ? (
          <EntryHead {...line.entry} />
        ) : (
          <a
            href={href}
            className={classes.number}
            aria-label={`Line ${number}`}
            tabIndex={stop ? 0 : -1}
            data-number={number}
          >
            {number}
          </a>
        )}
        {line.stream === 'err' && <span className={classes.err}>err</span>}
        <span className={classes.text} data-text>
          <LineText line={line} hits={pattern ? hitsOfLine(pattern, line.text) : NO_HITS} current={current} />
        </span>
      </div>
    </div>
  );
});

const letters = { error: 'E', warning: 'W', info: 'I', debug: 'D', none: ' ' } as const;

const EntryHead = ({ time, whole, level, source }: LogEntryHead) => (
  <>
    <span className={classes.time} title={whole}>
      {time.slice(0, 8)}
      <span className={classes.fraction}>{time.slice(8)}</span>
    </span>
    <span className={classes.level} title={level === 'none' ? undefined : level}>
      {letters[level]}
    </span>
    {source !== undefined && (
      <span className={classes.source} title={source}>
        {source}
      </span>
    )}
  </>
);

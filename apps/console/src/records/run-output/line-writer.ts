/**
 * Turns a program's output into lines of plain text with styled ranges, as a terminal would show them: a carriage
 * return overwrites the line from its start, so a progress bar is one line and not 10,000.
 */
import type { LogLevel } from '@quarterdeck/events/inputs';
import { applySgr, isPlain, PLAIN, sameStyle, type Style } from './sgr';

export interface StyledRun {
  from: number;
  to: number;
  style: Style;
}

export interface OutputLine {
  /** Visible text, without escape sequences or control characters. */
  text: string;
  /** Styled ranges in order; absent on a plain line. */
  runs?: StyledRun[];
  stream: 'out' | 'err';
  /** ISO instant of the line's first byte. */
  at: string;
  /** Of a line in a log: what stands before it instead of its number. */
  entry?: LogEntryHead;
}

export interface LogEntryHead {
  /** Local time of day, `20:45:20.123`. */
  time: string;
  /** The whole time, for the tooltip. */
  whole: string;
  level: LogLevel;
  /** The name of its log, if several are shown. */
  source?: string;
}

// ESC [ … letter; ESC ] … BEL or ESC \; ESC and one more character; or a single control character.
const CONTROL =
  // oxlint-disable-next-line no-control-regex -- it has to match control characters
  /\x1b\[([0-9;:?<=>]*)[ -/]*([@-~])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[^[\]]|[\x00-\x08\x0a-\x1f\x7f]/g;
/** An escape sequence cut off by the end of the chunk. */
// oxlint-disable-next-line no-control-regex -- every sequence begins with ESC, a control character
const UNFINISHED = /\x1b(?:\[[0-9;:?<=>]*[ -/]*|\][^\x07\x1b]*\x1b?)?$/;
/** Limit for an unfinished sequence: a lone ESC or an unterminated title must not swallow all further output. */
const MAX_PENDING = 4096;

/** Snapshot of a pen, from which writing can resume. */
export interface PenState {
  /** A copy of the line that could still change, and its index. */
  open?: { line: OutputLine; at: number };
  column: number;
  style: Style;
  pending: string;
}

const copyOf = (line: OutputLine): OutputLine => ({
  ...line,
  ...(line.runs && { runs: line.runs.map((run) => ({ ...run })) }),
});

/** The pen of one stream: its position and current style. */
export class LineWriter {
  /** Length of the longest line so far, in characters. */
  longest = 0;
  /** Index of the line that may still change. */
  openAt: number | undefined;
  private line: OutputLine | undefined;
  private column = 0;
  private style: Style = PLAIN;
  private pending = '';

  constructor(
    private readonly stream: 'out' | 'err',
    /** Adds a line and returns its index. */
    private readonly open: (line: OutputLine) => number,
  ) {}

  write(chunk: string, at: string): void {
    let text = this.pending + chunk;
    this.pending = '';
    const cut = UNFINISHED.exec(text);
    if (cut && text.length - cut.index <= MAX_PENDING) {
      this.pending = text.slice(cut.index);
      text = text.slice(0, cut.index);
    }
    let from = 0;
    for (const control of text.matchAll(CONTROL)) {
      this.put(text.slice(from, control.index), at);
      from = control.index + control[0].length;
      this.control(control, at);
    }
    this.put(text.slice(from), at);
  }

  /** Starts a new line in plain style. */
  breakLine(): void {
    this.line = undefined;
    this.openAt = undefined;
    this.column = 0;
    this.style = PLAIN;
    this.pending = '';
  }

  state(): PenState {
    const { line, openAt, column, style, pending } = this;
    return {
      ...(line && openAt !== undefined && { open: { line: copyOf(line), at: openAt } }),
      column,
      style,
      pending,
    };
  }

  /** @returns the open line, which the owner of the lines must put back at its index */
  resume({ open, column, style, pending }: PenState): OutputLine | undefined {
    this.line = open && copyOf(open.line);
    this.openAt = open?.at;
    [this.column, this.style, this.pending] = [column, style, pending];
    return this.line;
  }

  private control(match: RegExpMatchArray, at: string): void {
    const [sequence, parameters = '', letter] = match;
    if (sequence === '\n') {
      this.current(at);
      this.line = undefined;
      this.openAt = undefined;
      this.column = 0;
    } else if (sequence === '\r') this.column = 0;
    else if (sequence === '\b') this.column = Math.max(0, this.column - 1);
    else if (letter === 'm') this.style = applySgr(this.style, parameters);
    else if (letter === 'K') this.erase(Number(parameters || 0));
    else if (letter === 'G') this.column = Math.max(0, Number(parameters || 1) - 1);
    else if (letter === 'C') this.column += Number(parameters || 1);
    else if (letter === 'D') this.column = Math.max(0, this.column - Number(parameters || 1));
  }

  private current(at: string): OutputLine {
    if (!this.line) {
      this.line = { text: '', stream: this.stream, at };
      this.openAt = this.open(this.line);
    }
    return this.line;
  }

  private put(text: string, at: string): void {
    if (text === '') return;
    const line = this.current(at);
    // A cursor moved far to the right must not create a million blanks.
    const column = Math.min(this.column, line.text.length + 1024);
    const end = column + text.length;
    line.text = line.text.slice(0, column).padEnd(column) + text + line.text.slice(end);
    if (line.runs ?? !isPlain(this.style)) line.runs = overlay(line.runs ?? [], column, end, this.style);
    this.column = end;
    this.longest = Math.max(this.longest, line.text.length);
  }

  /** `ESC[K`: 0 erases to the end of the line, 1 from its start, 2 all of it. */
  private erase(part: number): void {
    const line = this.line;
    if (!line) return;
    if (part === 0) line.text = line.text.slice(0, this.column);
    else if (part === 1)
      line.text = ' '.repeat(Math.min(this.column, line.text.length)) + line.text.slice(this.column);
    else line.text = '';
    if (line.runs)
      line.runs = overlay(
        line.runs,
        part === 0 ? this.column : 0,
        part === 1 ? this.column : Infinity,
        PLAIN,
      );
  }
}

/** The runs after `[from, to)` was overwritten in one style. */
const overlay = (runs: StyledRun[], from: number, to: number, style: Style): StyledRun[] => {
  const last = runs.at(-1);
  if (!last || last.to <= from) {
    // The most frequent case works in place, so that a line of 100,000 colour changes is not copied 100,000 times.
    if (last?.to === from && sameStyle(last.style, style)) last.to = to;
    else if (!isPlain(style)) runs.push({ from, to, style });
    return runs;
  }
  const kept = runs.flatMap((run) =>
    [
      { ...run, to: Math.min(run.to, from) },
      { ...run, from: Math.max(run.from, to) },
    ].filter((part) => part.from < part.to),
  );
  if (!isPlain(style)) kept.push({ from, to, style });
  return kept.toSorted((a, b) => a.from - b.from);
};

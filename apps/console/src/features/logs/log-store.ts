/**
 * The lines of several logs in one time line, in the order of their times. Lives outside React. It holds the newest lines: a page
 * that follows for days must not fill the memory.
 */
import type { LogLine } from '@quarterdeck/contract';
import type { LogLevel } from '@quarterdeck/events/inputs';
import { LineWriter, textOf, type OutputLine, type OutputView } from '../../records/run-output';

export const MAX_SHOWN = 100_000;
/** Old lines are dropped in batches: dropping one with every new line would be slow. */
const DROPPED_AT_ONCE = 10_000;
const TELL_EVERY_MS = 80;
/** Lines that may still move, because another log has something from between them. */
const UNSETTLED = 2000;

export interface ShownLine extends OutputLine {
  key: string;
  source: number;
  level: LogLevel;
  instant: number;
}

export interface LineFilter {
  /** Those that are hidden. */
  hidden: ReadonlySet<LogLevel>;
  pattern?: RegExp | undefined;
}

// oxlint-disable-next-line no-control-regex -- colours and other sequences begin with control characters
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f]/;

const two = (number: number, digits = 2): string => String(number).padStart(digits, '0');
const timeOfDay = (at: Date): string =>
  `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${two(at.getMilliseconds(), 3)}`;

/** As a terminal shows it. */
const written = (text: string, at: string): OutputLine => {
  if (!CONTROLS.test(text)) return { text, stream: 'out', at };
  let line: OutputLine = { text: '', stream: 'out', at };
  const writer = new LineWriter('out', (opened) => {
    line = opened;
    return 0;
  });
  writer.write(text.replaceAll('\n', ' '), at);
  return line;
};

export class LogStore implements OutputView {
  readonly marks = [];
  longest = 0;
  settled = 0;
  /** How many of the oldest lines were dropped. */
  dropped = 0;
  private all: ShownLine[] = [];
  private shown: ShownLine[] = [];
  private filter: LineFilter = { hidden: new Set() };
  private readonly keys = new Set<string>();
  private version = 0;
  private readonly listeners = new Set<() => void>();
  private telling: ReturnType<typeof setTimeout> | undefined;
  private toldAt = -Infinity;

  /** @param names of the logs, in the order of their numbers */
  constructor(private readonly names: readonly string[]) {}

  /** Lines that are there already are left out. */
  add(source: number, lines: readonly LogLine[]): void {
    const fresh = lines.flatMap((line) => {
      const key = `${source} ${line.id}`;
      if (this.keys.has(key)) return [];
      this.keys.add(key);
      return [this.shownLine(source, key, line)];
    });
    if (fresh.length === 0) return;
    this.place(fresh.toSorted((one, other) => one.instant - other.instant));
    this.drop();
    this.changed();
  }

  /** The time of the newest line of a log. */
  newest(source: number): string | undefined {
    return this.all.findLast((line) => line.source === source)?.at;
  }

  choose(filter: LineFilter): void {
    this.filter = filter;
    this.shown = this.all.filter((line) => this.isShown(line));
    this.settled = 0;
    this.changed();
  }

  get total(): number {
    return this.all.length;
  }

  private shownLine(source: number, key: string, { at, level, text }: LogLine): ShownLine {
    const time = new Date(at);
    const instant = time.getTime();
    const isKnown = Number.isFinite(instant);
    const name = this.names.length > 1 ? this.names[source] : undefined;
    const entry = {
      time: isKnown ? timeOfDay(time) : '--:--:--',
      whole: isKnown ? `${time.toLocaleDateString()} ${at}` : 'It does not say when',
      level,
      ...(name !== undefined && { source: name }),
    };
    return { ...written(text, at), entry, key, source, level, instant: isKnown ? instant : 0 };
  }

  private isShown({ level, text }: ShownLine): boolean {
    const { hidden, pattern } = this.filter;
    if (hidden.has(level)) return false;
    if (!pattern) return true;
    pattern.lastIndex = 0;
    return pattern.test(text);
  }

  private place(fresh: readonly ShownLine[]): void {
    const first = fresh[0]?.instant ?? 0;
    const { all } = this;
    let from = all.length;
    while (from > 0 && (all[from - 1]?.instant ?? 0) > first) from -= 1;
    const later = all.splice(from);
    for (const line of merged(later, fresh)) all.push(line);
    if (later.length === 0) {
      for (const line of fresh) this.show(line);
      return;
    }
    let keep = this.shown.length;
    while (keep > 0 && (this.shown[keep - 1]?.instant ?? 0) > first) keep -= 1;
    this.shown.length = keep;
    this.settled = Math.min(this.settled, keep);
    for (const line of all.slice(from)) this.show(line);
  }

  private show(line: ShownLine): void {
    if (!this.isShown(line)) return;
    this.shown.push(line);
    this.longest = Math.max(this.longest, line.text.length + 30);
  }

  private drop(): void {
    if (this.all.length <= MAX_SHOWN) return;
    const gone = this.all.splice(0, this.all.length - MAX_SHOWN + DROPPED_AT_ONCE);
    for (const { key } of gone) this.keys.delete(key);
    this.dropped += gone.length;
    const left = new Set(gone);
    const first = this.shown.findIndex((line) => !left.has(line));
    this.shown.splice(0, first < 0 ? this.shown.length : first);
    this.settled = 0;
  }

  private changed(): void {
    this.version += 1;
    this.telling ??= setTimeout(this.tell, Math.max(0, this.toldAt + TELL_EVERY_MS - performance.now()));
  }

  private readonly tell = (): void => {
    this.telling = undefined;
    this.toldAt = performance.now();
    for (const listener of this.listeners) listener();
    // Those who looked have seen what moved.
    this.settled = Math.max(0, this.shown.length - UNSETTLED);
  };

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  getVersion = (): number => this.version;

  get count(): number {
    return this.shown.length;
  }

  line(index: number): ShownLine | undefined {
    return this.shown[index];
  }

  text(from?: number, to?: number): string {
    return textOf(this, from, to);
  }

  /** With times and names, as a file. */
  file(): string {
    return this.shown
      .map(({ at, text, level, entry }) =>
        [at, entry?.source, level === 'none' ? '-' : level, text]
          .filter((part) => part !== undefined)
          .join(' '),
      )
      .join('\n')
      .concat('\n');
  }
}

/** Both are in order. What has the same time stays in the order in which it came. */
const merged = (one: readonly ShownLine[], other: readonly ShownLine[]): ShownLine[] => {
  const lines: ShownLine[] = [];
  let [a, b] = [0, 0];
  while (a < one.length || b < other.length) {
    const [first, second] = [one[a], other[b]];
    if (first && (!second || first.instant <= second.instant)) {
      lines.push(first);
      a += 1;
    } else if (second) {
      lines.push(second);
      b += 1;
    }
  }
  return lines;
};

/** The newest lines of a followed log, limited in number and size. Each has a number; followers say how far they are. Pure. */
import type { LogLine } from '@quarterdeck/contract';

export interface RingLimits {
  lines: number;
  characters: number;
}

export interface RingPart {
  lines: LogLine[];
  /** Number of the last line of this part. */
  at: number;
  /** Lines after the asked number that are no longer there. */
  missed: number;
}

export class LogRing {
  /** Number of the newest line. */
  last = 0;
  private lines: LogLine[] = [];
  private characters = 0;
  /** How many of `lines` have been dropped: they are removed in groups. */
  private dropped = 0;

  constructor(private readonly limits: RingLimits) {}

  get size(): number {
    return this.lines.length - this.dropped;
  }

  add(lines: readonly LogLine[]): void {
    for (const line of lines) {
      this.lines.push(line);
      this.characters += line.text.length;
    }
    this.last += lines.length;
    while (this.size > this.limits.lines || (this.characters > this.limits.characters && this.size > 1)) {
      this.characters -= this.lines[this.dropped]?.text.length ?? 0;
      this.dropped += 1;
    }
    if (this.dropped > 1000 && this.dropped * 2 > this.lines.length) {
      this.lines = this.lines.slice(this.dropped);
      this.dropped = 0;
    }
  }

  /** @param after the number of the last line that is known */
  after(after: number, limits: RingLimits): RingPart {
    const first = this.last - this.size;
    const from = Math.max(after, first);
    const begin = this.dropped + (from - first);
    let [end, characters] = [begin, 0];
    while (end < this.lines.length && end - begin < limits.lines && characters < limits.characters) {
      characters += this.lines[end]?.text.length ?? 0;
      end += 1;
    }
    return { lines: this.lines.slice(begin, end), at: from + (end - begin), missed: from - after };
  }
}

/**
 * A past output as it stood at an instant. Lines that were finished by then are those of the whole output; only what
 * came since the last keyframe is written again, so that a jump to the middle of 100,000 lines takes no longer than
 * one to their beginning.
 */
import type { OutputLine } from '../line-writer';
import type { OutputLog } from '../output-log';
import { textOf, type OutputView, type StepMark } from '../output-view';
import { Pens } from '../pens';

/** How many of the ascending numbers are at most `limit`. */
export const countUpTo = (ascending: readonly number[], limit: number): number => {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? Infinity) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
};

export class OutputMoment implements OutputView {
  /** How many chunks there are at this instant. */
  private shown: number;
  /** Lines before this index are those of the whole output, the others those of `tail`. */
  private base: number;
  private tail: OutputLine[] = [];
  private pens: Pens | undefined;
  private version = 0;
  private readonly listeners = new Set<() => void>();
  private readonly keyframeChunks: readonly number[];

  /** Begins at the end. `whole` does not grow any more. */
  constructor(readonly whole: OutputLog) {
    this.shown = whole.chunks.length;
    this.base = whole.lines.length;
    this.keyframeChunks = whole.keyframes.map(({ chunk }) => chunk);
  }

  /** Goes to an instant, in milliseconds since 1970. */
  goTo(instant: number): void {
    const chunks = countUpTo(this.whole.instants, instant);
    if (chunks === this.shown) return;
    if (chunks === this.whole.chunks.length) this.showAll();
    else {
      const frame = countUpTo(this.keyframeChunks, chunks) - 1;
      // On from here, unless that is the longer way.
      if (!this.pens || chunks < this.shown || this.shown < (this.keyframeChunks[frame] ?? 0))
        this.startFrom(frame);
      for (; this.shown < chunks; this.shown += 1) {
        const chunk = this.whole.chunks[this.shown];
        if (chunk) this.pens?.write(chunk);
      }
    }
    this.version += 1;
    for (const listener of this.listeners) listener();
  }

  private showAll(): void {
    this.shown = this.whole.chunks.length;
    this.base = this.whole.lines.length;
    this.tail = [];
    this.pens = undefined;
  }

  private startFrom(frame: number): void {
    const { chunk = 0, lines = 0, pens } = this.whole.keyframes[frame] ?? {};
    const firstOpen = Math.min(lines, ...[pens?.out, pens?.err].map((pen) => pen?.open?.at ?? lines));
    this.shown = chunk;
    this.base = firstOpen;
    this.tail = this.whole.lines.slice(firstOpen, lines);
    this.pens = new Pens(this.tail, firstOpen);
    if (pens) for (const { line, at } of this.pens.resume(pens)) this.tail[at - firstOpen] = line;
  }

  get count(): number {
    return this.base + this.tail.length;
  }

  line(index: number): OutputLine | undefined {
    return index < this.base ? this.whole.lines[index] : this.tail[index - this.base];
  }

  get settled(): number {
    return this.pens ? (this.pens.firstOpen ?? this.count) : this.whole.settled;
  }

  /** Of the whole, so that nothing moves sideways while it plays. */
  get longest(): number {
    return this.whole.longest;
  }

  get marks(): readonly StepMark[] {
    return this.whole.marks.filter(({ chunk }) => chunk < this.shown);
  }

  text(from?: number, to?: number): string {
    return textOf(this, from, to);
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  getVersion = (): number => this.version;
}

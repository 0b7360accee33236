/**
 * A recorded output as it was at an instant. Lines finished by then are shared with the whole output. Only chunks since
 * the last keyframe are written again, so a jump to the middle of 100,000 lines takes no longer than one to their
 * beginning.
 */
import type { OutputLine } from '../line-writer';
import type { OutputLog } from '../output-log';
import { textOf, type OutputView, type StepMark } from '../output-view';
import { Pens } from '../pens';

/** Number of elements of an ascending list that are at most `limit`. */
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
  /** Number of chunks up to this instant. */
  private shown: number;
  /** Lines before this index come from the whole output, the others from `tail`. */
  private base: number;
  private tail: OutputLine[] = [];
  private pens: Pens | undefined;
  private version = 0;
  private readonly listeners = new Set<() => void>();
  private readonly keyframeChunks: readonly number[];

  /** Starts at the end. `whole` must not grow any more. */
  constructor(readonly whole: OutputLog) {
    this.shown = whole.chunks.length;
    this.base = whole.lines.length;
    this.keyframeChunks = whole.keyframes.map(({ chunk }) => chunk);
  }

  /** @param instant in milliseconds since 1970 */
  goTo(instant: number): void {
    const chunks = countUpTo(this.whole.instants, instant);
    if (chunks === this.shown) return;
    if (chunks === this.whole.chunks.length) this.showAll();
    else {
      const frame = countUpTo(this.keyframeChunks, chunks) - 1;
      // Continue from the current place, unless going back or skipping a keyframe.
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

  /** Length of the longest line of the whole output, so that nothing shifts sideways during playback. */
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

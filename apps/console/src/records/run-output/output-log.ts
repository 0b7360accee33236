/** All output of a run as lines, fed chunk by chunk. Lives outside React: 100,000 lines are not copied to add one. */
import type { OutputChunk } from '@quarterdeck/projections';
import type { OutputLine } from './line-writer';
import { textOf, type OutputView, type StepMark } from './output-view';
import { Pens, type PensState } from './pens';

/**
 * How often listeners are told at most. Each time, the list lays out anew; a command that prints as fast as it can must
 * not keep the page from anything else. A timer and no animation frame: those stand still in a hidden tab.
 */
export const TELL_EVERY_MS = 80;

/** A replay that jumps to an instant writes again what came since the keyframe before it: at most so much. */
const KEYFRAME_CHARACTERS = 65_536;
const KEYFRAME_CHUNKS = 256;

/** How the output stood before a chunk. */
export interface Keyframe {
  chunk: number;
  /** How many lines there were. */
  lines: number;
  pens: PensState;
}

export class OutputLog implements OutputView {
  readonly lines: OutputLine[] = [];
  readonly marks: StepMark[] = [];
  /** As they came, with the instant of each in milliseconds, which never goes back. */
  readonly chunks: OutputChunk[] = [];
  readonly instants: number[] = [];
  readonly keyframes: Keyframe[] = [];
  /** The last chunk that is in here: what to ask the server to go on after. */
  lastSeq = 0;
  version = 0;
  private readonly listeners = new Set<() => void>();
  private toldAt = -Infinity;
  private telling: ReturnType<typeof setTimeout> | undefined;
  private readonly pens = new Pens(this.lines);
  private sinceKeyframe = Infinity;

  /** Chunks that are already in are dropped, so a second delivery after a lost connection does no harm. */
  append(chunks: readonly OutputChunk[]): void {
    let changed = false;
    for (const chunk of chunks) {
      if (chunk.seq <= this.lastSeq) continue;
      this.lastSeq = chunk.seq;
      this.take(chunk);
      changed = true;
    }
    if (!changed) return;
    this.version += 1;
    this.telling ??= setTimeout(this.tell, Math.max(0, this.toldAt + TELL_EVERY_MS - performance.now()));
  }

  private take(chunk: OutputChunk): void {
    const { lines, chunks } = this;
    const keyframe = this.keyframes.at(-1);
    if (
      this.sinceKeyframe >= KEYFRAME_CHARACTERS ||
      chunks.length - (keyframe?.chunk ?? 0) >= KEYFRAME_CHUNKS
    ) {
      this.keyframes.push({ chunk: chunks.length, lines: lines.length, pens: this.pens.state() });
      this.sinceKeyframe = 0;
    }
    this.sinceKeyframe += chunk.text.length;
    const line = lines.length;
    const begins = this.pens.write(chunk);
    if (begins)
      this.marks.push({ step: chunk.step ?? '', attempt: chunk.attempt ?? 1, line, chunk: chunks.length });
    const at = Date.parse(chunk.at);
    this.instants.push(Math.max(this.instants.at(-1) ?? -Infinity, Number.isNaN(at) ? 0 : at));
    chunks.push(chunk);
  }

  private readonly tell = (): void => {
    this.telling = undefined;
    this.toldAt = performance.now();
    for (const listener of this.listeners) listener();
  };

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  getVersion = (): number => this.version;

  get count(): number {
    return this.lines.length;
  }

  line(index: number): OutputLine | undefined {
    return this.lines[index];
  }

  get longest(): number {
    return this.pens.longest;
  }

  get settled(): number {
    return this.pens.firstOpen ?? this.lines.length;
  }

  text(from?: number, to?: number): string {
    return textOf(this, from, to);
  }
}

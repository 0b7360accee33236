/**
 * All output of a run as lines, added chunk by chunk. Lives outside React, so adding a line does not copy 100,000
 * others.
 */
import type { OutputChunk } from '@quarterdeck/projections';
import type { OutputLine } from './line-writer';
import { textOf, type OutputView, type StepMark } from './output-view';
import { Pens, type PensState } from './pens';

/**
 * Minimum interval between notifications. Each one lays out the list again, and a command that prints at full speed
 * must not block the page. A timer, because animation frames stop in a hidden tab.
 */
export const TELL_EVERY_MS = 80;

/** Maximum distance between keyframes, which limits how much output a seek in a replay has to write again. */
const KEYFRAME_CHARACTERS = 65_536;
const KEYFRAME_CHUNKS = 256;

/** State of the output before a chunk. */
export interface Keyframe {
  chunk: number;
  /** Number of lines at that point. */
  lines: number;
  pens: PensState;
}

export class OutputLog implements OutputView {
  readonly lines: OutputLine[] = [];
  readonly marks: StepMark[] = [];
  /** Chunks as they arrived; `instants` has the time of each in milliseconds, never decreasing. */
  readonly chunks: OutputChunk[] = [];
  readonly instants: number[] = [];
  readonly keyframes: Keyframe[] = [];
  /** Number of the last chunk added, after which the server is asked to continue. */
  lastSeq = 0;
  version = 0;
  private readonly listeners = new Set<() => void>();
  private toldAt = -Infinity;
  private telling: ReturnType<typeof setTimeout> | undefined;
  private readonly pens = new Pens(this.lines);
  private sinceKeyframe = Infinity;

  /** Ignores chunks already added, so a repeated delivery after a reconnect is harmless. */
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

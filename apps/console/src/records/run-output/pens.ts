/** The two pens of an output, which take turns writing into one list of lines. */
import type { OutputChunk } from '@quarterdeck/projections';
import { LineWriter, type OutputLine, type PenState } from './line-writer';

export interface PensState {
  out: PenState;
  err: PenState;
  step: string | undefined;
}

export class Pens {
  private readonly writers: Record<'out' | 'err', LineWriter>;
  private step: string | undefined;

  /** @param first index of the first of `lines` within the whole output */
  constructor(lines: OutputLine[], first = 0) {
    const open = (line: OutputLine) => first + lines.push(line) - 1;
    this.writers = { out: new LineWriter('out', open), err: new LineWriter('err', open) };
  }

  /** @returns whether the chunk begins another step, whose output then starts on a new line */
  write({ step, attempt, stream, text, at }: OutputChunk): boolean {
    const of = step === undefined ? undefined : `${attempt} ${step}`;
    const begins = of !== undefined && of !== this.step;
    if (begins) {
      this.writers.out.breakLine();
      this.writers.err.breakLine();
      this.step = of;
    }
    this.writers[stream].write(text, at);
    return begins;
  }

  get longest(): number {
    return Math.max(this.writers.out.longest, this.writers.err.longest);
  }

  /** Index of the first line that may still change, or `undefined` if none may. */
  get firstOpen(): number | undefined {
    const { out, err } = this.writers;
    return out.openAt === undefined || err.openAt === undefined
      ? (out.openAt ?? err.openAt)
      : Math.min(out.openAt, err.openAt);
  }

  state(): PensState {
    return { out: this.writers.out.state(), err: this.writers.err.state(), step: this.step };
  }

  /** @returns the lines that may still change, with their indices in the whole output */
  resume({ out, err, step }: PensState): { line: OutputLine; at: number }[] {
    this.step = step;
    return [this.writers.out.resume(out), this.writers.err.resume(err)].flatMap((line, index) => {
      const at = (index === 0 ? out : err).open?.at;
      return line && at !== undefined ? [{ line, at }] : [];
    });
  }
}

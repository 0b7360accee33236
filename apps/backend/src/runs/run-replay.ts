/**
 * Reads the output of a run from the first chunk to the last, page by page: as a recording for terminal players
 * (asciicast v2), or to compare it with the sizes and hashes in its events.
 */
import { createHash, type Hash } from 'node:crypto';
import { stepLabel } from '@quarterdeck/events';
import type { RunStepView, RunView } from '@quarterdeck/projections';
import type { Pool } from 'pg';

export interface RecordedChunk {
  seq: number;
  at: Date;
  text: string;
  step: string | null;
  attempt: number | null;
}

/** A chunk is at most 8 kB. This limits the memory, however long the output is. */
const CHUNKS_AT_ONCE = 128;

export async function* recordedChunks(db: Pool, run: string): AsyncGenerator<RecordedChunk> {
  for (let after = 0, more = true; more;) {
    const { rows } = await db.query<Omit<RecordedChunk, 'seq'> & { seq: string }>(
      `select seq, at, text, step, attempt from app.run_output
       where run = $1 and seq > $2 order by seq limit $3`,
      [run, after, CHUNKS_AT_ONCE],
    );
    for (const row of rows) yield { ...row, seq: Number(row.seq) };
    after = Number(rows.at(-1)?.seq ?? after);
    more = rows.length === CHUNKS_AT_ONCE;
  }
}

/** Size of the recording, as there was no real terminal. Wide enough for a table of containers. */
const WIDTH = 120;
const HEIGHT = 32;
/** Players shorten longer pauses to this many seconds, as our own player does. */
const IDLE_SECONDS = 2;

/** A terminal needs CR LF to start a new line; piped output has only LF. */
const terminalLines = (): ((text: string) => string) => {
  let afterReturn = false;
  return (text) => {
    const lines = text.replace(/\n/g, (feed, at: number) =>
      (at === 0 ? afterReturn : text[at - 1] === '\r') ? feed : `\r${feed}`,
    );
    if (text !== '') afterReturn = text.endsWith('\r');
    return lines;
  };
};

const titleOf = ({ label, subject }: RunView): string => `${label} on ${subject.name}`;

const markOf = (run: RunView, { step, attempt }: RunStepView): string =>
  stepLabel(run.kind, step) + (attempt > 1 ? `, attempt ${attempt}` : '');

/** JSON lines: a header, then output and the starts of steps, in seconds since the start. */
export async function* castOf(run: RunView, chunks: AsyncIterable<RecordedChunk>): AsyncGenerator<string> {
  const start = Date.parse(run.startedAt ?? run.requestedAt);
  yield `${JSON.stringify({
    version: 2,
    width: WIDTH,
    height: HEIGHT,
    timestamp: Math.floor(start / 1000),
    idle_time_limit: IDLE_SECONDS,
    title: titleOf(run),
    env: { TERM: 'xterm-256color' },
  })}\n`;
  let reached = 0;
  const event = (at: number, code: 'o' | 'm', data: string): string => {
    // Clocks may step back; a recording must not.
    reached = Math.max(reached, (at - start) / 1000);
    return `${JSON.stringify([reached, code, data])}\n`;
  };
  const marks = run.steps.map((step) => ({ at: Date.parse(step.startedAt), name: markOf(run, step) }));
  const lines = terminalLines();
  for await (const { at, text } of chunks) {
    while (marks[0] && marks[0].at <= at.getTime()) yield event(marks[0].at, 'm', marks.shift()?.name ?? '');
    yield event(at.getTime(), 'o', lines(text));
  }
  for (const { at, name } of marks) yield event(at, 'm', name);
}

/** `docker-images-web-1-2026-11-20T10-00-00.cast` */
export const castFilename = ({ label, subject, requestedAt }: RunView): string => {
  const name = `${label} ${subject.name}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return `${name}-${requestedAt.slice(0, 19).replaceAll(':', '-')}.cast`;
};

export interface Measure {
  bytes: number;
  sha256: string;
}

export interface StepCheck {
  step: string;
  attempt: number;
  /** From the event that ended the step. Absent if its end was not seen, so there is nothing to compare. */
  recorded?: Measure;
  actual: Measure;
  matches?: boolean;
  /** The output was deleted because of its age, as an event says. There is nothing left to compare. */
  removed?: true;
}

class Tally {
  private readonly hash: Hash = createHash('sha256');
  private bytes = 0;

  add(text: string): void {
    this.hash.update(text);
    this.bytes += Buffer.byteLength(text);
  }

  get measure(): Measure {
    return { bytes: this.bytes, sha256: this.hash.copy().digest('hex') };
  }
}

const keyOf = (step: string, attempt: number): string => `${attempt} ${step}`;

const compared = (run: RunView, step: RunStepView, actual: Measure): StepCheck => {
  const { output: recorded } = step;
  const { outputRemoved } = run;
  if (recorded && actual.bytes === 0 && outputRemoved && step.startedAt < outputRemoved.at)
    return { step: step.step, attempt: step.attempt, actual, recorded, removed: true };
  return {
    step: step.step,
    attempt: step.attempt,
    actual,
    ...(recorded && {
      recorded,
      matches: recorded.bytes === actual.bytes && recorded.sha256 === actual.sha256,
    }),
  };
};

/** Each step with its recorded and its stored output. Output without a step matches nothing. */
export const checkOutput = async (
  run: RunView,
  chunks: AsyncIterable<RecordedChunk>,
): Promise<StepCheck[]> => {
  const found = new Map<string, { step: string; attempt: number; tally: Tally }>();
  const only = run.steps[0];
  for await (const { text, ...chunk } of chunks) {
    const step = chunk.step ?? only?.step ?? '';
    const attempt = chunk.attempt ?? only?.attempt ?? 0;
    const key = keyOf(step, attempt);
    const entry = found.get(key) ?? { step, attempt, tally: new Tally() };
    found.set(key, entry);
    entry.tally.add(text);
  }
  const known = run.steps.map((step) => {
    const key = keyOf(step.step, step.attempt);
    const tally = found.get(key)?.tally ?? new Tally();
    found.delete(key);
    return compared(run, step, tally.measure);
  });
  const stray = [...found.values()].map(({ step, attempt, tally }) => ({
    step,
    attempt,
    actual: tally.measure,
    matches: false,
  }));
  return [...known, ...stray];
};

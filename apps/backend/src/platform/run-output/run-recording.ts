/**
 * What one step of a run prints, on its way into the table: bytes become text, secrets are taken out, it is cut into
 * chunks of about 50 ms or 8 kB with their time, bounded, and hashed as it is stored, so that a replay can be trusted.
 *
 * When a step is followed again by another process, the source is read once more from the last byte of which everything
 * was stored, and what had been stored behind it is left out: nothing is missing and nothing doubled.
 */
import type { NewChunk, RunOutputs, StoredStep } from './run-output';
import { Redactor } from './run-redaction';
import { Utf8Decoder } from './utf8-decoder';

export const CHUNK_MS = 50;
export const CHUNK_CHARACTERS = 8192;
/** Of one run. */
export const STORED_BYTES = 64 * 1024 * 1024;
/** While so much waits for the database, no more is taken from the server. */
const WAITING_BYTES = 4 * 1024 * 1024;

export const droppedMarker = (limit: number): string =>
  `\n[output beyond ${limit >= 1024 * 1024 ? `${limit / 1024 / 1024} MB` : `${limit} bytes`} was dropped]\n`;

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/** Where a text may be cut, at `at` or one before: never between the halves of a character. */
const cutAt = (text: string, at: number): number =>
  at < text.length && isHighSurrogate(text.charCodeAt(at - 1)) ? at - 1 : at;

/** The longest beginning of the text that has no more bytes than that. */
const beginning = (text: string, bytes: number): string => {
  // A character is 3 bytes at most for each UTF-16 unit: what fits for certain, then what fits by measure.
  let end = cutAt(text, Math.min(text.length, bytes));
  while (end > 0 && Buffer.byteLength(text.slice(0, end)) > bytes) end = cutAt(text, end - 1);
  return text.slice(0, end);
};

// Built from a code point, so that no invisible character stands in this file.
const NUL = new RegExp(String.fromCharCode(0), 'g');
/** Postgres holds no NUL. */
const storable = (text: string): string => text.replace(NUL, '\u2400');

export interface RecordedStep {
  run: string;
  step: string;
  attempt: number;
}

export class StepRecording {
  /** Byte of the source from which it has to be read. */
  readonly from: number;
  private readonly decoder = new Utf8Decoder();
  private readonly redactor: Redactor;
  private readonly stored: StoredStep;
  private consumed: number;
  private leaveOut: number;
  private full: boolean;
  private open: NewChunk | undefined;
  private closed: NewChunk[] = [];
  private timer: NodeJS.Timeout | undefined;
  private lastFlush = 0;
  private waitingBytes = 0;
  private written: Promise<void> = Promise.resolve();

  /** @param stored what `RunOutputs.stored` says of this step; the recording goes on behind it */
  constructor(
    private readonly of: RecordedStep,
    private readonly outputs: Pick<RunOutputs, 'write'>,
    stored: StoredStep,
    private readonly secrets: readonly string[],
    private readonly limit = STORED_BYTES,
  ) {
    this.redactor = new Redactor(secrets);
    this.stored = stored;
    this.from = stored.source;
    this.consumed = stored.source;
    this.leaveOut = stored.storedBehind;
    this.full = stored.runBytes >= limit;
  }

  /** A returned promise asks the source to wait. */
  push(bytes: Buffer): void | Promise<void> {
    this.consumed += bytes.length;
    this.take(storable(this.redactor.push(this.decoder.push(bytes))));
    if (!this.decoder.holding && !this.redactor.holding) this.mark();
    if (this.closed.length > 0) this.flush();
    if (this.open) this.timer ??= setTimeout(() => this.flush(), this.untilDue());
    return this.waitingBytes > WAITING_BYTES ? this.written : undefined;
  }

  /** What is recorded of the step besides its output. */
  masked(text: string): string {
    const redactor = new Redactor(this.secrets);
    return redactor.push(text) + redactor.end();
  }

  /** Writes what is left and says what lies in the table now. */
  async end(): Promise<{ bytes: number; sha256: string }> {
    this.take(storable(this.redactor.push(this.decoder.end()) + this.redactor.end()));
    this.flush();
    await this.written;
    return { bytes: this.stored.bytes, sha256: this.stored.digest.copy().digest('hex') };
  }

  /** Somebody else goes on: what came so far is written, what is held back is read again. */
  async leave(): Promise<void> {
    this.flush();
    await this.written;
  }

  /** Nobody of this process will write any more: somebody else goes on. */
  abandon(): void {
    clearTimeout(this.timer);
    this.full = true;
    this.open = undefined;
    this.closed = [];
  }

  private untilDue(): number {
    return Math.max(this.lastFlush + CHUNK_MS - Date.now(), 0);
  }

  /** All that was consumed lies in the chunks up to this one. */
  private mark(): void {
    const last = this.open ?? this.closed.at(-1);
    if (last && this.leaveOut === 0) last.source = this.consumed;
  }

  private take(text: string): void {
    const fresh = this.withoutStored(text);
    if (fresh === '' || this.full) return;
    const room = this.limit - this.stored.runBytes;
    if (Buffer.byteLength(fresh) <= room) return this.store(fresh);
    this.full = true;
    this.store(beginning(fresh, room));
    this.store(droppedMarker(this.limit));
  }

  private withoutStored(text: string): string {
    if (this.leaveOut === 0) return text;
    const known = beginning(text, this.leaveOut);
    this.leaveOut -= Buffer.byteLength(known);
    return text.slice(known.length);
  }

  private store(text: string): void {
    const { step, attempt } = this.of;
    const bytes = Buffer.byteLength(text);
    this.stored.digest.update(text);
    this.stored.bytes += bytes;
    this.stored.runBytes += bytes;
    let rest = text;
    while (rest !== '') {
      this.open ??= {
        seq: ++this.stored.seq,
        at: new Date().toISOString(),
        stream: 'out',
        text: '',
        step,
        attempt,
      };
      this.open.source = undefined;
      const end = cutAt(rest, Math.min(rest.length, Math.max(CHUNK_CHARACTERS - this.open.text.length, 2)));
      this.open.text += rest.slice(0, end);
      rest = rest.slice(end);
      if (this.open.text.length >= CHUNK_CHARACTERS) this.close();
    }
  }

  private close(): void {
    if (this.open) this.closed.push(this.open);
    this.open = undefined;
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.close();
    if (this.closed.length === 0) return;
    this.lastFlush = Date.now();
    const chunks = this.closed;
    this.closed = [];
    const size = chunks.reduce((sum, chunk) => sum + chunk.text.length, 0);
    this.waitingBytes += size;
    // Chunks are written in order: when the last ones lie in the table, all do.
    this.written = this.outputs.write(this.of.run, chunks).then(() => void (this.waitingBytes -= size));
  }
}

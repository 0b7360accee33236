/**
 * Processes the output of one step before it is stored: decodes it, masks secrets, cuts it into timed chunks of about
 * 50 ms or 8 kB, limits it, and hashes it as stored, so that a replay can be verified.
 *
 * A secret may be stored while the step runs. So output waits until the secrets have been asked for again: whatever a
 * step could know when it printed something is masked in it.
 *
 * When another process follows the step again, the source is read again from the last byte up to which everything was
 * stored. Text after that which was stored already is skipped, so there are no gaps and no duplicates.
 */
import { isTransient } from '../database';
import type { NewChunk, RunOutputs, StoredStep } from './run-output';
import { Redactor } from './run-redaction';
import { Utf8Decoder } from './utf8-decoder';

export const CHUNK_MS = 50;
export const CHUNK_CHARACTERS = 8192;
/** Once this much has arrived, it is written without waiting for the time. */
const ARRIVED_BYTES = 8 * CHUNK_CHARACTERS;
/** Limit for one run. */
export const STORED_BYTES = 64 * 1024 * 1024;
/** While this much waits for the database, no more is read from the server. */
const WAITING_BYTES = 4 * 1024 * 1024;

export const droppedMarker = (limit: number): string =>
  `\n[output beyond ${limit >= 1024 * 1024 ? `${limit / 1024 / 1024} MB` : `${limit} bytes`} was dropped]\n`;

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/** The nearest cut at or before `at` that does not split a character. */
const cutAt = (text: string, at: number): number =>
  at < text.length && isHighSurrogate(text.charCodeAt(at - 1)) ? at - 1 : at;

/** The longest prefix of the text within the byte limit. */
const beginning = (text: string, bytes: number): string => {
  // The encoder writes whole characters only, and says how many UTF-16 units fitted.
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(Math.min(bytes, text.length * 3)));
  return text.slice(0, read);
};

// Built from a code point, so that this file contains no invisible character.
const NUL = new RegExp(String.fromCharCode(0), 'g');
/** Postgres cannot store NUL. */
const storable = (text: string): string => text.replace(NUL, '\u2400');

export interface RecordedStep {
  run: string;
  step: string;
  attempt: number;
}

/** Everything that may not appear in output at the time of the call. */
export type KnownSecrets = () => Promise<readonly string[]>;

interface Arrived {
  bytes: Buffer;
  at: string;
}

export class StepRecording {
  /** Byte of the source to start reading from. */
  readonly from: number;
  private readonly decoder = new Utf8Decoder();
  private readonly redactor = new Redactor([]);
  private readonly stored: StoredStep;
  private consumed: number;
  private leaveOut: number;
  private full: boolean;
  private isAbandoned = false;
  private failure: { error: unknown } | undefined;
  private arrived: Arrived[] = [];
  private arrivedBytes = 0;
  private open: NewChunk | undefined;
  private closed: NewChunk[] = [];
  private timer: NodeJS.Timeout | undefined;
  private lastFlush = 0;
  private waitingBytes = 0;
  private masking: Promise<void> | undefined;
  private written: Promise<void> = Promise.resolve();

  /** @param stored the result of `RunOutputs.stored` for this step; the recording continues after it */
  constructor(
    private readonly of: RecordedStep,
    private readonly outputs: Pick<RunOutputs, 'write' | 'persistently'>,
    stored: StoredStep,
    private readonly secrets: KnownSecrets,
    private readonly limit = STORED_BYTES,
  ) {
    this.stored = stored;
    this.from = stored.source;
    this.consumed = stored.source;
    this.leaveOut = stored.storedBehind;
    this.full = stored.runBytes >= limit;
  }

  /** A returned promise asks the source to wait. */
  push(bytes: Buffer): void | Promise<void> {
    if (this.isAbandoned) return undefined;
    this.arrived.push({ bytes, at: new Date().toISOString() });
    this.arrivedBytes += bytes.length;
    this.waitingBytes += bytes.length;
    if (this.arrivedBytes >= ARRIVED_BYTES) void this.flush();
    else this.timer ??= setTimeout(() => void this.flush(), this.untilDue());
    return this.waitingBytes > WAITING_BYTES ? this.flush() : undefined;
  }

  /** Masks other recorded text of the step. */
  async masked(text: string): Promise<string> {
    const redactor = new Redactor(await this.present());
    return redactor.push(text) + redactor.end();
  }

  /**
   * Writes the rest, and returns size and digest of the stored output.
   * @throws if output is missing: it could not be stored, or a secret could not be read, and what is not known cannot
   * be masked
   */
  async end(): Promise<{ bytes: number; sha256: string }> {
    await this.flush();
    this.throwIfFailed();
    if (this.decoder.holding || this.redactor.holding) {
      this.redactor.renew(await this.present());
      this.take(this.redactor.push(this.decoder.end()) + this.redactor.end(), new Date().toISOString());
      this.write();
      await this.written;
      this.throwIfFailed();
    }
    return { bytes: this.stored.bytes, sha256: this.stored.digest.copy().digest('hex') };
  }

  /** Stops because another process continues: received text is written, and held back text will be read again there. */
  leave(): Promise<void> {
    return this.flush();
  }

  /** Stops without writing the rest: another process has taken over. */
  abandon(): void {
    clearTimeout(this.timer);
    this.isAbandoned = true;
    this.arrived = [];
  }

  private untilDue(): number {
    return Math.max(this.lastFlush + CHUNK_MS - Date.now(), 0);
  }

  /** Settles when everything that has arrived is stored. */
  private async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.masking ??= this.maskArrived()
      .catch((error: unknown) => this.fail(error))
      .finally(() => (this.masking = undefined));
    await this.masking;
    await this.written;
  }

  private async maskArrived(): Promise<void> {
    while (this.arrived.length > 0) {
      const arrived = this.arrived;
      this.arrived = [];
      this.arrivedBytes = 0;
      this.redactor.renew(await this.present());
      if (this.isAbandoned) return;
      for (const { bytes, at } of arrived) {
        this.consumed += bytes.length;
        this.take(this.redactor.push(this.decoder.push(bytes)), at);
        if (!this.decoder.holding && !this.redactor.holding) this.mark();
      }
      this.write(arrived.reduce((sum, { bytes }) => sum + bytes.length, 0));
    }
  }

  private present(): Promise<readonly string[]> {
    return this.outputs.persistently(this.secrets, isTransient);
  }

  /** All consumed bytes are stored once the chunks up to this one are. */
  private mark(): void {
    const last = this.open ?? this.closed.at(-1);
    if (last && this.leaveOut === 0) last.source = this.consumed;
  }

  private take(text: string, at: string): void {
    const fresh = this.withoutStored(storable(text));
    if (fresh === '' || this.full) return;
    const room = this.limit - this.stored.runBytes;
    if (Buffer.byteLength(fresh) <= room) return this.store(fresh, at);
    this.full = true;
    this.store(beginning(fresh, room), at);
    this.store(droppedMarker(this.limit), at);
  }

  private withoutStored(text: string): string {
    if (this.leaveOut === 0) return text;
    const known = beginning(text, this.leaveOut);
    this.leaveOut -= Buffer.byteLength(known);
    return text.slice(known.length);
  }

  private store(text: string, at: string): void {
    const { step, attempt } = this.of;
    const bytes = Buffer.byteLength(text);
    this.stored.digest.update(text);
    this.stored.bytes += bytes;
    this.stored.runBytes += bytes;
    let rest = text;
    while (rest !== '') {
      this.open ??= {
        seq: ++this.stored.seq,
        at,
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

  /** @param bytes how much of what arrived is in these chunks */
  private write(bytes = 0): void {
    this.close();
    this.lastFlush = Date.now();
    const chunks = this.closed;
    this.closed = [];
    const stored = chunks.length > 0 ? this.outputs.write(this.of.run, chunks) : this.written;
    // Chunks are written in order: when the last ones are stored, all are.
    this.written = stored.then(
      () => void (this.waitingBytes -= bytes),
      (error: unknown) => this.fail(error),
    );
  }

  private fail(error: unknown): void {
    this.failure = { error };
    this.abandon();
  }

  private throwIfFailed(): void {
    if (this.failure) throw this.failure.error;
  }
}

import { StringDecoder } from 'node:string_decoder';
import type { OutputStream } from './target';

/** Consumes output. While a returned promise is pending, the source is asked for only a few more pieces. */
export type Take<T> = (stream: OutputStream, what: T) => void | Promise<void>;

export interface Consumer {
  take: Take<Buffer>;
  /** Called after everything was consumed; flushes an incomplete character. */
  end?(): void | Promise<void>;
}

/** Decodes bytes into text without splitting characters. */
export const textConsumer = (take: Take<string>): Consumer => {
  const decoders = { out: new StringDecoder('utf8'), err: new StringDecoder('utf8') };
  const pass = (stream: OutputStream, text: string): void | Promise<void> =>
    text ? take(stream, text) : undefined;
  return {
    take: (stream, bytes) => pass(stream, decoders[stream].write(bytes)),
    end: async () => {
      await pass('out', decoders.out.end());
      await pass('err', decoders.err.end());
    },
  };
};

interface Flow {
  pause(): void;
  resume(): void;
}

interface Piece {
  stream: OutputStream;
  bytes: Buffer[];
  length: number;
}

const highWater = 256 * 1024;
const lowWater = 64 * 1024;
/** Output that arrived while the consumer was busy is passed on in pieces of about this size. */
const pieceLength = 64 * 1024;

/**
 * Passes output to a consumer in order of arrival, one piece at a time. A slow consumer pauses the source. ssh2 then
 * keeps the channel's window closed, which holds back the remote program.
 */
export class OutputQueue {
  private waiting: Piece[] = [];
  private waitingLength = 0;
  private draining = false;
  private drained: Promise<void> = Promise.resolve();
  private failed: { error: unknown } | undefined;
  private paused = false;

  constructor(
    private readonly consumer: Consumer,
    private readonly source: Flow,
    private readonly onFailure: () => void,
  ) {}

  /** Nothing is being consumed, and the source is not held back. */
  get idle(): boolean {
    return !this.draining && !this.paused;
  }

  push(stream: OutputStream, bytes: Buffer): void {
    if (bytes.length === 0 || this.failed) return;
    const last = this.waiting.at(-1);
    if (last?.stream === stream && last.length + bytes.length <= pieceLength) {
      last.bytes.push(bytes);
      last.length += bytes.length;
    } else {
      this.waiting.push({ stream, bytes: [bytes], length: bytes.length });
    }
    this.waitingLength += bytes.length;
    if (!this.draining) this.drained = this.drain();
    if (this.waitingLength > highWater && !this.paused) {
      this.paused = true;
      this.source.pause();
    }
  }

  /** Resolves when everything was consumed; rejects with the consumer's error. */
  async end(): Promise<void> {
    await this.drained;
    if (this.failed) throw this.failed.error;
    await this.consumer.end?.();
  }

  /** Drops everything that was not consumed yet. */
  drop(): void {
    this.waiting = [];
    this.waitingLength = 0;
  }

  private async drain(): Promise<void> {
    this.draining = true;
    try {
      for (let next = this.waiting.shift(); next; next = this.waiting.shift()) {
        this.waitingLength -= next.length;
        const [first, ...rest] = next.bytes;
        const bytes = first && rest.length === 0 ? first : Buffer.concat(next.bytes);
        const pending = this.consumer.take(next.stream, bytes);
        if (pending) await pending;
        this.resumeBelow(lowWater);
      }
    } catch (error) {
      this.failed = { error };
      this.drop();
      this.onFailure();
    }
    this.draining = false;
    this.resumeBelow(lowWater);
  }

  private resumeBelow(length: number): void {
    if (!this.paused || this.waitingLength > length) return;
    this.paused = false;
    this.source.resume();
  }
}

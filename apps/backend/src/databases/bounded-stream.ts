/**
 * The connection to a product database, whichever protocol it speaks, within limits. All bytes of the server pass
 * through here, so no driver can be made to collect more than one answer may have.
 */
import { Duplex } from 'node:stream';

/** Maximum size of one answer: everything that the server sends until the next question, notices included. */
export const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
/** Maximum number of rows of one answer. Small rows cost much more memory than they have bytes. */
export const MAX_ANSWER_ROWS = 100_000;
/** Maximum number of values of one answer. Empty ones cost memory and time, but hardly any bytes. */
export const MAX_ANSWER_VALUES = 2_000_000;
/** Maximum size of what a server sends before it accepts the user. */
export const MAX_GREETING_BYTES = 256 * 1024;

const CLOSE_MS = 20;

/** The server sent more than it may. The connection is closed. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
  readonly code = 'ANSWER_TOO_LARGE';

  constructor(limit: string) {
    super(`the answer of the database has more than ${limit}, so the connection was closed`);
  }
}

/** Passes everything on, and closes the connection when the server sends more bytes than `expect` allowed. */
export class BoundedStream extends Duplex {
  private left = MAX_GREETING_BYTES;
  private limit = MAX_GREETING_BYTES;

  constructor(private readonly inner: Duplex) {
    super({ allowHalfOpen: false });
    inner.on('data', (chunk: Buffer) => {
      this.left -= chunk.length;
      if (this.left < 0) this.destroy(new AnswerTooLarge(inMegabytes(this.limit)));
      else if (!this.push(chunk)) inner.pause();
    });
    inner.on('end', () => this.push(null));
    inner.on('error', (error) => this.destroy(error));
    inner.on('close', () => this.destroy());
  }

  /** Before each question: the number of bytes that the answer may have. */
  expect(bytes: number): void {
    this.left = bytes;
    this.limit = bytes;
  }

  override _read(): void {
    this.inner.resume();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.inner.write(chunk, encoding, done);
  }

  /** Drivers write a question in several parts. Each would be a call of the system. */
  override _writev(
    parts: { chunk: Buffer; encoding: BufferEncoding }[],
    done: (error?: Error | null) => void,
  ): void {
    this.inner.write(Buffer.concat(parts.map(({ chunk }) => chunk)), done);
  }

  override _final(done: () => void): void {
    this.inner.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.inner.destroy();
    // Later: when TLS refuses a certificate, it closes this stream first, and reports its reason after that.
    setTimeout(done, CLOSE_MS, error);
  }
}

const inMegabytes = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${bytes / 1024} kB` : `${bytes / 1024 / 1024} MB`;

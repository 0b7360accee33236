/**
 * What the console and the process of an API send each other about requests, on one connection for all of them. HTTP
 * there would cost each side as much as the rest of a small request. A frame is two lengths of four bytes (of all that
 * follows them, and of its head), the head as JSON, and bytes of a body.
 */
import type { Duplex } from 'node:stream';

/** The name of this conversation, with which the console begins it. */
export const LINE = 'quarterdeck-line';

/** Longer bodies of answers are sent in pieces, each when the one before was taken. */
export const PIECE_BYTES = 256 * 1024;

/** A request has an address, a token and a body of 1 MB at most. */
const MAX_FRAME = 1024 * 1024 + 128 * 1024;
const LENGTHS = 8;

/** `caller`: what limits count. */
type Ask = readonly [
  is: 'ask',
  id: number,
  method: string,
  url: string,
  caller: string,
  authorization?: string | null,
  contentType?: string | null,
];
/** The caller took all pieces so far, or has hung up. */
type Further = readonly [is: 'more' | 'left', id: number];
export type OfConsole = Ask | Further;

export type AnswerHeaders = Readonly<Record<string, string>>;
/** `bytes`: of the whole body. The frame has its beginning. */
type Begun = readonly [is: 'answer', id: number, status: number, bytes: number, headers: AnswerHeaders];
export type OfApi = Begun | readonly [is: 'piece', id: number];

const NOTHING: Buffer = Buffer.alloc(0);

/** Sends what was said during one turn of the event loop with one call of the system. */
export class Frames<Sent, Heard> {
  private waiting: Buffer[] = [];
  private rest: Buffer = NOTHING;

  /** @param heard called with each frame. What it throws closes the connection */
  constructor(
    private readonly stream: Duplex,
    private readonly heard: (head: Heard, body: Buffer) => void,
  ) {
    stream.on('data', (bytes: Buffer) => {
      try {
        this.take(bytes);
      } catch (error) {
        stream.destroy(error as Error);
      }
    });
  }

  send(head: Sent, body: Buffer = NOTHING): void {
    const text = JSON.stringify(head);
    const headBytes = Buffer.byteLength(text);
    const frame = Buffer.allocUnsafe(LENGTHS + headBytes + body.length);
    frame.writeUInt32BE(headBytes + body.length, 0);
    frame.writeUInt32BE(headBytes, 4);
    frame.write(text, LENGTHS);
    body.copy(frame, LENGTHS + headBytes);
    if (this.waiting.push(frame) === 1) setImmediate(() => this.flush());
  }

  flush(): void {
    const { waiting } = this;
    if (waiting.length === 0) return;
    this.waiting = [];
    this.stream.write(waiting.length === 1 ? waiting[0] : Buffer.concat(waiting));
  }

  private take(more: Buffer): void {
    const bytes = this.rest.length === 0 ? more : Buffer.concat([this.rest, more]);
    let at = 0;
    while (bytes.length - at >= LENGTHS) {
      const length = bytes.readUInt32BE(at);
      const headBytes = bytes.readUInt32BE(at + 4);
      if (length > MAX_FRAME || headBytes > length) throw new Error('this is no frame of a line');
      if (bytes.length - at - LENGTHS < length) break;
      const bodyAt = at + LENGTHS + headBytes;
      const head = JSON.parse(bytes.toString('utf8', at + LENGTHS, bodyAt)) as Heard;
      at += LENGTHS + length;
      this.heard(head, bytes.subarray(bodyAt, at));
    }
    this.rest = at === bytes.length ? NOTHING : bytes.subarray(at);
  }
}

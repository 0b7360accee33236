/** The console's end of the line to the process of an API: requests go in, answers come out. */
import { connect, type Socket } from 'node:net';
import { Frames, LINE, type AnswerHeaders, type OfApi, type OfConsole } from './line-frames';

const ANSWER_MS = 60_000;
const LOOK_MS = 1000;

export interface LineRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** What limits count. */
  readonly caller: string;
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  readonly body: Buffer | undefined;
}

export interface LineAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Of the whole body. */
  readonly bytes: number;
  /** Its beginning. */
  readonly first: Buffer;
  /** The next piece of a body that is longer. */
  next(): Promise<Buffer>;
  /** Nobody takes the rest. */
  leave(): void;
}

interface Waiting {
  /** Of what the process was asked last. Infinity: nothing. */
  since: number;
  /** Bytes that are still to come. */
  left: number;
  resolve(answer: LineAnswer): void;
  piece?: (piece: Buffer) => void;
  reject(error: Error): void;
}

export class Line {
  private readonly socket: Socket;
  private readonly frames: Frames<OfConsole, OfApi>;
  private readonly waiting = new Map<number, Waiting>();
  private readonly looking = setInterval(() => this.look(), LOOK_MS).unref();
  private last = 0;
  private isEnding = false;

  constructor(path: string) {
    this.socket = connect({ path, allowHalfOpen: true });
    this.socket.write(`GET / HTTP/1.1\r\nconnection: upgrade\r\nupgrade: ${LINE}\r\n\r\n`);
    this.frames = new Frames(this.socket, (heard, body) => this.hear(heard, body));
    let reason: Error | undefined;
    this.socket.on('error', (error) => (reason = error));
    this.socket.once('end', () => this.socket.destroy());
    this.socket.once('close', () => {
      clearInterval(this.looking);
      this.isEnding = true;
      this.failAll(reason ?? new Error('the process of the API has ended'));
    });
  }

  /** @throws an error of `connect` if nothing can have been sent */
  ask({ method, url, caller, authorization, contentType, body }: LineRequest): Promise<LineAnswer> {
    if (this.isEnding) return Promise.reject(new Error('the process of the API ends'));
    const id = (this.last += 1);
    this.frames.send(['ask', id, method, url, caller, authorization, contentType], body);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { since: performance.now(), left: Infinity, resolve, reject });
    });
  }

  get isOver(): boolean {
    return this.isEnding;
  }

  /** What was asked is answered. */
  end(): void {
    if (this.isEnding) return;
    this.isEnding = true;
    this.frames.flush();
    this.socket.end();
  }

  private hear(heard: OfApi, body: Buffer): void {
    const [is, id] = heard;
    const one = this.waiting.get(id);
    // The caller has hung up.
    if (!one) return;
    if (is === 'answer') {
      const [, , status, bytes, headers] = heard;
      this.taken(id, one, bytes, body);
      one.resolve({
        status,
        headers,
        bytes,
        first: body,
        next: () => this.next(id),
        leave: () => this.leave(id),
      });
    } else if (one.piece) {
      this.taken(id, one, one.left, body);
      one.piece(body);
    }
  }

  /** @throws Error if there is more than was said: the caller would take the rest for another answer */
  private taken(id: number, one: Waiting, bytes: number, body: Buffer): void {
    one.since = Infinity;
    one.left = bytes - body.length;
    if (!(one.left >= 0)) throw new Error('the process of the API sent more than it said');
    if (one.left === 0) this.waiting.delete(id);
  }

  private next(id: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const one = this.waiting.get(id);
      if (!one) return reject(new Error('the process of the API has ended'));
      Object.assign(one, { since: performance.now(), piece: resolve, reject });
      this.frames.send(['more', id]);
    });
  }

  private leave(id: number): void {
    if (this.waiting.delete(id)) this.frames.send(['left', id]);
  }

  private look(): void {
    const before = performance.now() - ANSWER_MS;
    for (const [id, { since, reject }] of this.waiting) {
      if (since > before) continue;
      this.leave(id);
      reject(new Error('no answer in time'));
    }
  }

  private failAll(error: Error): void {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}

/**
 * The messages of a PostgreSQL server, each checked before the driver sees it. The driver trusts a server: a text
 * without its end makes it search for ever, and a wrong count or an unknown kind makes it throw where nobody catches.
 * Shapes: https://www.postgresql.org/docs/17/protocol-message-formats.html
 */
import { EventEmitter } from 'node:events';
import { AnswerTooLarge } from './bounded-stream';

/** PostgreSQL itself has at most 1,664 columns in an answer. */
const MAX_COLUMNS = 1664;
const HEADER = 5;

/** The server sent what no PostgreSQL sends. The connection is closed. */
export class UnknownAnswer extends Error {
  override readonly name = 'UnknownAnswer';

  constructor(what: string) {
    super(`received unexpected packet: ${what}`);
  }
}

/** @returns the place after the text, which ends with a zero */
const afterText = (body: Buffer, from: number): number => {
  const end = body.indexOf(0, from);
  return end < 0 ? NaN : end + 1;
};

const isTexts =
  (count: number, from = 0) =>
  (body: Buffer): boolean => {
    let at = from;
    for (let text = 0; text < count; text += 1) at = afterText(body, at);
    return at === body.length;
  };

const isEmpty = (body: Buffer): boolean => body.length === 0;

/** Fields of an error or a notice: a letter and a text each, and a zero at the end. */
const isFields = (body: Buffer): boolean => {
  let at = 0;
  while (at < body.length && body[at] !== 0) at = afterText(body, at + 1);
  return at === body.length - 1;
};

const isRequest = (body: Buffer): boolean => {
  if (body.length < 4) return false;
  const kind = body.readInt32BE(0);
  if (kind === 0 || kind === 3) return body.length === 4;
  if (kind === 5) return body.length === 8;
  if (kind === 11 || kind === 12) return true;
  if (kind !== 10) return false;
  // Names of mechanisms, and an empty one.
  let at = 4;
  while (at < body.length && body[at] !== 0) at = afterText(body, at);
  return at === body.length - 1;
};

const countOf = (body: Buffer): number => {
  const count = body.length < 2 ? NaN : body.readInt16BE(0);
  if (count < 0 || count > MAX_COLUMNS) throw new AnswerTooLarge(`${MAX_COLUMNS} columns`);
  return count;
};

const isColumns = (body: Buffer): boolean => {
  let at = 2;
  for (let left = countOf(body); left > 0; left -= 1) at = afterText(body, at) + 18;
  return at === body.length;
};

const isRow = (body: Buffer): boolean => {
  let at = 2;
  for (let left = countOf(body); left > 0; left -= 1) {
    if (at + 4 > body.length) return false;
    const length = body.readInt32BE(at);
    if (length < -1) return false;
    at += 4 + Math.max(length, 0);
  }
  return at === body.length;
};

/** By the letter of the message. Answers to COPY and replication are not among them: nothing here asks for these. */
const shapes: Readonly<Record<string, (body: Buffer) => boolean>> = {
  R: isRequest,
  S: isTexts(2),
  K: (body) => body.length === 8,
  Z: (body) => body.length === 1,
  E: isFields,
  N: isFields,
  T: isColumns,
  D: isRow,
  C: isTexts(1),
  A: isTexts(2, 4),
  t: (body) => body.length === 2 + 4 * countOf(body),
  1: isEmpty,
  2: isEmpty,
  3: isEmpty,
  I: isEmpty,
  n: isEmpty,
  s: isEmpty,
};

/** Cuts a stream of bytes into whole messages. @throws UnknownAnswer, AnswerTooLarge */
class Messages {
  private chunks: Buffer[] = [];
  private size = 0;
  private wanted = HEADER;

  /** @param values called with the number of values of each row */
  constructor(private readonly values: (count: number) => void) {}

  /** @returns the bytes of the messages that are complete */
  take(chunk: Buffer): Buffer | undefined {
    this.chunks.push(chunk);
    this.size += chunk.length;
    if (this.size < this.wanted) return undefined;
    const bytes = this.chunks.length === 1 ? chunk : Buffer.concat(this.chunks);
    let at = 0;
    this.wanted = HEADER;
    while (at + HEADER <= bytes.length) {
      const length = bytes.readInt32BE(at + 1) + 1;
      const letter = String.fromCharCode(bytes[at] ?? 0);
      if (length < HEADER || !Object.hasOwn(shapes, letter)) throw new UnknownAnswer(JSON.stringify(letter));
      if (at + length > bytes.length) {
        this.wanted = length;
        break;
      }
      this.check(letter, bytes.subarray(at + HEADER, at + length));
      at += length;
    }
    this.chunks = at < bytes.length ? [bytes.subarray(at)] : [];
    this.size = bytes.length - at;
    return at === 0 ? undefined : bytes.subarray(0, at);
  }

  private check(letter: string, body: Buffer): void {
    if (!shapes[letter]?.(body)) throw new UnknownAnswer(`a broken ${letter}`);
    if (letter === 'D') this.values(body.readInt16BE(0));
  }
}

/**
 * What the driver may listen to instead of the stream.
 * @param refuse called once with the error of the first message that is wrong; nothing is passed on after that
 */
export const checkedMessages = (
  stream: NodeJS.EventEmitter,
  values: (count: number) => void,
  refuse: (error: Error) => void,
): NodeJS.EventEmitter => {
  const messages = new Messages(values);
  const passed = new EventEmitter();
  let isRefused = false;
  stream.on('data', (chunk: Buffer) => {
    if (isRefused) return;
    try {
      const whole = messages.take(chunk);
      if (whole) passed.emit('data', whole);
    } catch (error) {
      isRefused = true;
      refuse(error as Error);
    }
  });
  stream.on('end', () => passed.emit('end'));
  return passed;
};

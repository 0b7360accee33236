/** How much a bucket may answer, and how long it may take. */
import { pipeline, Readable, Transform } from 'node:stream';

/** The server refused, closed the connection or did not answer. The message says which, and what to do. */
export class BucketFault extends Error {
  override name = 'BucketFault';

  constructor(
    message: string,
    /** The server's answer, such as 404 and `NoSuchKey`. */
    readonly answered?: { status: number; code: string | undefined },
  ) {
    super(message);
  }
}

/** Applies between two bytes, and before the first. */
const IDLE_MS = 30_000;
/** Some servers join the parts of a large object by copying it, and send nothing until they have finished. */
const JOIN_MS = 10 * 60_000;
/** A part is in memory while it is sent, because it may have to be sent again. An upload has at most 10,000 of them. */
const PART_BYTES = 16 * 1_048_576;
/** From the last byte of the request to the last byte of a small answer, such as a page of a list. */
const ANSWER_MS = 120_000;
export const MAX_ANSWER_BYTES = 4 * 1_048_576;
/** Of a list, under one prefix. Empty pages count too. */
export const MAX_PAGES = 1_000;
export const MAX_OBJECTS = 100_000;
/** Unfinished uploads that are looked at: each killed process left one. */
export const MAX_UPLOADS = 1_000;
/** A slower download of an archive is given up. */
export const LEAST_BYTES_PER_SECOND = 50_000;

export interface BucketLimits {
  idleMs: number;
  joinMs: number;
  partBytes: number;
  answerMs: number;
  /** Calls that failed for the moment (5xx, 429, resets) are repeated after 0.1 s, 0.2 s and so on, with chance in it. */
  attempts: number;
}
export const LIMITS: BucketLimits = {
  idleMs: IDLE_MS,
  joinMs: JOIN_MS,
  partBytes: PART_BYTES,
  answerMs: ANSWER_MS,
  attempts: 5,
};

/** Ends with an error if the server sends more or less than the object has. */
export const exactly = (
  source: Readable,
  maxBytes: number,
  { host, key }: { host: string; key: string },
): Readable => {
  let bytes = 0;
  const limit = new Transform({
    transform: (piece: Buffer, _, done) => {
      bytes += piece.length;
      if (bytes <= maxBytes) return done(null, piece);
      done(new BucketFault(`${host} sent more of ${key} than the ${maxBytes} bytes that it has`));
    },
    // A connection that was ended looks like the end of an answer without a length.
    flush: (done) =>
      done(
        bytes < maxBytes ? new BucketFault(`${host} sent ${bytes} of the ${maxBytes} bytes of ${key}`) : null,
      ),
  });
  // An error of either side destroys both.
  pipeline(source, limit, () => undefined);
  return limit;
};

interface Pace {
  place: string;
  /** Between two pieces. */
  idleMs: number;
  /** In all. */
  answerMs: number;
  maxBytes: number;
}

async function* piecesOf(
  source: Readable,
  { place, idleMs, answerMs, maxBytes }: Pace,
): AsyncGenerator<Buffer> {
  const pieces = source[Symbol.asyncIterator]();
  let [waitedMs, bytes] = [0, 0];
  try {
    for (;;) {
      const began = performance.now();
      const ms = Math.min(idleMs, answerMs - waitedMs);
      const slow = `${place} sent nothing for ${idleMs / 1000} s, or its answer too slowly`;
      const timer = setTimeout(() => source.destroy(new BucketFault(slow)), ms);
      const next = await pieces.next().finally(() => clearTimeout(timer));
      waitedMs += performance.now() - began;
      if (next.done) return;
      const piece = next.value as Buffer;
      bytes += piece.length;
      if (bytes > maxBytes) throw new BucketFault(`${place} answered more than ${maxBytes} bytes`);
      yield piece;
    }
  } finally {
    source.destroy();
  }
}

/** Ends with an error if the server is too slow. The time in which a reader pauses does not count. */
export const paced = (source: Readable, pace: Pace): Readable =>
  Readable.from(piecesOf(source, pace), { objectMode: false });

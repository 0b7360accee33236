/**
 * Proves that the log, or a copy of it, is unchanged: every hash is recomputed from the event and the hash before it. A
 * chain alone does not show that its end was cut off or rewritten as a whole. So it is also compared with the head that
 * the log keeps, with the seals inside the log, or with a seal (`position:hash`) that was noted elsewhere.
 */
import type { z } from 'zod';
import { comparePositions, type Position, START } from '../envelope';
import { logEvents } from '../log.events';
import { chainLine, chainLink, GENESIS } from './chain';
import type { KeptEvent } from './engine';
import type { EventStore } from './event-store';
import { parsedText } from './json-text';
import { isSignedBy } from './signatures';

export interface Seal {
  position: Position;
  /** Hash of the event at that position, in hex. */
  hash: string;
}

export interface AuditResult {
  ok: boolean;
  /** How many events were verified. */
  events: number;
  head: Seal;
  /** The first problem found. `position` is null if it does not concern a single event. */
  firstBad?: { position: Position | null; type?: string; problem: string };
  /** How many events another program wrote. The chain covers them too. */
  foreign?: number;
  /** The log whose signature is at the end of a copy. */
  signedBy?: LogIdentity;
}

/** The hashed text of an event, with the recorded hash. */
export interface Link {
  position: Position;
  hash: string;
  /** The result of `chainLine` for the event. */
  line: string;
  /** The event as the engine stores it, if known. */
  event?: KeptEvent;
  /** Why the event counts as foreign. */
  foreign?: string;
}

/** The log that signs seals. */
export interface LogIdentity {
  log: string;
  /** Ed25519, SPKI, base64. */
  publicKey: string;
}

/** A log that can be verified from its first event. */
export interface AuditedLog {
  /** Whether positions count without gaps, so that a gap means a missing event. */
  contiguous: boolean;
  /** The links begin after this seal. Default: the beginning of the log. */
  start?: Seal;
  links: AsyncIterable<Link>;
  /** The expected end of the links, or why it is unknown. Available once the links were read. */
  end(): { head: Seal | undefined; problem?: string; signature?: string };
  identity?: LogIdentity;
  /** For a copy. @returns the signature of a seal, in base64 */
  sign?(seal: Seal): string;
  /** An event outside of the log's order, where no append can have put it. */
  outside?: { position: Position; type: string; problem: string };
  /** Hashes known from elsewhere. */
  known?: readonly Seal[];
}

export const BEGINNING: Seal = { position: START, hash: GENESIS };

export const sealText = ({ position, hash }: Seal): string => `${position}:${hash}`;

/** @throws if the text is not a seal */
export const readSeal = (text: string): Seal => {
  const [, position, hash] = /^(\d+):([0-9a-f]{64})$/.exec(text.trim()) ?? [];
  if (position === undefined || hash === undefined) throw new Error('a seal is expected: position:hash');
  return { position, hash };
};

/**
 * For an engine that keeps no chain. The chain is computed while the log is read. It is checked against the seals in
 * the log and against `kept`, the end of the chain that a read model follows.
 */
export const logOf = (store: EventStore, kept: Seal | undefined): AuditedLog => {
  let head = BEGINNING;
  async function* links(): AsyncGenerator<Link> {
    // Other processes keep appending, so the current head counts as the end.
    for await (const page of store.readOn(START, { upTo: await store.head() }))
      for (const event of page) {
        const line = chainLine(event);
        head = { position: event.position, hash: chainLink(head.hash, line) };
        yield { ...head, line, ...(event.foreign !== undefined && { foreign: event.foreign }) };
      }
  }
  return { contiguous: false, end: () => ({ head }), known: kept ? [kept] : [], links: links() };
};

/** The event type of a raw line, not validated. */
const typeIn = (line: string): string | undefined => /^[^{]*\{[^{}]*?"type":"(\w+)"/.exec(line)?.[1];

type RecordedSeal = z.infer<typeof logEvents.LogSealed.schema>;

/** Contents of an event of type `LogSealed` or `LogArrived`. A copy may contain anything there. */
const sealIn = (line: string): (RecordedSeal & { type: string }) | 'unreadable' | undefined => {
  if (!/"type":"Log(Sealed|Arrived)"/.test(line)) return undefined;
  const type = typeIn(line);
  if (type !== 'LogSealed' && type !== 'LogArrived') return undefined;
  const { data } = Object(parsedText(line)) as { data?: unknown };
  const seal = logEvents.LogSealed.schema.safeParse(data).data;
  return seal && /^\d+$/.test(seal.position) ? { ...seal, type } : 'unreadable';
};

/** @param noted a seal that was stored outside of the log */
export async function verify(
  { links, end, contiguous, outside, identity, known = [], start = BEGINNING }: AuditedLog,
  noted?: Seal,
): Promise<AuditResult> {
  let at = start;
  let events = 0;
  let foreign: { count: number; first: NonNullable<AuditResult['firstBad']> } | undefined;
  const bad = (position: Position | null, problem: string, type?: string): AuditResult => {
    const named = type === undefined ? problem : `${problem} (${type})`;
    return { ok: false, events, head: at, firstBad: { position, ...(type && { type }), problem: named } };
  };
  /**
   * Seals from an earlier place of the log have that place's positions and cannot be compared here. `LogArrived`, the
   * seal of the log's arrival, vouches for them.
   */
  let disagreed: AuditResult | undefined;
  const first = (...found: Parameters<typeof bad>): AuditResult => disagreed ?? bad(...found);
  const stray = () => outside && bad(outside.position, outside.problem, outside.type);
  if (outside && comparePositions(outside.position, start.position) <= 0) return stray()!;
  const expected = new Map(
    [...known, ...(noted ? [noted] : [])].map(({ position, hash }) => [position, hash]),
  );
  const hashes = new Hashes(start);
  for await (const { position, hash, line, foreign: stranger } of links) {
    const next = String(BigInt(at.position) + 1n);
    if (comparePositions(position, next) < 0)
      return first(
        position,
        `event ${position} comes after ${at.position}: doubled or out of order`,
        typeIn(line),
      );
    if (contiguous && position !== next)
      return first(next, `event ${next} is missing: ${position} comes after ${at.position}`);
    if (!line.startsWith(`{"position":"${position}",`))
      return first(position, `event ${position} says another position`, typeIn(line));
    if (chainLink(at.hash, line) !== hash)
      return first(
        position,
        `event ${position} was altered, or one was taken away or put in before it: its hash does not follow`,
        typeIn(line),
      );
    if ((expected.get(position) ?? hash) !== hash)
      return first(
        position,
        `event ${position} is not the one that was sealed: the log was written anew up to here`,
        typeIn(line),
      );
    // A foreign event proves nothing. It is reported below.
    const seal = stranger === undefined ? sealIn(line) : undefined;
    if (seal === 'unreadable') return first(position, `the seal at ${position} cannot be read`, typeIn(line));
    if (
      seal?.signature !== undefined &&
      identity &&
      identity.log === seal.log &&
      !isSignedBy(identity, seal, seal.signature)
    )
      return first(position, `the seal at ${position} does not have the signature of this log`, seal.type);
    if (seal && !hashes.agrees(seal))
      disagreed ??= bad(
        seal.position,
        `event ${seal.position} is not the event that was sealed at ${position}: the log was written anew up to there`,
      );
    // The signature of the seal was checked above.
    else if (seal?.type === 'LogArrived' && identity && identity.log === seal.log && seal.signature)
      disagreed = undefined;
    if (stranger !== undefined) {
      const problem = `event ${position} was not written by this console: ${stranger}`;
      foreign ??= { count: 0, first: bad(position, problem, typeIn(line)).firstBad! };
      foreign.count += 1;
    }
    expected.delete(position);
    at = { position, hash };
    hashes.add(at);
    events += 1;
  }
  if (disagreed) return disagreed;
  const { head, problem, signature } = end();
  if (!head) return bad(null, problem ?? 'the end is missing: the file was cut off');
  if (head.position !== at.position)
    return bad(
      String(BigInt(at.position) + 1n),
      `events after ${at.position} are missing: the log ended at ${head.position}`,
    );
  if (head.hash !== at.hash)
    return bad(at.position, `event ${at.position} is not the last one that was written`);
  expected.delete(START);
  for (const position of expected.keys()) return bad(position, `event ${position} is missing: it was sealed`);
  if (identity && signature !== undefined && !isSignedBy(identity, head, signature))
    return bad(null, 'the signature at the end is not of the key that the first line names');
  if (outside) return stray()!;
  return foreign
    ? { ok: false, events, head: at, firstBad: foreign.first, foreign: foreign.count }
    : { ok: true, events, head: at, ...(identity && signature !== undefined && { signedBy: identity }) };
}

const HASH_BYTES = 32;

/** Hashes of all events read, 40 bytes per event, to compare a seal with the event that it sealed. */
class Hashes {
  #positions = new BigUint64Array(4_096);
  #hashes = Buffer.alloc(4_096 * HASH_BYTES);
  #count = 0;

  /** @param start what precedes the first event */
  constructor(private readonly start: Seal) {}

  /** @param link in order of positions */
  add({ position, hash }: Seal): void {
    if (this.#count === this.#positions.length) this.#grow();
    this.#positions[this.#count] = BigInt(position);
    this.#hashes.write(hash, this.#count * HASH_BYTES, 'hex');
    this.#count += 1;
  }

  /** Whether the sealed event was added with that hash. Events before the first one are not checked. */
  agrees({ position, hash }: Seal): boolean {
    if (position === this.start.position) return hash === this.start.hash;
    const wanted = BigInt(position);
    if (wanted < BigInt(this.start.position)) return this.start.position !== START;
    let low = 0;
    let high = this.#count - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.#positions[middle] ?? 0n;
      if (found === wanted)
        return this.#hashes.toString('hex', middle * HASH_BYTES, middle * HASH_BYTES + HASH_BYTES) === hash;
      if (found < wanted) low = middle + 1;
      else high = middle - 1;
    }
    return false;
  }

  #grow(): void {
    const positions = new BigUint64Array(this.#positions.length * 2);
    positions.set(this.#positions);
    this.#positions = positions;
    this.#hashes = Buffer.concat([this.#hashes, Buffer.alloc(this.#hashes.length)]);
  }
}

/**
 * Proof that the log, or a copy of it, is what was written: every hash is computed anew from the event and the hash
 * before it. What a chain alone cannot show, a tail that somebody cut off or wrote anew as a whole, shows against the
 * head that the log keeps, against the seals that the log itself holds, or against a seal (`position:hash`) that was
 * noted elsewhere.
 */
import type { z } from 'zod';
import { comparePositions, START, type Position } from '../envelope';
import { logEvents } from '../log.events';
import { chainLine, chainLink, GENESIS } from './chain';
import type { KeptEvent } from './engine';
import type { EventStore } from './event-store';
import { Hashes } from './hashes';
import { parsedText } from './json-text';
import { isSignedBy } from './signatures';

export interface Seal {
  position: Position;
  /** Of the event at that position, in hex. */
  hash: string;
}

export interface AuditResult {
  ok: boolean;
  /** How many were found to be right. */
  events: number;
  head: Seal;
  /** The first that is not right, in words. `position` is null when it is not an event that is wrong. */
  firstBad?: { position: Position | null; type?: string; problem: string };
  /** How many events the console did not write, though the chain covers them. */
  foreign?: number;
  /** Whose signature the end of a copy carries. */
  signedBy?: LogIdentity;
}

/** An event as it was hashed, with the hash that was kept. */
export interface Link {
  position: Position;
  hash: string;
  /** What `chainLine` makes of the event. */
  line: string;
  /** As the engine keeps it, where that is known. */
  event?: KeptEvent;
  /** Why this console did not write it. */
  foreign?: string;
}

/** Who seals a log. */
export interface LogIdentity {
  log: string;
  /** Ed25519, SPKI, base64. */
  publicKey: string;
}

/** A log that can be followed from its first event. */
export interface AuditedLog {
  /** Whether positions count without a gap, so that a gap is a missing event. */
  contiguous: boolean;
  /** After which the links begin; default: the beginning of the log. */
  start?: Seal;
  links: AsyncIterable<Link>;
  /** Where the links have to lead, or why nobody knows; known once the links were read. */
  end(): { head: Seal | undefined; problem?: string; signature?: string };
  identity?: LogIdentity;
  /** For a copy. @returns the signature of a seal, base64 */
  sign?(seal: Seal): string;
  /** An event that is kept beside the log's order, where no append can have put it. */
  outside?: { position: Position; type: string; problem: string };
  /** Hashes that are known from elsewhere. */
  known?: readonly Seal[];
}

const PAGE = 5_000;
export const BEGINNING: Seal = { position: START, hash: GENESIS };

export const sealText = ({ position, hash }: Seal): string => `${position}:${hash}`;

/** @throws when the text is no seal */
export const readSeal = (text: string): Seal => {
  const [, position, hash] = /^(\d+):([0-9a-f]{64})$/.exec(text.trim()) ?? [];
  if (position === undefined || hash === undefined) throw new Error('a seal is expected: position:hash');
  return { position, hash };
};

/**
 * A log whose engine keeps no chain: it is computed while reading, and proven by the seals in it and by `kept`, the
 * end of the chain that a read model follows.
 */
export const logOf = (store: EventStore, kept: Seal | undefined): AuditedLog => {
  let head = BEGINNING;
  async function* links(): AsyncGenerator<Link> {
    // A log that is written to all the time has no other end.
    const upTo = await store.head();
    for (let page = await store.readAll(START, { limit: PAGE }); page.length > 0;) {
      for (const event of page) {
        const line = chainLine(event);
        head = { position: event.position, hash: chainLink(head.hash, line) };
        yield { ...head, line, ...(event.foreign !== undefined && { foreign: event.foreign }) };
      }
      if (comparePositions(head.position, upTo) >= 0) return;
      page = await store.readAll(head.position, { limit: PAGE });
    }
  }
  return { contiguous: false, end: () => ({ head }), known: kept ? [kept] : [], links: links() };
};

/** The event type of a raw line, not validated. */
const typeIn = (line: string): string | undefined => /^[^{]*\{[^{}]*?"type":"(\w+)"/.exec(line)?.[1];

type RecordedSeal = z.infer<typeof logEvents.LogSealed.schema>;

/** What an event of type `LogSealed` or `LogArrived` says. A copy may hold anything in its place. */
const sealIn = (line: string): (RecordedSeal & { type: string }) | 'unreadable' | undefined => {
  if (!/"type":"Log(Sealed|Arrived)"/.test(line)) return undefined;
  const type = typeIn(line);
  if (type !== 'LogSealed' && type !== 'LogArrived') return undefined;
  const { data } = Object(parsedText(line)) as { data?: unknown };
  const seal = logEvents.LogSealed.schema.safeParse(data).data;
  return seal && /^\d+$/.test(seal.position) ? { ...seal, type } : 'unreadable';
};

/** @param noted a seal that was kept elsewhere */
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
  /** A seal from where the log was before, with positions of that place, is proven by the one of its arrival here. */
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
    // A foreign event proves nothing, and is named below.
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
        `event ${seal.position} is not the one that was sealed at ${position}: the log was written anew up to there`,
      );
    // Its signature was checked above.
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

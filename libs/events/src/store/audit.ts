/**
 * Proof that the log, or a copy of it, is what was written: every hash is computed anew from the event and the hash
 * before it. What a chain alone cannot show, a tail that somebody cut off or wrote anew as a whole, shows against the
 * head that the log keeps, or against a seal (`position:hash`) that was noted elsewhere.
 *
 * An export is lines of JSON: a header, one line an event with its hash, and the seal. Whoever verifies it needs
 * nothing but the file.
 */
import type { Pool } from 'pg';
import { comparePositions, START, type Position } from '../envelope';
import { SEAL_STREAM } from '../seals.events';
import { chainLine, chainLink, GENESIS } from './chain';
import type { EventStore } from './event-store';

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
}

/** An event as it was hashed, with the hash that was kept. */
export interface Link {
  position: Position;
  hash: string;
  /** What `chainLine` makes of the event. */
  line: string;
}

/** A log that can be followed from its first event. */
export interface AuditedLog {
  /** Whether positions count without a gap, so that a gap is a missing event. */
  contiguous: boolean;
  /** After which the links begin; default: the beginning of the log. */
  start?: Seal;
  /** Where the links have to lead, and what was sealed on the way; known once the links were read. */
  end(): { head: Seal | undefined; seals: readonly Seal[] };
  links: AsyncIterable<Link>;
}

const PAGE = 5_000;
const BEGINNING: Seal = { position: START, hash: GENESIS };

export const sealText = ({ position, hash }: Seal): string => `${position}:${hash}`;

/** @throws when the text is no seal */
export const readSeal = (text: string): Seal => {
  const [, position, hash] = /^(\d+):([0-9a-f]{64})$/.exec(text.trim()) ?? [];
  if (position === undefined || hash === undefined) throw new Error('a seal is expected: position:hash');
  return { position, hash };
};

const sealOf = async (db: Pool): Promise<Seal> => {
  const { rows } = await db.query<Seal>(`select position::text, encode(hash, 'hex') as hash from log.head`);
  return rows[0] ?? BEGINNING;
};

async function* linksOf(db: Pool, start: Seal, head: Seal): AsyncGenerator<Link> {
  for (let after = start.position; comparePositions(after, head.position) < 0;) {
    const { rows } = await db.query<Link>(
      `select position::text, encode(hash, 'hex') as hash,
         log.line(position, stream, revision, event_id, type, log.instant(recorded_at), data::text, meta::text) as line
       from log.events as e where e.position > $1 and e.position <= $2 order by e.position limit ${PAGE}`,
      [after, head.position],
    );
    yield* rows;
    const last = rows.at(-1);
    if (!last) return;
    after = last.position;
  }
}

/** Of one event; undefined where there is none. */
export const hashAt = async (db: Pool, position: Position): Promise<string | undefined> =>
  (
    await db.query<{ hash: string }>(
      `select encode(hash, 'hex') as hash from log.events where position = $1`,
      [position],
    )
  ).rows[0]?.hash;

/**
 * The Postgres engine's log, up to the head as it stands now.
 * @param last only so many links at its end
 */
export const logIn = async (db: Pool, last?: number): Promise<AuditedLog> => {
  const head = await sealOf(db);
  const position = last === undefined ? START : String(Math.max(0, Number(head.position) - last));
  const hash = position === START ? GENESIS : ((await hashAt(db, position)) ?? 'there is no such event');
  const start = { position, hash };
  return { contiguous: true, start, end: () => ({ head, seals: [] }), links: linksOf(db, start, head) };
};

/**
 * A log whose engine keeps no chain: it is computed while reading, and proven by the seals in it and by `kept`, the
 * end of the chain that a read model follows.
 */
export const logOf = async (store: EventStore, kept: Seal | undefined): Promise<AuditedLog> => {
  const seals = (await store.readStream(SEAL_STREAM)).map(({ data }) => data as Seal);
  let head = BEGINNING;
  async function* links(): AsyncGenerator<Link> {
    for (let page = await store.readAll(START, { limit: PAGE }); page.length > 0;) {
      for (const event of page) {
        const line = chainLine(event);
        head = { position: event.position, hash: chainLink(head.hash, line) };
        yield { ...head, line };
      }
      page = await store.readAll(head.position, { limit: PAGE });
    }
  }
  return { contiguous: false, end: () => ({ head, seals: kept ? [...seals, kept] : seals }), links: links() };
};

/** As it stands there, whether it is right or not. */
const typeIn = (line: string): string | undefined => /^[^{]*\{[^{}]*?"type":"(\w+)"/.exec(line)?.[1];

/** @param noted a seal that was kept elsewhere */
export async function verify(
  { links, end, contiguous, start = BEGINNING }: AuditedLog,
  noted?: Seal,
): Promise<AuditResult> {
  let at = start;
  let events = 0;
  const bad = (position: Position | null, problem: string, line = ''): AuditResult => {
    const type = typeIn(line);
    const named = type === undefined ? problem : `${problem} (${type})`;
    return { ok: false, events, head: at, firstBad: { position, ...(type && { type }), problem: named } };
  };
  const sealed = new Map(
    [...end().seals, ...(noted ? [noted] : [])].map(({ position, hash }) => [position, hash]),
  );
  for await (const { position, hash, line } of links) {
    const next = String(BigInt(at.position) + 1n);
    if (comparePositions(position, next) < 0)
      return bad(position, `event ${position} stands after ${at.position}: doubled or out of order`, line);
    if (contiguous && position !== next)
      return bad(next, `event ${next} is missing: ${position} comes after ${at.position}`);
    if (!line.startsWith(`{"position":"${position}",`))
      return bad(position, `event ${position} says another position`, line);
    if (chainLink(at.hash, line) !== hash)
      return bad(
        position,
        `event ${position} was altered, or one was taken away or put in before it: its hash does not follow`,
        line,
      );
    if ((sealed.get(position) ?? hash) !== hash)
      return bad(
        position,
        `event ${position} is not the one that was sealed: the log was written anew up to here`,
        line,
      );
    sealed.delete(position);
    at = { position, hash };
    events += 1;
  }
  const { head } = end();
  if (!head) return bad(null, 'the end is missing: the file was cut off');
  if (head.position !== at.position)
    return bad(
      String(BigInt(at.position) + 1n),
      `events after ${at.position} are missing: the log ended at ${head.position}`,
    );
  if (head.hash !== at.hash)
    return bad(at.position, `event ${at.position} is not the last one that was written`);
  sealed.delete(START);
  for (const position of sealed.keys()) return bad(position, `event ${position} is missing: it was sealed`);
  return { ok: true, events, head: at };
}

/** The Postgres engine's log, straight from its database. */
export const verifyLog = async (db: Pool, noted?: Seal): Promise<AuditResult> =>
  verify(await logIn(db), noted);

/** The lines of an export, without their line ends. */
export async function* exportLog({ links, end, contiguous }: AuditedLog, at: string): AsyncGenerator<string> {
  yield JSON.stringify({
    quarterdeck: 'event log',
    version: 1,
    genesis: GENESIS,
    contiguous,
    exportedAt: at,
  });
  for await (const { hash, line } of links) yield `{"hash":"${hash}","event":${line}}`;
  yield JSON.stringify({ seal: end().head });
}

const EVENT_LINE = /^\{"hash":"([0-9a-f]{64})","event":(\{"position":"(\d{1,20})",.*\})\}$/s;
const SEAL_LINE = /^\{"seal":\{"position":"(\d{1,20})","hash":"([0-9a-f]{64})"\}\}$/;

class NoExport extends Error {}

const HEADER_LINE = /^\{"quarterdeck":"event log","version":1,.*"contiguous":(true|false),/;

/** @returns what its header says, and its other lines one by one */
async function opened(
  lines: AsyncIterator<string>,
): Promise<{ contiguous: boolean; rest: AsyncGenerator<string> }> {
  const first = await lines.next();
  if (first.done) throw new NoExport('the file is empty');
  const [, contiguous] = HEADER_LINE.exec(first.value) ?? [];
  if (contiguous === undefined) throw new NoExport('this is no export of a log');
  async function* rest(): AsyncGenerator<string> {
    for (let line = await lines.next(); !line.done; line = await lines.next()) yield line.value;
  }
  return { contiguous: contiguous === 'true', rest: rest() };
}

async function* linksIn(lines: AsyncIterable<string>, found: (seal: Seal) => void): AsyncGenerator<Link> {
  let count = 1;
  let sealed = false;
  for await (const text of lines) {
    count += 1;
    const [, sealPosition, sealHash] = SEAL_LINE.exec(text) ?? [];
    const [, hash, line, position] = EVENT_LINE.exec(text) ?? [];
    if (sealed) throw new NoExport(`line ${count} stands after the seal`);
    if (sealPosition !== undefined && sealHash !== undefined) {
      sealed = true;
      found({ position: sealPosition, hash: sealHash });
    } else if (hash !== undefined && line !== undefined && position !== undefined)
      yield { position, hash, line };
    else throw new NoExport(`line ${count} is neither an event nor a seal`);
  }
}

/**
 * @param lines of an export, in order
 * @param noted a seal that was kept elsewhere
 */
export async function verifyExport(lines: AsyncIterable<string>, noted?: Seal): Promise<AuditResult> {
  let head: Seal | undefined;
  try {
    const { contiguous, rest } = await opened(lines[Symbol.asyncIterator]());
    const links = linksIn(rest, (found) => (head = found));
    return await verify({ contiguous, links, end: () => ({ head, seals: [] }) }, noted);
  } catch (error) {
    if (!(error instanceof NoExport)) throw error;
    return { ok: false, events: 0, head: BEGINNING, firstBad: { position: null, problem: error.message } };
  }
}

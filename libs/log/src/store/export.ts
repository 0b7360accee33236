/**
 * A copy of the log that can be verified from the file alone: a header, one line of JSON per event with its hash, and
 * the seal.
 */
import { z } from 'zod';
import { BEGINNING, verify, type AuditedLog, type AuditResult, type Link, type Seal } from './audit';
import { GENESIS } from './chain';

/** The lines of an export, without their line ends. */
export async function* exportLog(
  { links, end, contiguous, identity, sign }: AuditedLog,
  at: string,
): AsyncGenerator<string> {
  const version = identity ? 2 : 1;
  yield JSON.stringify({
    quarterdeck: 'event log',
    version,
    genesis: GENESIS,
    contiguous,
    exportedAt: at,
    ...identity,
  });
  for await (const { hash, line } of links) yield `{"hash":"${hash}","event":${line}}`;
  const { head } = end();
  yield JSON.stringify({ seal: head, ...(head && sign && { signature: sign(head) }) });
}

const EVENT_LINE = /^\{"hash":"([0-9a-f]{64})","event":(\{"position":"(\d{1,20})",.*\})\}$/s;
const SEAL_LINE =
  /^\{"seal":\{"position":"(\d{1,20})","hash":"([0-9a-f]{64})"\}(?:,"signature":"([A-Za-z0-9+/=]{1,200})")?\}$/;

type End = ReturnType<AuditedLog['end']>;

class NoExport extends Error {}

const UNSIGNED = 'the signature at the end is missing: the first line names the key that made it';

const header = z.object({
  quarterdeck: z.literal('event log'),
  version: z.union([z.literal(1), z.literal(2)]),
  contiguous: z.boolean(),
  log: z.string().optional(),
  publicKey: z.string().optional(),
});

const headerIn = (line: string): z.infer<typeof header> | undefined => {
  try {
    return header.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
};

/** @returns the header, and an iterator over the other lines */
async function opened(
  lines: AsyncIterator<string>,
): Promise<Pick<AuditedLog, 'contiguous' | 'identity'> & { rest: AsyncGenerator<string> }> {
  const first = await lines.next();
  if (first.done) throw new NoExport('the file is empty');
  const found = headerIn(first.value);
  if (!found) throw new NoExport('this is no export of a log');
  async function* rest(): AsyncGenerator<string> {
    for (let line = await lines.next(); !line.done; line = await lines.next()) yield line.value;
  }
  const { contiguous, log, publicKey } = found;
  const identity = log !== undefined && publicKey !== undefined ? { log, publicKey } : undefined;
  return { contiguous, rest: rest(), ...(identity && { identity }) };
}

async function* linksIn(lines: AsyncIterable<string>, found: (end: End) => void): AsyncGenerator<Link> {
  let count = 1;
  let sealed = false;
  for await (const text of lines) {
    count += 1;
    const [, sealPosition, sealHash, signature] = SEAL_LINE.exec(text) ?? [];
    const [, hash, line, position] = EVENT_LINE.exec(text) ?? [];
    if (sealed) throw new NoExport(`line ${count} comes after the seal`);
    if (sealPosition !== undefined && sealHash !== undefined) {
      sealed = true;
      const head = { position: sealPosition, hash: sealHash };
      found({ head, ...(signature !== undefined && { signature }) });
    } else if (hash !== undefined && line !== undefined && position !== undefined)
      yield { position, hash, line };
    else throw new NoExport(`line ${count} is neither an event nor a seal`);
  }
}

/**
 * @param lines of an export, in order
 * @param noted a seal that was stored outside of the log
 */
export async function verifyExport(lines: AsyncIterable<string>, noted?: Seal): Promise<AuditResult> {
  let end: End = { head: undefined };
  try {
    const { rest, ...about } = await opened(lines[Symbol.asyncIterator]());
    const links = linksIn(rest, (found) => (end = found));
    const result = await verify({ ...about, links, end: () => end }, noted);
    // A log with a key signs every export, so a signature that is missing was taken away.
    if (result.ok && about.identity && end.signature === undefined)
      return { ...result, ok: false, firstBad: { position: null, problem: UNSIGNED } };
    return result;
  } catch (error) {
    if (!(error instanceof NoExport)) throw error;
    return { ok: false, events: 0, head: BEGINNING, firstBad: { position: null, problem: error.message } };
  }
}

/**
 * A copy of the log that proves itself: lines of JSON, a header, one line an event with its hash, and the seal. Its
 * verification needs nothing but the file.
 */
import { BEGINNING, verify, type AuditedLog, type AuditResult, type Link, type Seal } from './audit';
import { GENESIS } from './chain';

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
    if (sealed) throw new NoExport(`line ${count} comes after the seal`);
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
    return await verify({ contiguous, links, end: () => ({ head }) }, noted);
  } catch (error) {
    if (!(error instanceof NoExport)) throw error;
    return { ok: false, events: 0, head: BEGINNING, firstBad: { position: null, problem: error.message } };
  }
}

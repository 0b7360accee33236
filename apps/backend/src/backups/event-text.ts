/** Converts events to lines of a part, and back. The columns are the same for every engine of the log. */
import {
  BEGINNING,
  chainLink,
  rawLine,
  type KeptEvent,
  type LogEngine,
  type Seal,
} from '@quarterdeck/log/store';
import type { Position } from '@quarterdeck/events';
import { ArchiveRefused } from './archive/head';
import { copyLine, linesOf, SECTION_END, sectionHead, valuesIn, type Section } from './archive/copy-text';

export const EVENTS_TABLE = 'log.events';
export const EVENT_COLUMNS = [
  'position',
  'stream',
  'revision',
  'event_id',
  'type',
  'data',
  'meta',
  'recorded_at',
  'hash',
] as const;

const PAGE = 2_000;

const linked = ({ hash }: Seal, event: KeptEvent): Seal => ({
  position: event.position,
  hash: chainLink(hash, rawLine(event)),
});

/** For an engine without a table that could be copied: the events after a seal, up to a position. */
export async function* eventSection(
  log: LogEngine,
  { after, upTo }: { after: Seal; upTo: Position },
  onEvents: (count: number, end: Seal) => void,
): AsyncGenerator<Buffer> {
  yield sectionHead(EVENTS_TABLE, EVENT_COLUMNS);
  let end = after;
  for await (const taken of log.readOn(after.position, { upTo, size: PAGE })) {
    const lines: string[] = [];
    for (const event of taken) {
      end = linked(end, event);
      const { position, stream, revision, id, type, data, meta, recordedAt } = event;
      lines.push(
        copyLine([position, stream, `${revision}`, id, type, data, meta, recordedAt, `\\x${end.hash}`]),
      );
    }
    onEvents(taken.length, end);
    yield Buffer.from(lines.join(''));
  }
  yield SECTION_END;
}

const eventIn = (line: string): { event: KeptEvent; hash: string } => {
  const [position = '', stream = '', revision, id = '', type = '', data = '', meta = '', at = '', hash = ''] =
    valuesIn(line);
  const recordedAt = new Date(at).toISOString();
  const event = { position, stream, revision: Number(revision), id, type, data, meta, recordedAt };
  return { event, hash: hash.slice(2) };
};

/**
 * The events of a part, page by page, each verified against the hash before it.
 * @param after the end of the previous archive
 * @throws ArchiveRefused
 */
export async function* eventsIn(
  { table, columns, rows }: Section,
  { file, after = BEGINNING }: { file: string; after?: Seal },
): AsyncGenerator<{ events: KeptEvent[]; end: Seal }> {
  if (table !== EVENTS_TABLE || columns.join() !== EVENT_COLUMNS.join())
    throw new ArchiveRefused(`${file}: part log of the archive has other columns than events have`);
  let end = after;
  let events: KeptEvent[] = [];
  for await (const line of linesOf(rows)) {
    const { event, hash } = eventIn(line);
    end = linked(end, event);
    if (end.hash !== hash)
      throw new ArchiveRefused(
        `${file}: part log of the archive is altered at event ${event.position}: its hash does not follow`,
      );
    events.push(event);
    if (events.length < PAGE) continue;
    yield { events, end };
    events = [];
  }
  if (events.length > 0) yield { events, end };
}

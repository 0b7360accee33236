/** Restores the parts of archives into an empty database and an empty event log. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { START, type Position } from '@quarterdeck/events';
import type { LogEngine, Seal } from '@quarterdeck/log/store';
import { Client, type ClientBase } from 'pg';
import { from } from 'pg-copy-streams';
import { sectionsIn, type Section } from '../archive/copy-text';
import { ArchiveRefused } from '../archive/head';
import { openPart, type Archive, type Keys } from '../archive/read';
import { eventsIn } from '../event-text';
import { LOG_PART, PARTS, type TableRows } from '../tables';
import { inWords, isBeyond, type UpTo } from './plan';

export type Tell = (what: string) => void;

const keyOf = async (client: ClientBase, table: string): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `select a.attname as name from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
     where i.indrelid = $1::regclass and i.indisprimary`,
    [table],
  );
  return rows.map(({ name }) => name);
};

const copyInto = async (client: ClientBase, table: string, { columns, rows }: Section): Promise<void> => {
  const copy = client.query(from(`copy ${table} (${columns.join(', ')}) from stdin`));
  await pipeline(Readable.from(rows, { objectMode: false }), copy);
};

/** Replaces rows that have the same key. */
const merge = async (client: ClientBase, section: Section): Promise<void> => {
  const { table, columns } = section;
  const same = (await keyOf(client, table)).map((name) => `old.${name} = incoming.${name}`).join(' and ');
  await client.query(
    `create temporary table incoming on commit drop as select ${columns.join(', ')} from ${table} limit 0`,
  );
  await copyInto(client, 'incoming', section);
  await client.query(`delete from ${table} old using incoming where ${same}`);
  await client.query(
    `insert into ${table} (${columns.join(', ')}) select ${columns.join(', ')} from incoming`,
  );
  await client.query('drop table incoming');
};

const LINE_FEED = 0x0a;

const linesIn = (block: Buffer): number => {
  let count = 0;
  for (let at = block.indexOf(LINE_FEED); at >= 0; at = block.indexOf(LINE_FEED, at + 1)) count += 1;
  return count;
};

/** @throws ArchiveRefused if there are more rows than the head of the archive says */
async function* counted(
  { table, rows }: Section,
  { file, count, tell }: { file: string; count: number; tell: () => void },
): AsyncGenerator<Buffer> {
  let found = 0;
  for await (const block of rows) {
    found += linesIn(block);
    if (found > count)
      throw new ArchiveRefused(`${file}: it has more rows of ${table} than the ${count} that its head says`);
    tell();
    yield block;
  }
}

/** Restores the tables of one archive, all or none of them. */
export const putBackTables = async (
  url: string,
  archive: Archive,
  { key, tables, tell }: { key: Keys; tables: { rows: TableRows }; tell: Tell },
): Promise<void> => {
  const client = new Client({ connectionString: url, application_name: 'quarterdeck restore' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`set statement_timeout = 0; set timezone = 'UTC'; begin`);
    for (const part of PARTS)
      for await (const section of sectionsIn(await openPart(archive, part, key))) {
        const kept = tables.rows[section.table];
        if (!kept || !('kept' in kept))
          throw new ArchiveRefused(`${archive.file}: it has a table ${section.table} that is not kept`);
        const count = archive.head.parts.find(({ name }) => name === part)?.rows[section.table] ?? 0;
        const what = `${section.table}: ${count} rows`;
        tell(what);
        const rows = counted(section, { file: archive.file, count, tell: () => tell(what) });
        if (kept.grows && archive.head.base !== null) await merge(client, { ...section, rows });
        else {
          await client.query(`delete from ${section.table}`);
          await copyInto(client, section.table, { ...section, rows });
        }
      }
    await client.query('commit');
  } finally {
    await client.end();
  }
};

/** @throws ArchiveRefused if the log begins after that moment: nothing could be restored */
export const refuseBeforeLog = async (archive: Archive, key: Keys, upTo: UpTo): Promise<void> => {
  const part = await openPart(archive, LOG_PART, key);
  try {
    for await (const section of sectionsIn(part))
      for await (const { events } of eventsIn(section, {
        file: archive.file,
        after: archive.head.log.after,
      })) {
        const first = events[0]!;
        if (!isBeyond(upTo, first)) return;
        throw new ArchiveRefused(
          `${archive.file}: the log begins at position ${first.position}, recorded at ${first.recordedAt}: after ${inWords(upTo)}`,
        );
      }
  } finally {
    part.destroy();
  }
};

/**
 * Restores the events of all archives in order, each verified against the hash before it, up to the first one that is
 * not wanted.
 * @returns the end of the log, in positions of the archive
 */
export const putBackEvents = async (
  engine: LogEngine,
  archives: readonly Archive[],
  { key, upTo, tell }: { key: Keys; upTo: UpTo | undefined; tell: Tell },
): Promise<Position> => {
  let last = START;
  let count = 0;
  for (const archive of archives) {
    const { file, head } = archive;
    const { end, after } = head.log;
    let found: Seal = after;
    for await (const section of sectionsIn(await openPart(archive, LOG_PART, key)))
      // The next page is read and verified while the database stores this one.
      for await (const page of ahead(eventsIn(section, { file, after }))) {
        const beyond = page.events.findIndex((event) => isBeyond(upTo, event));
        const wanted = beyond < 0 ? page.events : page.events.slice(0, beyond);
        if (wanted.length > 0) await engine.takeIn(wanted);
        last = wanted.at(-1)?.position ?? last;
        count += wanted.length;
        tell(`${count.toLocaleString('en')} events`);
        if (beyond >= 0) return last;
        found = page.end;
      }
    if (found.hash !== end.hash)
      throw new ArchiveRefused(`${file}: part log of the archive does not end as its head says`);
  }
  return last;
};

/** Requests the next piece while the current one is being processed. */
export async function* ahead<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const pieces = source[Symbol.asyncIterator]();
  const ask = (): Promise<IteratorResult<T>> => {
    const asked = pieces.next();
    // An error is reported when the consumer reaches this piece. Until then it must not count as unhandled.
    asked.catch(() => undefined);
    return asked;
  };
  try {
    for (let next = ask(); ;) {
      const { done, value } = await next;
      if (done) return;
      next = ask();
      yield value;
    }
  } finally {
    await pieces.return?.();
  }
}

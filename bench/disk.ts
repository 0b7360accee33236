/**
 * What a command costs on disk: bytes of tables with their indexes, and of write-ahead log, over a random mix of
 * commands on all nouns. Lists the relations with the most bytes, and the indexes that no query has used.
 */
import { Client } from 'pg';
import { operator } from '../testing/operator';
import { Story } from '../e2e/as-of/story';
import { spawnConsole } from './backend';
import { withDurablePostgres } from './durable-postgres';
import { amountOf, finish, state, type Line } from './harness';

const DEEDS = amountOf(6000);
/** Tables that are almost empty would count by their pages of 8 kB. */
const WARM_UP = DEEDS / 10;
const CALLERS = 4;

interface Sizes {
  commands: number;
  events: number;
  wal: number;
  /** Place in the log. */
  at: string;
  records: number;
  /** Whole pages in the log: of each page, the first change after a checkpoint. */
  pages: number;
  relations: Map<string, number>;
}

const RELATIONS = `
  select n.nspname || '.' || regexp_replace(c.relname, '_v\\d+_\\d+', '') as name, sum(pg_relation_size(c.oid))::float8 as bytes
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('log', 'read', 'read_build', 'app', 'pg_toast') and c.relkind in ('r', 'i', 't') group by 1`;

const sizesOf = async (db: Client): Promise<Sizes> => {
  const { rows: counts } = await db.query<
    Record<'at' | 'commands' | 'events' | 'wal' | 'records' | 'pages', string>
  >(
    `select (select count(distinct meta->>'causationId') from log.events) as commands,
       (select count(*) from log.events) as events,
       wal_bytes as wal, pg_current_wal_insert_lsn() as at, wal_records as records, wal_fpi as pages from pg_stat_wal`,
  );
  const { rows } = await db.query<{ name: string; bytes: number }>(RELATIONS);
  return {
    commands: Number(counts[0]?.commands),
    events: Number(counts[0]?.events),
    at: counts[0]?.at ?? '',
    wal: Number(counts[0]?.wal),
    records: Number(counts[0]?.records),
    pages: Number(counts[0]?.pages),
    relations: new Map(rows.map(({ name, bytes }) => [name, bytes])),
  };
};

/** Bytes of the write-ahead log by relation, without whole pages. A record that changes several relations counts for each. */
const LOGGED = `
  select coalesce(n.nspname || '.' || regexp_replace(c.relname, '_v\\d+_\\d+', ''), b.resource_manager || ', none') as name,
    sum(b.record_length)::float8 as bytes
  from (
    select start_lsn, resource_manager, min(record_length - fpi) as record_length, relfilenode from (
      select *, sum(block_fpi_length) over (partition by start_lsn) as fpi from pg_get_wal_block_info($1, $2)) b
    group by 1, 2, 4
    union all
    select start_lsn, resource_manager, record_length, null from pg_get_wal_records_info($1, $2) where block_ref is null) b
  left join pg_class c on c.relfilenode = b.relfilenode left join pg_namespace n on n.oid = c.relnamespace
  group by 1 order by 2 desc limit 24`;

/** Bytes of whole pages. How many there are depends on the time: each checkpoint begins anew. */
const WHOLE_PAGES = `select coalesce(sum(fpi_length), 0)::float8 as bytes from pg_get_wal_records_info($1, $2)`;

const sum = (values: Iterable<number>): number => [...values].reduce((all, one) => all + one, 0);
const kB = (bytes: number): string => `${(bytes / 1000).toFixed(2)} kB`;

const main = async (): Promise<void> => {
  const lines: Line[] = [];
  await withDurablePostgres(async (url) => {
    const backend = await spawnConsole(url);
    const db = new Client({ connectionString: url });
    await db.connect();
    await db.query(`create extension if not exists pg_walinspect`);
    await db.query(`alter system set wal_keep_size = '8GB'`);
    await db.query('select pg_reload_conf()');
    try {
      const who = await operator(backend.url).signIn(
        new URL(backend.signInLink).searchParams.get('code') ?? '',
      );
      const stories = Array.from({ length: CALLERS }, (_, at) => new Story(who, '', 1_000 + at));
      const goOn = (deeds: number) =>
        Promise.all(
          stories.map(async (story) => {
            for (let deed = 0; deed < deeds / CALLERS; deed += 1) await story.goOn();
          }),
        );
      await goOn(WARM_UP);
      const before = await sizesOf(db);
      await goOn(DEEDS);
      const after = await sizesOf(db);
      const commands = after.commands - before.commands;
      const grown = new Map(
        [...after.relations].map(([name, bytes]) => [
          name,
          (bytes - (before.relations.get(name) ?? 0)) / commands,
        ]),
      );
      const of = `for each of ${commands.toLocaleString('en')} commands`;
      const tables = sum(grown.values());
      const { rows: whole } = await db.query<{ bytes: number }>(WHOLE_PAGES, [before.at, after.at]);
      const pages = (whole[0]?.bytes ?? 0) / commands;
      const wal = (after.wal - before.wal) / commands - pages;
      lines.push(
        state('tables and indexes', tables, { atMost: 4200 }, `${kB(tables)} ${of}`),
        state('write-ahead log', wal, { atMost: 9000 }, `${kB(wal)} ${of}, and ${kB(pages)} of whole pages`),
      );
      const each = (of: 'events' | 'records' | 'pages') => ((after[of] - before[of]) / commands).toFixed(2);
      console.log(
        `  of each command: ${each('events')} events, ${each('records')} records, ${each('pages')} whole pages`,
      );
      for (const [name, bytes] of [...grown].toSorted((a, b) => b[1] - a[1]).slice(0, 24))
        console.log(`  ${name.padEnd(62)} ${kB(bytes)}`);
      const { rows } = await db.query<{ name: string; bytes: number }>(LOGGED, [before.at, after.at]);
      console.log('  in the write-ahead log:');
      for (const { name, bytes } of rows) console.log(`  ${name.padEnd(62)} ${kB(bytes / commands)}`);
    } finally {
      await db.end();
      await backend.stop();
    }
  });
  finish(lines);
};

await main();
// The pool of the caller would keep the process alive.
process.exit();

/**
 * What a command costs on disk: bytes of tables with their indexes, and of write-ahead log, over a random mix of
 * commands on all nouns. Lists the relations with the most bytes, and the indexes that no query has used.
 */
import { Client } from 'pg';
import { operator } from '../e2e/peers/operator';
import { Story } from '../e2e/time-travel/story';
import { spawnConsole } from './backend';
import { withDurablePostgres } from './durable-postgres';
import { amountOf, finish, state, type Line } from './harness';

const DEEDS = amountOf(6000);
/** Tables that are almost empty would count by their pages of 8 kB. */
const WARM_UP = DEEDS / 10;
const CALLERS = 4;

interface Sizes {
  commands: number;
  wal: number;
  relations: Map<string, number>;
}

const RELATIONS = `
  select n.nspname || '.' || regexp_replace(c.relname, '_v\\d+_\\d+', '') as name, sum(pg_relation_size(c.oid))::float8 as bytes
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('log', 'read', 'read_build', 'app', 'pg_toast') and c.relkind in ('r', 'i', 't') group by 1`;

const sizesOf = async (db: Client): Promise<Sizes> => {
  const { rows: counts } = await db.query<{ commands: string; wal: string }>(
    `select (select count(distinct meta->>'causationId') from log.events) as commands,
       pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as wal`,
  );
  const { rows } = await db.query<{ name: string; bytes: number }>(RELATIONS);
  return {
    commands: Number(counts[0]?.commands),
    wal: Number(counts[0]?.wal),
    relations: new Map(rows.map(({ name, bytes }) => [name, bytes])),
  };
};

const sum = (values: Iterable<number>): number => [...values].reduce((all, one) => all + one, 0);
const kB = (bytes: number): string => `${(bytes / 1000).toFixed(2)} kB`;

const main = async (): Promise<void> => {
  const lines: Line[] = [];
  await withDurablePostgres(async (url) => {
    const backend = await spawnConsole(url);
    const db = new Client({ connectionString: url });
    await db.connect();
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
      const wal = (after.wal - before.wal) / commands;
      lines.push(
        state('tables and indexes', tables, { atMost: 2650 }, `${kB(tables)} ${of}`),
        state('write-ahead log', wal, { atMost: 3250 }, `${kB(wal)} ${of}`),
      );
      for (const [name, bytes] of [...grown].toSorted((a, b) => b[1] - a[1]).slice(0, 24))
        console.log(`  ${name.padEnd(52)} ${kB(bytes)}`);
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

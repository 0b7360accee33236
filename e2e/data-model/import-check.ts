/** The program of `scripts/import-check.mjs`. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Dialect } from '@quarterdeck/data-model';
import { startEngines, type Engine } from './engines';
import { roundTrip } from './round-trip';

/** What only dumps of MySQL and MariaDB have. */
const MYSQL = /`|\bengine\s*=|\bauto_increment\b/i;
const POSTGRESQL = /\bplpgsql\b|\bcreate extension\b|\bcharacter varying\b|\bserial\b/i;

const dialectOf = (dump: string): Dialect =>
  MYSQL.test(dump) && !POSTGRESQL.test(dump) ? 'mysql' : 'postgresql';

/** A dump may choose a database or a schema itself, and what it makes has to come into ours. */
const ELSEWHERE: Record<Dialect, readonly (readonly [RegExp, string])[]> = {
  mysql: [[/^\s*(?:(?:create|drop) (?:database|schema)|use)\b[^;]*;/gim, '']],
  postgresql: [
    [/^\\c(?:onnect)? .*$/gim, ''],
    [/^\s*(?:(?:create|drop) (?:database|schema)|set search_path)\b[^;]*;/gim, ''],
    [/^select pg_catalog\.set_config\('search_path'.*$/gim, ''],
    [/\bpublic\./g, ''],
    // A database has an extension once, and its other schemas use it.
    [/^\s*(create extension (?:if not exists )?[\w"-]+)[^;]*;/gim, '$1 schema public;'],
  ],
};

const engines = await startEngines();
const yes = (these: readonly string[]): string => (these.length === 0 ? 'yes' : `no (${these.length})`);
const MAX_LINES = 20;
let isFine = true;

const rows: string[][] = [
  ['dump', 'engine', 'tables', 'columns', 'imported whole', 'statements', 'same on empty'],
];
try {
  for (const file of process.argv.slice(2)) {
    const dialect = dialectOf(fs.readFileSync(file, 'latin1'));
    for (const engine of engines.filter((one) => one.dialect === dialect))
      rows.push(await check(file, engine));
  }
} finally {
  for (const engine of engines) await engine.stop();
}
const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
for (const row of rows) console.log(row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '));
process.exitCode = isFine ? 0 : 1;

async function check(file: string, engine: Engine): Promise<string[]> {
  const name = path.basename(file);
  const [origin, empty] = [await engine.fresh(), await engine.fresh()];
  const [program = '', ...words] = origin.client;
  // The clients know what a server does not: DELIMITER, COPY and the commands of psql.
  const { stderr, error } = spawnSync(program, words, {
    input: ELSEWHERE[engine.dialect].reduce(
      (dump, [pattern, instead]) => dump.replaceAll(pattern, instead),
      fs.readFileSync(file, 'latin1'),
    ),
    encoding: 'latin1',
    maxBuffer: Infinity,
  });
  if (error) throw new Error(`${program} is needed, and could not be run: ${error.message}`);
  const { tables, columns, leftAlone, lost, statements, differences } = await roundTrip(origin, empty);
  const refused = stderr.split('\n').filter((line) => line.includes('ERROR'));
  say(`${name} on ${engine.name}: refused by the server`, refused);
  say(`${name} on ${engine.name}: left alone`, leftAlone);
  say(`${name} on ${engine.name}: lost`, lost);
  say(`${name} on ${engine.name}: statements of version 1`, statements);
  say(`${name} on ${engine.name}: different`, differences);
  if (tables === 0 || lost.length + statements.length + differences.length > 0) isFine = false;
  await origin.drop();
  await empty.drop();
  return [
    name,
    engine.name,
    String(tables),
    String(columns),
    yes(lost),
    String(statements.length),
    yes(differences),
  ];
}

function say(what: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  console.log(`${what}:`);
  for (const line of lines.slice(0, MAX_LINES)) console.log(`  ${line}`);
  if (lines.length > MAX_LINES) console.log(`  and ${lines.length - MAX_LINES} more`);
}

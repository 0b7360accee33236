/**
 * `node scripts/keep-day.mjs <name> <commit>`: stores the database of a console of an earlier commit for the tests of
 * later ones, in e2e/backups/days/<name>.json.br: the statements that made its schemas, its rows with all nouns, and what
 * its lists answered. That is a hundredth of its DATA_DIR. `--checkout <folder>`: a built working tree of that commit.
 */
import './supported-node.mjs';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { brotliCompressSync } from 'node:zlib';
import pg from 'pg';
import { to } from 'pg-copy-streams';
import { bundle } from './bundle.mjs';

const root = path.dirname(import.meta.dirname);
const [name, commit, , given] = process.argv.slice(2);
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-keep-day-'));
// When root runs this, Postgres runs as another user, who must be able to reach the folder.
fs.chmodSync(home, 0o755);
const dataDir = path.join(home, 'data');
/** The one of the tests, which open the vault with it. */
const MASTER_KEY = Buffer.alloc(32, 'test master key').toString('base64');
const LISTS = [
  'alert/list',
  'data-model/attribute/list',
  'data-model/entity/list',
  'data-model/option-set/list',
  'data-model/option-set/value/list',
  'database/list',
  'deploy/logs/list',
  'deploy/release/list',
  'history/list',
  'invitation/list',
  'package/list',
  'product/list',
  'registry/list',
  'script/list',
  'server/list',
  'service/list',
];
const DATABASE = 'kept';
const consoles = [];

try {
  const checkout = given ?? builtCheckout();
  // The first console starts the embedded Postgres. The second one's database is kept: Postgres logs how it is made.
  await started(checkout, { DATA_DIR: dataDir });
  const server = urlOfPostgres();
  await inDatabase(server, async (db) => {
    await db.query(`create database ${DATABASE}`);
    await db.query(`alter database ${DATABASE} set log_statement = 'ddl'`);
  });
  const url = server.replace(/[^/]*$/, DATABASE);
  const place = { DATA_DIR: path.join(home, 'none'), DATABASE_URL: url, MASTER_KEY };
  const lists = await filled(await started(checkout, place));
  await ended(consoles.pop());
  const statements = statementsIn(fs.readFileSync(path.join(dataDir, 'postgres/server.log'), 'utf8'));
  const rows = await inDatabase(url, rowsOf);
  const target = path.join(root, 'e2e/backups/days', `${name}.json.br`);
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.writeFileSync(target, brotliCompressSync(JSON.stringify({ commit, statements, rows, lists })));
  console.log(`${target}: ${fs.statSync(target).size} bytes, ${statements.length} statements`);
} finally {
  for (const one of consoles.reverse()) await ended(one);
  fs.rmSync(home, { recursive: true, force: true });
}

function builtCheckout() {
  const checkout = path.join(home, 'checkout');
  const run = (command, args, cwd) => execFileSync(command, args, { cwd, stdio: 'inherit' });
  fs.mkdirSync(checkout);
  run('sh', ['-c', 'git archive "$0" | tar -x -C "$1"', commit, checkout], root);
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], checkout);
  run(process.execPath, ['scripts/build.mjs'], checkout);
  return checkout;
}

/** Resolves to the sign-in link. */
async function started(checkout, place) {
  const quiet = {
    PORT: '0',
    HEALTH_CHECKS: 'off',
    DNS_CHECKS: 'off',
    SITE_CHECKS: 'off',
    BACKUPS: 'off',
    LOG_LEVEL: 'error',
  };
  const child = spawn(process.execPath, ['dist/backend/main.js'], {
    cwd: checkout,
    env: { PATH: process.env.PATH, ...quiet, ...place },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  consoles.push(child);
  let signIn;
  for await (const line of createInterface({ input: child.stdout })) {
    signIn = /^sign in (\S+)$/.exec(line)?.[1];
    if (signIn) break;
  }
  if (!signIn) throw new Error(`the console of ${commit} did not start`);
  child.stdout.resume();
  return new URL(signIn);
}

async function ended(child) {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

function urlOfPostgres() {
  const file = (of) => fs.readFileSync(path.join(dataDir, `postgres.${of}`), 'utf8').trim();
  return `postgres://postgres:${file('password')}@127.0.0.1:${file('port')}/postgres`;
}

async function inDatabase(connectionString, work) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Fills what consoles of that commit have, and asks for what they list. */
async function filled(signIn) {
  let cookie = '';
  const post = async (call, body = {}) => {
    const answer = await fetch(new URL(`/api/${call}`, signIn), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-requested-with': 'keep-day', cookie },
      body: JSON.stringify(body),
    });
    cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    return { status: answer.status, body: await answer.json() };
  };
  const must = async (call, body) => {
    const answer = await post(call, body);
    // A console without that call came before it.
    if (answer.status !== 200 && answer.status !== 404)
      throw new Error(`${call}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  };
  await must('auth/link', { code: signIn.searchParams.get('code') });
  const script = { name: 'Kept script', body: 'echo kept', changes: true, timeoutSeconds: 60 };
  await must('script/insert', script);
  await must('product/insert', { data: { name: 'Kept product', description: `made by ${commit}` } });
  const webhook = { url: 'https://hooks.example.org/console', secret: 'sixteen characters' };
  await must('workspace/alerts', { thresholds: [21, 7], webhook });
  const { fillDay } = await import(await bundle('e2e/backups/fill-day.ts'));
  console.log(`${await fillDay(signIn.origin, cookie)} calls were accepted`);
  const lists = {};
  for (const call of LISTS) {
    const { status, body } = await post(call);
    if (status === 200) lists[call] = body;
  }
  return lists;
}

/** The statements that Postgres logged. It continues a statement on lines that begin with a tab. */
function statementsIn(log) {
  return [...log.matchAll(/ LOG: {2}(?:statement|execute [^:]*): (.*(?:\n\t.*)*)/g)]
    .map(([, statement]) => statement.replaceAll('\n\t', '\n'))
    .filter((statement) => !/^(?:create|alter) database /.test(statement));
}

/** The rows of every table, as text of COPY. */
async function rowsOf(db) {
  await db.query(`set timezone = 'UTC'`);
  const { rows } = await db.query(
    `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
     where schemaname in ('app', 'log', 'read', 'read_build') order by 1`,
  );
  const all = {};
  for (const { name } of rows) all[name] = await text(db.query(to(`copy ${name} to stdout`)));
  return all;
}

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { startPostgres, stopPostgres } from './postgres-server';
import { asConsole } from './postgres-server-role';
import { until } from '../../../../../testing/patience';

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-postgres-role-'));
const open: Client[] = [];
let url: string;

const connected = async (connectionString: string): Promise<Client> => {
  const client = new Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  open.push(client);
  return client;
};

beforeAll(async () => {
  fs.chmodSync(dir, 0o755);
  ({ url } = await startPostgres({ dir, skipSync: true }));
});
afterEach(async () => {
  for (const client of open.splice(0)) await client.end().catch(() => undefined);
});
afterAll(async () => {
  await stopPostgres(dir, 'immediate');
  fs.rmSync(dir, { recursive: true, force: true });
});

const owned = `select c.relname || ' ' || relowner::regrole as owner from pg_class c
  join pg_namespace n on n.oid = relnamespace where nspname = 'earlier' and relkind in ('r', 'S', 'v') order by 1`;

test('an earlier folder is moved to the role as a whole, or not at all', async () => {
  const root = await connected(url);
  await root.query(`
    create extension pg_trgm;
    create schema earlier;
    create table earlier.kept (n int generated always as identity, m serial, text text);
    create view earlier.seen as select n from earlier.kept;
    create sequence earlier.alone;
    create function earlier.add(n int) returns int language sql as 'select n + 1'`);
  await root.query('create database earlier_drill');
  const reader = await connected(url);
  await reader.query('begin; lock table earlier.kept in access share mode');
  const moving = asConsole(url).then(
    () => 'moved',
    () => 'ended',
  );
  const waiting = `from pg_stat_activity where application_name = 'quarterdeck-role' and wait_event_type = 'Lock'`;
  await until(async () => (await root.query(`select ${waiting}`)).rowCount === 1);
  await root.query(`select pg_terminate_backend(pid) ${waiting}`);
  expect(await moving).toBe('ended');
  expect((await root.query(`select from pg_roles where rolname = 'quarterdeck'`)).rowCount).toBe(0);
  await reader.query('commit');

  const console = await connected(await asConsole(url));
  expect((await console.query<{ owner: string }>(owned)).rows.map(({ owner }) => owner)).toEqual([
    'alone quarterdeck',
    'kept quarterdeck',
    'kept_m_seq quarterdeck',
    'kept_n_seq quarterdeck',
    'seen quarterdeck',
  ]);
  await console.query(`
    alter table earlier.kept add column more int;
    create or replace function earlier.add(n int) returns int language sql as 'select n + 2';
    create extension if not exists pg_trgm;
    create index on earlier.kept using gin (text gin_trgm_ops);
    create extension btree_gin`);
  await console.query('drop database earlier_drill with (force)');
});

test('the role can set the parameter of the log, and make and drop databases, but nothing beyond the database', async () => {
  const console = await connected(await asConsole(url));
  await console.query(`set log.appending = 'on'`);
  await console.query('create database quarterdeck_drill_1 template template0');
  await console.query('drop database quarterdeck_drill_1 with (force)');
  for (const sql of [
    `select pg_read_file('/etc/passwd')`,
    `copy (select 1) to program 'true'`,
    `create table hosts (line text); copy hosts from '/etc/hosts'`,
    `alter system set log_connections = on`,
    `create role another superuser`,
    `set role postgres`,
  ])
    await expect(console.query(sql)).rejects.toMatchObject({ code: '42501' });
});

test('what an earlier version makes later on is moved at the next start', async () => {
  const root = await connected(url);
  await root.query('create schema again; create table again.kept (n int)');
  const console = await connected(await asConsole(url));
  await console.query('drop schema again cascade');
});

test('several processes may start at once', async () => {
  const root = await connected(url);
  await root.query('create schema twice; create table twice.kept (n int)');
  expect(new Set(await Promise.all([asConsole(url), asConsole(url), asConsole(url)])).size).toBe(1);
});

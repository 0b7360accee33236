import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { startPostgres, stopPostgres, type PostgresServer } from './postgres-server';

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-postgres-server-'));
const pidFile = path.join(dir, 'postgres/postmaster.pid');
const postmaster = () => Number(fs.readFileSync(pidFile, 'utf8').split('\n')[0]);

async function ask(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** The fields of /proc after the name: state, parent, process group. */
const statOf = (pid: number): string[] => {
  try {
    return fs
      .readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return [];
  }
};
const groupOf = (pid: number): string | undefined => statOf(pid)[2];
const childrenOf = (pid: number): number[] =>
  fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statOf(Number(name))[1] === String(pid))
    .map(Number);

beforeAll(() => fs.chmodSync(dir, 0o755));

afterAll(async () => {
  await stopPostgres(dir, 'immediate');
  fs.rmSync(dir, { recursive: true, force: true });
});

let first: PostgresServer;

it('starts on a free port with a password that only the owner can read, and with durable settings and few whole pages', async () => {
  first = await startPostgres({ dir });

  expect(first.adopted).toBe(false);
  expect(fs.statSync(path.join(dir, 'postgres.password')).mode & 0o777).toBe(0o600);
  const rows = await ask(
    first.url,
    `select name, setting || coalesce(' ' || unit, '') as setting from pg_settings
     where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'server_encoding', 'wal_compression', 'checkpoint_timeout')`,
  );
  expect(Object.fromEntries(rows.map((row) => [row.name, row.setting]))).toEqual({
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    server_encoding: 'UTF8',
    wal_compression: 'pglz',
    checkpoint_timeout: '900 s',
  });
  await ask(first.url, 'create table kept (n int); insert into kept values (7)');
});

it('adopts the server that another start left running, and the last user ends it', async () => {
  const second = await startPostgres({ dir });
  expect(second).toMatchObject({ adopted: true, url: first.url });

  await first.stop();
  expect(await ask(second.url, 'select n from kept')).toEqual([{ n: 7 }]);

  await second.stop();
  await expect(ask(second.url, 'select 1')).rejects.toThrow(/ECONNREFUSED/);
});

it('starts and stops the server by programs that a Ctrl-C in our terminal does not reach', async () => {
  const groups = new Set<string>();
  const look = setInterval(() => {
    for (const pid of childrenOf(process.pid)) groups.add(groupOf(pid) ?? '');
  }, 1);
  const server = await startPostgres({ dir });
  await server.stop();
  clearInterval(look);
  groups.delete('');
  expect(groups.size).toBeGreaterThan(0);
  expect(groups).not.toContain(groupOf(process.pid));
});

it('comes back at the same address with its data after the server was killed', async () => {
  const before = await startPostgres({ dir });
  expect(before.url).toBe(first.url);
  process.kill(postmaster(), 'SIGKILL');

  const started = Date.now();
  const after = await startPostgres({ dir });

  expect(await ask(after.url, 'select n from kept')).toEqual([{ n: 7 }]);
  expect(Date.now() - started).toBeLessThan(300_000);
  await before.stop();
  await after.stop();
});

it('is not misled by a pid file whose pid now belongs to another program', async () => {
  const stranger = spawn('sleep', ['60'], { stdio: 'ignore' });
  try {
    const running = await startPostgres({ dir });
    const lines = fs.readFileSync(pidFile, 'utf8').split('\n');
    await stopPostgres(dir);
    fs.writeFileSync(pidFile, [stranger.pid, ...lines.slice(1)].join('\n'));

    const again = await startPostgres({ dir });
    expect(again.adopted).toBe(false);
    expect(await ask(again.url, 'select n from kept')).toEqual([{ n: 7 }]);
    await running.stop();
    await again.stop();
  } finally {
    stranger.kill();
  }
});

it('turns two concurrent starts into one server', async () => {
  const servers = await Promise.all([startPostgres({ dir }), startPostgres({ dir })]);
  expect(servers.filter((server) => server.adopted)).toHaveLength(1);
  await Promise.all(servers.map((server) => server.stop()));
  expect(fs.existsSync(pidFile)).toBe(false);
});

it('reports a missing password or cluster, creates no new one, and starts when it is restored', async () => {
  const other = path.join(dir, 'forgotten');
  const first = await startPostgres({ dir: other, skipSync: true });
  await first.stop();
  const file = path.join(other, 'postgres.password');
  fs.renameSync(file, `${file}.away`);
  const missing = new RegExp(
    `^DATA_DIR=${other} has no password .*postgres\\.password is missing; put .* back`,
  );
  await expect(startPostgres({ dir: other })).rejects.toThrow(missing);
  fs.writeFileSync(file, '');
  await expect(startPostgres({ dir: other })).rejects.toThrow('postgres.password is empty');
  fs.renameSync(`${file}.away`, file);
  const cluster = path.join(other, 'postgres');
  fs.renameSync(cluster, `${cluster}.away`);
  await expect(startPostgres({ dir: other })).rejects.toThrow(
    new RegExp(
      `^DATA_DIR=${other} had a database, and ${cluster} is missing or empty; put it back .*postgres\\.port`,
    ),
  );
  expect(fs.existsSync(cluster)).toBe(false);
  fs.renameSync(`${cluster}.away`, cluster);
  const again = await startPostgres({ dir: other });
  expect(await ask(again.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await again.stop();
});

it('creates the cluster again if a killed process left half of one', async () => {
  const other = path.join(dir, 'half');
  fs.mkdirSync(path.join(other, 'postgres.unfinished/base'), { recursive: true });
  const server = await startPostgres({ dir: other, skipSync: true, settings: { fsync: 'off' } });
  expect(await ask(server.url, 'show fsync')).toEqual([{ fsync: 'off' }]);
  await server.stop();
});

it('lets the server pass through a folder that only the owner may enter', async () => {
  const own = path.join(dir, 'own');
  fs.mkdirSync(own, { mode: 0o700 });
  const server = await startPostgres({ dir: own, skipSync: true });
  expect(await ask(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(fs.lstatSync(path.join(own, 'postgres')).isDirectory()).toBe(true);
  expect(fs.statSync(own).mode & 0o076).toBe(0);
  await server.stop();
});

it('serves a folder below one that only root may enter', async () => {
  const hidden = path.join(dir, 'hidden');
  fs.mkdirSync(hidden, { mode: 0o700 });
  const server = await startPostgres({ dir: path.join(hidden, 'data'), skipSync: true });
  try {
    expect(await ask(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  } finally {
    await server.stop();
    fs.rmSync(path.dirname(fs.realpathSync(path.join(hidden, 'data/postgres'))), { recursive: true });
  }
});

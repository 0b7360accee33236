/** A start or a command that cannot succeed: one line on stderr, an exit code, and nothing left behind. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEventStoreDb, type EventStoreDbServer } from '../../testing/eventstoredb/server';
import { buildBackend, MASTER_KEY, runCommand, spawnBackend } from '../../testing/backend-process';
import { freePort } from '../../testing/free-port';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';

interface Ended {
  code: number;
  stdout: string;
  /** Lines that are not JSON log lines. */
  plain: string[];
  waiting: string[];
}

const start = (env: Record<string, string>): Promise<Ended> =>
  new Promise((done) => {
    const all = { PATH: process.env.PATH, PORT: '0', START_WAIT_SECONDS: '0', ...env };
    execFile(process.execPath, ['dist/backend/main.js'], { env: all }, (error, stdout, stderr) => {
      const lines = stderr.trim().split('\n');
      const waiting = lines.filter((line) => line.startsWith('{') && line.includes('"waiting for '));
      const plain = lines.filter((line) => !line.startsWith('{'));
      done({ code: error ? Number(error.code) : 0, stdout, plain, waiting });
    });
  });

let folder: string;
let postgres: TestPostgres;
let log: EventStoreDbServer;
let taken: Server;
let closed: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quarterdeck-problems-'));
  taken = createServer();
  [postgres, log, closed] = await Promise.all([
    startTestPostgres(),
    startEventStoreDb(),
    freePort('127.0.0.1'),
    buildBackend(),
    once(taken.listen(0, '127.0.0.1'), 'listening'),
  ]);
  writeFileSync(join(folder, 'file'), '');
});
afterAll(async () => {
  taken?.close();
  await log?.stop();
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const portOf = (server: Server): number => (server.address() as { port: number }).port;
const withDatabase = (env: Record<string, string> = {}) => ({
  DATABASE_URL: postgres.url,
  MASTER_KEY,
  ...env,
});

it.each<[string, () => Record<string, string>, number, RegExp]>([
  [
    'a DATA_DIR that is a file',
    () => ({ DATA_DIR: join(folder, 'file') }),
    78,
    /^DATA_DIR=\S+\/file is a file or below a file, not a folder; name a folder$/,
  ],
  [
    'a port that is taken',
    () => ({ PORT: String(portOf(taken)), DATA_DIR: join(folder, 'untouched') }),
    78,
    /^PORT=\d+ is taken on 127\.0\.0\.1; set PORT to another one, or to 0 for any that is free$/,
  ],
  [
    'a database that asks for a password',
    () => ({ DATABASE_URL: postgres.url.replace(/:[^:@]+@/, '@'), MASTER_KEY }),
    78,
    /^DATABASE_URL=postgres:\/\/127\.0\.0\.1:\d+\/\w+ has no password, and the server asks for one; give user and password: \S+$/,
  ],
  [
    'TLS with an event log that has none',
    () => withDatabase({ EVENT_STORE_URL: log.url.replace('?tls=false', '') }),
    78,
    /^EVENT_STORE_URL=esdb:\/\/127\.0\.0\.1:\d+ asks for TLS, which the server does not offer; set tls=false/,
  ],
])('fails on %s with one line per problem, and no stack', async (_what, env, code, lines) => {
  const ended = await start({ DATA_DIR: join(folder, 'none'), ...env() });
  expect(ended).toMatchObject({ code, stdout: '', waiting: [] });
  expect(ended.plain.join('\n')).toMatch(lines);
  expect(readdirSync(folder)).not.toContain('untouched');
});

it.each(['there', 'missing/data'])(
  'names a read-only file system for a DATA_DIR below it: %s',
  async (name) => {
    const mounted = join(folder, 'read-only');
    const mount =
      'mkdir -p "$0"; mount -t tmpfs tmpfs "$0"; mkdir "$0/there"; mount -o remount,ro "$0"; exec "$@"';
    const program = [
      'unshare',
      '--mount',
      'sh',
      '-c',
      mount,
      mounted,
      process.execPath,
      'dist/backend/main.js',
    ];
    const env = { PATH: process.env.PATH, PORT: '0', DATA_DIR: join(mounted, name) };
    const ended = new Promise((done) => {
      execFile(program[0]!, program.slice(1), { env }, (error, _stdout, stderr) =>
        done([error?.code, stderr.trim()]),
      );
    });
    expect(await ended).toEqual([
      78,
      `DATA_DIR=${join(mounted, name)} is on a read-only file system; mount it for writing, or choose another folder`,
    ]);
  },
);

it('waits for an unreachable database or event log, a line per attempt, and ends with one line', async () => {
  const url = `postgres://u:canary@127.0.0.1:${closed}/x`;
  const [database, eventLog] = await Promise.all([
    start({ DATABASE_URL: url, MASTER_KEY, START_WAIT_SECONDS: '1' }),
    start(
      withDatabase({
        EVENT_STORE_URL: `esdb://u:canary@127.0.0.1:${closed}?tls=false`,
        START_WAIT_SECONDS: '1',
      }),
    ),
  ]);
  expect(database).toMatchObject({
    code: 78,
    plain: [
      `DATABASE_URL=postgres://127.0.0.1:${closed}/x cannot be reached: the connection is refused; start Postgres there, or correct host and port`,
    ],
  });
  expect(eventLog).toMatchObject({
    code: 69,
    plain: [
      `EVENT_STORE_URL=esdb://127.0.0.1:${closed}?tls=false cannot be reached: the connection is refused; start the event log, or correct its address`,
    ],
  });
  expect(database.waiting[0]).toContain(`waiting for the database at 127.0.0.1:${closed}`);
  expect(eventLog.waiting[0]).toContain(`waiting for the event log at 127.0.0.1:${closed}`);
  expect(JSON.stringify([database, eventLog])).not.toContain('canary');
});

it('is ready as soon as the event log answers, and ends at once if told to while it waits', async () => {
  await log.halt();
  const env = { EVENT_STORE_URL: log.url };
  const place = { PORT: '0', DATA_DIR: join(folder, 'none'), PATH: process.env.PATH };
  const impatient = spawn(process.execPath, ['dist/backend/main.js'], {
    env: { ...withDatabase(env), ...place },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const waiting = async () => {
    for await (const chunk of impatient.stderr)
      if (String(chunk).includes('waiting for the event log')) return;
  };
  await waiting();
  const ended = once(impatient, 'exit');
  impatient.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);

  const starting = spawnBackend({ databaseUrl: postgres.url, env });
  await log.resume();
  const backend = await starting;
  expect((await fetch(`${backend.url}/api/health/ready`)).status).toBe(200);
  expect(await backend.stop()).toBe(0);
});

it.each([
  [
    { DATABASE_URL: 'postgres://u:canary@127.0.0.1:1/x' },
    78,
    'DATABASE_URL=postgres://127.0.0.1:1/x cannot be reached',
  ],
  [
    { EVENT_STORE_URL: 'esdb://127.0.0.1:1?tls=false' },
    69,
    'EVENT_STORE_URL=esdb://127.0.0.1:1?tls=false cannot be',
  ],
])('a command reports the same problem, and does not wait: %j', async (env, code, line) => {
  const result = await runCommand(['projections', 'status'], { databaseUrl: postgres.url, env });
  expect(result).toMatchObject({ code, stdout: '' });
  expect(result.stderr.trim().split('\n')).toEqual([expect.stringContaining(line)]);
});

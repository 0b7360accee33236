/** The built back end as a process: start, crash, restart and shutdown. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { io } from 'socket.io-client';
import {
  buildBackend,
  runCommand,
  runHere,
  signIn,
  spawnBackend,
  type BackendProcess,
} from '../../testing/backend';
import { operator } from '../../testing/operator';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { familyOf, processes } from '../../testing/processes';
import { pause } from '../../testing/patience';
import { stopPostgres } from '../../apps/backend/src/platform/database/postgres-server';

const folder = (): string => {
  const dir = mkdtempSync(join(tmpdir(), 'quarterdeck-process-'));
  chmodSync(dir, 0o755);
  return dir;
};

describe('a back end with its embedded Postgres', () => {
  let dataDir: string;
  let backend: BackendProcess | undefined;

  beforeAll(async () => {
    dataDir = folder();
    await buildBackend();
  });
  afterAll(async () => {
    await backend?.stop();
    await stopPostgres(dataDir, 'immediate');
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('starts on an empty folder, prints its address and a link that signs the first administrator in', async () => {
    backend = await spawnBackend({ dataDir });
    const first = await signIn(backend.url, backend.signInLink);
    expect((await first.get('session')).body).toMatchObject({
      permissions: ['admin', 'superadmin'],
      instance: { name: 'main' },
    });
    expect((await first.get('health/ready')).body).toMatchObject({
      status: 'ok',
      checks: { readModels: { ok: true } },
    });
    expect(backend.stderr()).not.toContain(new URL(backend.signInLink).searchParams.get('code'));
  });

  it('is no superuser of its Postgres', async () => {
    const read = (name: string): string => readFileSync(join(dataDir, `postgres.${name}`), 'utf8').trim();
    const root = new Client({
      host: '127.0.0.1',
      database: 'postgres',
      port: Number(read('port')),
      user: 'postgres',
      password: read('password'),
    });
    await root.connect();
    const { rows } = await root.query<{ usename: string }>(
      `select distinct usename from pg_stat_activity
       where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
    await root.end();
    expect(rows).toEqual([{ usename: 'quarterdeck' }]);
  });

  it('is ready again after kill -9, with its earlier sessions', async () => {
    const who = await signIn(
      backend!.url,
      (await runHere(['sign-in-link', '--workspace', 'main'], { dataDir })).stdout.trim(),
    );
    const port = Number(new URL(backend!.url).port);
    await backend!.kill('SIGKILL');
    backend = await spawnBackend({ dataDir, port });
    expect((await who.get('session')).status).toBe(200);
  });

  it('supports links, checks and a new master key by commands while it runs', async () => {
    const options = { dataDir };
    const link = await runCommand(
      ['sign-in-link', '--workspace', 'Acme', '--email', 'ada@example.org', '--role', 'superadmin'],
      options,
    );
    expect(link).toMatchObject({ code: 0, stderr: '' });
    expect(link.stdout.trim()).toMatch(new RegExp(`^${backend!.url}/login\\?code=[\\w-]{43}$`));
    const ada = await signIn(backend!.url, link.stdout.trim());
    expect((await ada.get('session')).body).toMatchObject({
      permissions: ['admin', 'superadmin'],
      instance: { name: 'Acme' },
    });
    expect(await runHere(['projections', 'verify'], options)).toMatchObject({ code: 0 });
    expect((await runHere(['projections', 'rebuild', 'people'], options)).code).toBe(0);
    expect(JSON.parse((await runHere(['projections', 'status'], options)).stdout)).toMatchObject({
      parked: [],
    });
    expect((await runHere(['rotate-key'], options)).stdout).toContain('rotated to master key');
    expect((await ada.get('session')).status).toBe(200);
  });

  it.each([
    [['nonsense'], {}, 2, 'there is no command nonsense'],
    [['sign-in-link'], {}, 2, '--workspace: This field is required'],
    [['sign-in-link', '--workspace', 'x', '--role', 'king'], {}, 2, '--role'],
    [['sign-in-link', '--workspace', 'x', '--email', 'nobody'], {}, 2, '--email: email invalid'],
    [['projections', 'verify', 'nonsense'], {}, 2, 'there is no projection nonsense'],
    [['projections', 'verify'], { PORT: 'x' }, 78, 'PORT=x is not a port'],
  ])('answers the command %j with exit code and reason', async (args, env, code, reason) => {
    const result = await runHere(args, { dataDir, env });
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(reason);
  });

  it('ends the process of a command with that exit code and reason', async () => {
    const wrong = await runCommand(['nonsense'], { dataDir });
    expect(wrong).toEqual(await runHere(['nonsense'], { dataDir }));
  });

  it('ends quickly on SIGTERM, even with an open socket, and stops its Postgres', async () => {
    const who = await signIn(
      backend!.url,
      (await runHere(['sign-in-link', '--workspace', 'main'], { dataDir })).stdout.trim(),
    );
    const socket = io(backend!.url, { extraHeaders: { cookie: who.cookie }, reconnection: false });
    await new Promise((resolve) => socket.once('connect', () => resolve(undefined)));
    const disconnected = new Promise((resolve) => socket.once('disconnect', resolve));
    const began = Date.now();
    expect(await backend!.stop()).toBe(0);
    await disconnected;
    expect(Date.now() - began).toBeLessThan(300_000);
    expect(backend!.stderr()).toContain('shutting down');
    expect(processes().filter(({ commandLine }) => commandLine.includes(dataDir))).toEqual([]);
    backend = undefined;
  });

  it('takes calls for a while after SIGTERM if a load balancer looks, and says that it ends', async () => {
    const draining = await spawnBackend({ dataDir, env: { DRAIN_SECONDS: '4' } });
    const who = await signIn(draining.url, draining.signInLink);
    const looked = () => who.get<{ status: string }>('health/ready');
    expect(await looked()).toMatchObject({ status: 200, body: { status: 'ok' } });
    const ended = draining.stop();
    while ((await looked()).status === 200) await pause(10);
    expect(await looked()).toMatchObject({ status: 503, body: { status: 'draining' } });
    const script = { name: 'late', body: 'df -h', changes: false, timeoutSeconds: 30 };
    const late = await who.post('script/insert', script);
    expect([late.status, late.headers.get('connection')]).toEqual([200, 'close']);
    draining.child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('prints links even if nothing runs, and leaves nothing running', async () => {
    const link = await runCommand(['sign-in-link', '--workspace', 'main'], { dataDir });
    expect(link).toMatchObject({ code: 0, stderr: '' });
    expect(processes().filter(({ commandLine }) => commandLine.includes(dataDir))).toEqual([]);
  });

  it.each(['while its Postgres starts', 'before it has printed a link'])(
    'ends on SIGTERM %s, and stops its Postgres',
    async (moment) => {
      const env = { PATH: process.env.PATH, PORT: '0', DATA_DIR: dataDir };
      const child = spawn(process.execPath, ['dist/backend/main.js'], {
        env,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const exited = once(child, 'exit');
      const running = () => processes().filter(({ commandLine }) => commandLine.includes(dataDir));
      if (moment === 'before it has printed a link') await once(child.stdout, 'data');
      else while (running().length === 0) await pause(20);
      child.kill('SIGTERM');
      expect(await exited).toEqual([0, null]);
      expect(running()).toEqual([]);
    },
  );

  it('does not start with a wrong environment, and names every wrong variable', async () => {
    const start = spawnBackend({ dataDir, env: { PORT: 'x', MASTER_KEY: 'y' } });
    await expect(start).rejects.toThrow(/PORT=x is not a port[^]*MASTER_KEY is not 32 bytes/);
  });
});

describe('two back ends on one database', () => {
  let postgres: TestPostgres;
  const backends: BackendProcess[] = [];

  beforeAll(async () => {
    postgres = await startTestPostgres();
    const both = [spawnBackend({ databaseUrl: postgres.url }), spawnBackend({ databaseUrl: postgres.url })];
    backends.push(...(await Promise.all(both)));
  });
  afterAll(async () => {
    for (const backend of backends) await backend.stop();
    await postgres.stop();
  });

  const leads = async (backend: BackendProcess): Promise<boolean> => {
    const { body } = await operator(backend.url).get<{ checks: { readModels: { leading: boolean } } }>(
      'health/ready',
    );
    return body.checks.readModels.leading;
  };

  it('start at the same time on an empty database and share their sessions', async () => {
    const [one, two] = backends;
    const who = await signIn(one!.url, two!.signInLink);
    expect((await who.get('session')).status).toBe(200);
    expect((await operator(two!.url, who.cookie).get('session')).status).toBe(200);
    expect(familyOf(one!.pid)[0]?.pid).toBe(one!.pid);
  });

  it('have one leader, and when it is killed the other leads soon and projects new events', async () => {
    const leading = (await leads(backends[0]!)) ? 0 : 1;
    const [killed, other] = leading === 0 ? [backends[0]!, backends[1]!] : [backends[1]!, backends[0]!];
    expect(await leads(other)).toBe(false);
    await killed.kill('SIGKILL');
    const began = Date.now();
    while (!(await leads(other))) await pause(50);
    expect(Date.now() - began).toBeLessThan(300_000);
    const link = await runHere(['sign-in-link', '--workspace', 'after'], { databaseUrl: postgres.url });
    const who = await signIn(other.url, link.stdout.trim());
    const people = await who.post<unknown[]>('person/list');
    expect(people.body).toHaveLength(1);
    expect(people.headers.get('x-projected')).toBeNull();
  });
});

describe('the audit', () => {
  const copies = folder();
  let postgres: TestPostgres;
  const command = (...args: string[]) => runHere(args, { databaseUrl: postgres.url });

  beforeAll(async () => {
    postgres = await startTestPostgres();
    expect(await command('sign-in-link', '--workspace', 'main')).toMatchObject({ code: 0 });
  });
  afterAll(async () => {
    await postgres.stop();
    rmSync(copies, { recursive: true, force: true });
  });

  it('finds the log and its copy intact, and the seal of each in the other', async () => {
    const file = join(copies, 'log.jsonl');
    const log = await command('audit', 'verify');
    expect(log).toMatchObject({ code: 0, stderr: '' });
    expect(log.stdout).toMatch(/4 events are what was written; seal 4:[0-9a-f]{64}\n$/);
    expect((await command('audit', 'export', file)).code).toBe(0);
    const seal = /seal (\S+)/.exec(log.stdout)?.[1] ?? '';
    // Offline: the copy needs no database.
    const offline = { env: { DATABASE_URL: 'postgres://127.0.0.1:1/none' } };
    expect(await runHere(['audit', 'verify', file, '--seal', seal], offline)).toMatchObject({
      code: 0,
      stderr: '',
    });
    const forged = seal.slice(0, -1) + (seal.endsWith('0') ? '1' : '0');
    expect((await runHere(['audit', 'verify', file, '--seal', forged], offline)).code).toBe(1);
  });

  it('names the first altered event of a copy, and exits with 1', async () => {
    const file = join(copies, 'altered.jsonl');
    await command('audit', 'export', file);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"role":"admin"', '"role":"member"'));
    const result = await command('audit', 'verify', file);
    expect(result.code).toBe(1);
    expect(result.stdout).toContain('event 3 was altered');
  });

  it.each([
    [['audit'], 2],
    [['audit', 'export'], 2],
    [['audit', 'verify', '--seal', 'nonsense'], 2],
    [['audit', 'verify', '/no/such/file'], 2],
  ])('exits %j with %i', async (args, code) => {
    expect((await command(...args)).code).toBe(code);
  });
});

// covers: BAK-01, BAK-02
import { spawn } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateX25519Identity } from 'age-encryption';
import { Client, type Pool } from 'pg';
import { v7 as uuid } from 'uuid';
import { LastingConnection, verify } from '../../libs/log/src/store';
import type { RunView } from '../../libs/projections/src';
import { HEAD_BYTES, headText } from '../../apps/backend/src/backups/archive/head';
import type { Archive } from '../../apps/backend/src/backups/archive/read';
import { releaseScheduledWork } from '../../apps/backend/src/backups/restore/settle';
import { auditedLog } from '../../apps/backend/src/platform/boot';
import { Leases, ProcessLease } from '../../apps/backend/src/platform/leases';
import { ownMeta } from '../../apps/backend/src/platform/sessions';
import { RunEngine } from '../../apps/backend/src/runs';
import { fieldsOf, registerAt } from '../backend/world';
import { startEventStoreDb, type EventStoreDbServer } from '../../testing/eventstoredb/server';
import { MASTER_KEY, runCommand, runHere, spawnBackend, startBackend } from '../../testing/backend';
import type { Operator, RunningBackend } from '../../testing/backend';
import { operator } from '../../testing/operator';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { startSshd, type Sshd } from '../../testing/sshd';
import { newStream, renamed } from '../../testing/log-events';
import { onRestored, openBackups, type Backups } from './console-world';

let postgres: TestPostgres;
let sshd: Sshd;
let backups: Backups;
let old: RunningBackend;
let alice: Operator;
let server: string;
let underWay: string;
let first: Archive;
let last: Archive;
/** Position and instant right after the first archive was taken. */
let then: { position: string; instant: string };
let acknowledged: Map<string, string>;

const inPast = async (who: Operator, at: string): Promise<unknown[]> => {
  const answers = await Promise.all(
    ['server/list', 'run/list', 'history/list', 'people/list'].map((call) =>
      who.post(call, {}, { 'x-at': at }),
    ),
  );
  return answers.map(({ status, body }) => [status, body]);
};

/** Starts a run that does not end while that process lives. */
const endless = async ({ app }: RunningBackend, who: Operator): Promise<string> => {
  const engine = app.get(RunEngine, { strict: false });
  const kind = 'test-endless';
  const { body } = await who.get<{ profile: { id: string }; instance: { uuid: string } }>('session');
  let begun = (): void => undefined;
  const isUnderWay = new Promise<void>((resolve) => (begun = resolve));
  const perform = (_context: unknown, { signal }: { signal: AbortSignal }): Promise<never> =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      begun();
    });
  const step = { name: 'work', on: 'console', timeoutMs: 600_000, repeatable: true, perform } as const;
  engine.register({ kind, changes: false, outputLimit: 1_000, steps: [step] });
  const run = uuid();
  const subject = { kind: 'server', id: server, name: 'web' };
  await engine.start(run, kind, { subject, input: {} }, ownMeta(body.profile.id, body.instance.uuid));
  await isUnderWay;
  return run;
};

beforeAll(async () => {
  [postgres, sshd, backups] = await Promise.all([startTestPostgres(), startSshd(), openBackups()]);
  old = await startBackend({ databaseUrl: postgres.url });
  alice = await old.signIn({ email: 'alice@example.org' });
  server = await registerAt(alice, sshd, 'web');
  await alice.post('server/execCmd', { id: server, cmdType: 5, runId: uuid() });
  await old.caughtUp();
  then = { position: await old.resources.store.head(), instant: new Date().toISOString() };
  first = await backups.take(old);
  await registerAt(alice, sshd, 'later');
  await alice.post('server/execCmd', { id: server, cmdType: 5, runId: uuid() });
  underWay = await endless(old, alice);
  await old.signInLink();
  acknowledged = new Map();
  let writing = true;
  const writers = Array.from({ length: 32 }, async () => {
    while (writing) {
      const stream = newStream();
      const { position } = await old.resources.store.append(stream, [renamed('a change')], 'no_stream');
      acknowledged.set(stream, position);
    }
  });
  while (acknowledged.size < 300) await sleep(5);
  last = await backups.take(old, { base: first });
  writing = false;
  await Promise.all(writers);
});
afterAll(async () => {
  await old?.close();
  await sshd?.stop();
  await postgres?.stop();
  backups?.end();
});

describe('restored elsewhere, while the old console is still alive', () => {
  let url: string;
  let console: RunningBackend;
  let bob: Operator;
  let settled: Awaited<ReturnType<Backups['restore']>>;
  beforeAll(async () => {
    url = await postgres.newDatabase();
    settled = await backups.restore(last, url);
    console = await onRestored(url, { HEALTH_CHECKS: 'on' });
    bob = await console.signIn({ email: 'bob@example.org' });
  });
  afterAll(() => console?.close());

  it('has the same events at the same positions up to the end of the archive, and then its own', async () => {
    const { position } = last.head.log.end;
    const was = await old.resources.store.log.readAll('0', Number(position));
    const is = await console.resources.store.log.readAll('0', Number(position));
    expect(is).toEqual(was);
    const streams = new Set(is.map(({ stream }) => stream));
    for (const [stream, at] of acknowledged)
      expect([stream, streams.has(stream)]).toEqual([stream, Number(at) <= Number(position)]);
    const own = await console.resources.store.log.readAll(position, 3);
    expect(own.map(({ type }) => type)).toEqual(['LogArrived', 'RunInterrupted', 'ConsoleRestored']);
  });

  it('can be verified: the log and the read models', async () => {
    const { store, pool, projections } = console.resources;
    expect(await verify(await auditedLog(store, pool))).toMatchObject({ ok: true });
    const results = await projections.verify('all');
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    expect(results.length).toBeGreaterThan(10);
  });

  it('answers about the past as the old console does, by position and by instant', async () => {
    for (const at of [then.position, then.instant])
      expect(await inPast(bob, at)).toEqual(await inPast(alice, at));
  });

  it('reaches a server with its key from the vault, and has what earlier runs printed', async () => {
    const run = uuid();
    const answer = await bob.post('server/execCmd', { id: server, cmdType: 5, runId: run });
    expect([answer.status, answer.body.out]).toEqual([200, expect.stringMatching(/\S/)]);
    const { rows } = await old.db.query(`select * from app.run_output order by run, seq`);
    expect(rows.length).toBeGreaterThan(1);
    const kept = await console.db.query(`select * from app.run_output where run <> $1 order by run, seq`, [
      run,
    ]);
    expect(kept.rows).toEqual(rows);
  });

  it('shows runs that were under way as interrupted, and does not begin them again', async () => {
    const { body } = await bob.post<RunView>('run/detail', { id: underWay });
    expect(body).toMatchObject({
      state: 'interrupted',
      reason: expect.stringContaining('was restored from'),
    });
    expect((await alice.post<RunView>('run/detail', { id: underWay })).body).toMatchObject({
      state: 'running',
    });
    expect(settled.runs).toBe(1);
  });

  it('has ended the sessions and links of the time of the backup', async () => {
    const known = operator(console.url, alice.cookie);
    expect((await known.post('server/list')).status).toBe(401);
    expect((await alice.post('server/list')).status).toBe(200);
    expect(settled).toMatchObject({ sessions: 1, links: 1 });
  });

  it('knows people by their e-mails again', async () => {
    const idOf = async (who: Operator): Promise<string> =>
      (await who.get<{ profile: { id: string } }>('session')).body.profile.id;
    const again = await console.signIn({ email: 'Alice@example.org' });
    expect(await idOf(again)).toBe(await idOf(alice));
  });

  it('does no scheduled work until it is released', async () => {
    const taken: string[] = [];
    const events = { onTaken: () => taken.push('taken'), onLost: () => undefined, onFault: () => undefined };
    const { pool, store } = console.resources;
    const asked: Promise<unknown>[] = [];
    const watched = new Proxy(pool, {
      get: (target, name: keyof Pool) =>
        name === 'query'
          ? (text: string, values: unknown[]) => {
              const answer = target.query(text, values);
              asked.push(answer);
              return answer;
            }
          : target[name],
    });
    const { onFault } = events;
    const leases = new Leases(watched, new LastingConnection({}, onFault), onFault);
    const lease = new ProcessLease(leases, 'test', events);
    try {
      lease.start();
      while (asked.length === 0) await sleep(1);
      await asked[0];
      const held = await pool.query('select from app.leases where not name like $1', ['run-%']);
      expect([held.rowCount, taken]).toEqual([0, []]);
      expect(await releaseScheduledWork(pool, store)).toBe(true);
      expect(await releaseScheduledWork(pool, store)).toBe(false);
      while (taken.length === 0) await sleep(20);
      const recorded = await store.readAll(last.head.log.end.position, { limit: 100 });
      expect(recorded.map(({ type }) => type)).toContain('ScheduledWorkReleased');
    } finally {
      await lease.stop();
    }
  });

  it('keeps names taken: nobody can claim one a second time', async () => {
    const privateKey = (await sshd.keyFor('ed25519')).privateKey;
    const { status, body } = await bob.post('server/insert', { ...fieldsOf('web', sshd), privateKey });
    expect([status, body]).toMatchObject([400, { data: { alias: 'another server already has this alias' } }]);
  });

  it('takes a full archive as its next backup', async () => {
    expect((await backups.take(console, { base: last })).head).toMatchObject({ base: null });
  });
});

it.each([
  ['a position', () => then.position],
  ['an instant', () => then.instant],
])('goes back to %s', async (_what, end) => {
  const url = await postgres.newDatabase();
  await backups.restore(last, url, { upTo: end() });
  const console = await onRestored(url);
  try {
    const carol = await console.signIn({ email: 'carol@example.org' });
    const { body } = await carol.post<{ alias: string }[]>('server/list');
    expect(body.map(({ alias }) => alias)).toEqual(['web']);
    expect(await inPast(carol, then.position)).toEqual(await inPast(alice, then.position));
    const { store } = console.resources;
    expect((await store.log.readAll(then.position, 1))[0]?.type).toBe('LogArrived');
  } finally {
    await console.close();
  }
});

describe('with a log in EventStoreDB', () => {
  let esdb: EventStoreDbServer;
  beforeAll(async () => {
    esdb = await startEventStoreDb();
  });
  afterAll(() => esdb?.stop());

  it('restores into it, and from its archive', async () => {
    const env = { EVENT_STORE_URL: esdb.url };
    const [there, back] = [await postgres.newDatabase(), await postgres.newDatabase()];
    await backups.restore(last, there, { env });
    const away = await onRestored(there, env);
    let archive: Archive;
    try {
      const { store, pool } = away.resources;
      expect(await verify(await auditedLog(store, pool))).toMatchObject({ ok: true });
      archive = await backups.take(away);
      expect(archive.head.log.engine).toBe('eventstoredb');
      // The target now contains a log.
      await expect(backups.restore(last, await postgres.newDatabase(), { env })).rejects.toThrow(
        'has a log already',
      );
    } finally {
      await away.close();
    }
    await backups.restore(archive, back);
    const home = await onRestored(back);
    try {
      const { store } = home.resources;
      const events = await store.log.readAll('0', last.head.log.events + 100_000);
      const arrived = events.filter(({ type }) => type === 'LogArrived' || type === 'ConsoleRestored');
      expect(arrived).toHaveLength(4);
      expect(await verify(await auditedLog(store, home.db))).toMatchObject({ ok: true });
    } finally {
      await home.close();
    }
  });
});

describe('a restore is refused, in one line and before anything is created,', () => {
  const refusal = async (archive: Archive, more: Parameters<Backups['restore']>[2] = {}): Promise<string> => {
    const url = await postgres.newDatabase();
    const said = await backups.restore(archive, url, more).then(
      () => 'it was restored',
      (error: Error) => error.message,
    );
    expect(said).not.toContain('\n');
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query(
      `select nspname as made from pg_namespace where nspname not in ('public', 'information_schema') and nspname !~ '^pg_'
       union all select relname from pg_class where relnamespace = 'public'::regnamespace`,
    );
    await client.end();
    expect(rows).toEqual([]);
    return said;
  };
  const copied = (archive: Archive): Archive => {
    const folder = fs.mkdtempSync(path.join(backups.folder, 'copy-'));
    const file = path.join(folder, path.basename(archive.file));
    fs.copyFileSync(archive.file, file);
    return { ...archive, file };
  };

  it('with a wrong identity', async () => {
    const key = { identities: [await generateX25519Identity()] };
    expect(await refusal(first, { key })).toContain('the identity does not open the archive');
  });

  it('with another master key', async () => {
    const env = { MASTER_KEY: Buffer.alloc(32, 'another').toString('base64') };
    expect(await refusal(first, { env })).toMatch(/^MASTER_KEY is master key \w{16}, and the archive needs/);
  });

  it('without the archive that it continues', async () => {
    expect(await refusal(copied(last))).toContain('the archive that it continues is missing');
  });

  it('beyond the end of the archive', async () => {
    expect(await refusal(last, { upTo: '999999999' })).toContain('the archive ends at position');
  });

  it('up to a moment before the log began', async () => {
    for (const upTo of ['0', '2020-01-01'])
      expect(await refusal(last, { upTo })).toMatch(/the log begins at position 1, recorded at \S+: after /);
  });

  it('from a newer version', async () => {
    await old.db.query(`insert into app.migrations (name) values ('999-of-later')`);
    try {
      const newer = await backups.take(old);
      expect(await refusal(newer)).toMatch(
        /the archive is of version \S+, and this one is \S+: use that version/,
      );
    } finally {
      await old.db.query(`delete from app.migrations where name = '999-of-later'`);
    }
  });

  it('into a database that is not empty', async () => {
    await expect(backups.restore(first, postgres.url)).rejects.toThrow(
      'the database is not empty: it has a schema',
    );
  });
});

describe('verify', () => {
  const verified = (file: string, ...more: string[]) =>
    runHere(['backup', 'verify', file, ...more], { databaseUrl: postgres.url });

  it('compares the signer with the log of the console, which may be running', async () => {
    expect(await verified(first.file)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(
        `with key ${first.head.log.publicKey}, which is the log of this console`,
      ),
    });
  });

  it('refuses the archive of a stranger, unless its key is given', async () => {
    const pair = generateKeyPairSync('ed25519');
    const publicKey = pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
    const signed = (text: string): string =>
      sign(null, Buffer.from(text), pair.privateKey).toString('base64');
    const head = { ...first.head, log: { ...first.head.log, publicKey } };
    const file = path.join(backups.folder, 'stranger.backup');
    fs.writeFileSync(
      file,
      Buffer.concat([headText(head, signed), fs.readFileSync(first.file).subarray(HEAD_BYTES)]),
    );
    expect(await verified(file)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`with key ${publicKey}, and not by this console`),
    });
    expect(await verified(file, '--key', publicKey)).toMatchObject({ code: 0 });
    expect(await verified(file, '--key', first.head.log.publicKey)).toMatchObject({ code: 1 });
  });
});

describe('the command', () => {
  const key = (): string => {
    const file = path.join(backups.folder, 'identity.txt');
    fs.writeFileSync(file, `${backups.identity}\n`, { mode: 0o600 });
    return file;
  };

  it('restores into an empty folder, with the master key from the archive, and the console starts there', async () => {
    const phrase = path.join(backups.folder, 'phrase');
    fs.writeFileSync(phrase, 'of the master key\n');
    const { file } = await backups.take(old, { keyPassphrase: 'of the master key' });
    const dataDir = path.join(backups.folder, 'restored');
    const args = ['restore', file, '--identity', key(), '--master-key', phrase];
    const done = await runCommand(args, { dataDir });
    expect(done).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/restored. Sessions ended: \d+, links: \d+/),
    });
    expect(fs.readFileSync(path.join(dataDir, 'master.key'), 'utf8')).toBe(`${MASTER_KEY}\n`);
    expect(await runHere(args, { dataDir })).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^DATA_DIR=\S+ is not empty: it has \S+; name an empty folder\n$/),
    });
    const started = await spawnBackend({ dataDir });
    expect(await started.stop()).toBe(0);
    expect(await runHere(['restore', '--release'], { dataDir })).toMatchObject({ code: 0 });
  });

  it('leaves a mark that keeps a console from starting if it is killed with one of its first files', async () => {
    const args = ['dist/backend/cli.js', 'restore', last.file, '--identity', key()];
    const made = (dataDir: string) => fs.readdirSync(dataDir).filter((name) => !name.endsWith('.draft'));
    const left: string[][] = [];
    for (let change = 1; !left.at(-1)?.includes('postgres'); change += 1) {
      const dataDir = path.join(backups.folder, `killed-early-${change}`);
      const env = { PATH: process.env.PATH, MASTER_KEY, DATA_DIR: dataDir, KILLED_AT_CHANGE: `${change}` };
      const child = spawn(process.execPath, ['--import', './testing/killed-at-change.mjs', ...args], {
        env,
        stdio: 'ignore',
      });
      expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
      const found = made(dataDir);
      left.push(found);
      // Before the mark is made, nothing is.
      if (found.length === 0) continue;
      expect([change, found]).toEqual([change, expect.arrayContaining(['restore-is-not-finished'])]);
      const started = await runHere(['audit', 'verify'], { dataDir });
      expect([started.code, started.stderr]).toEqual([
        78,
        expect.stringContaining('has an unfinished restore'),
      ]);
    }
    expect(left.filter((found) => found.length === 1).length).toBeGreaterThan(0);
  });

  it('leaves nothing that a console would start on if it is killed in the middle', async () => {
    const databaseUrl = await postgres.newDatabase();
    const args = ['restore', last.file, '--identity', key()];
    const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl, MASTER_KEY, DATA_DIR: backups.folder };
    const child = spawn(process.execPath, ['dist/backend/cli.js', ...args], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(child, 'exit');
    // Waits until it reports that it has begun.
    await Promise.race([once(child.stderr, 'data'), ended]);
    child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
    await expect(startBackend({ databaseUrl })).rejects.toThrow(
      /has an unfinished restore; restore the archive again/,
    );
    expect((await runHere(args, { databaseUrl })).stdout).toContain('the database is not empty');
  });
});

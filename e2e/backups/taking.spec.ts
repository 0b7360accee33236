// covers: BAK-01
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { v7 as uuid } from 'uuid';
import { comparePositions, type Position } from '../../libs/events/src';
import type { AuthenticStore, KeptEvent } from '../../libs/log/src/store';
import { followedChain } from '../../apps/backend/src/platform/boot';
import { lockMark, type Lock } from '../../apps/backend/src/backups/archive/age';
import { linesOf, sectionsIn } from '../../apps/backend/src/backups/archive/copy-text';
import { checkParts, openArchive, openPart, type Archive } from '../../apps/backend/src/backups/archive/read';
import { eventsIn } from '../../apps/backend/src/backups/event-text';
import { archivesIn, chainOf } from '../../apps/backend/src/backups/folder';
import { ownRecipient } from '../../apps/backend/src/backups/own-identity';
import type { Reserve } from '../../apps/backend/src/backups/room';
import { takeBackup } from '../../apps/backend/src/backups/take';
import { unnamedTables } from '../../apps/backend/src/backups/tables';
import { tables } from '../../apps/backend/src/tables';
import { startEventStoreDb, type EventStoreDbServer } from '../../testing/eventstoredb/server';
import { runHere, startBackend, type RunningBackend } from '../../testing/backend';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { newStream, renamed } from '../../testing/log-events';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-backups-'));
let postgres: TestPostgres;
let backend: RunningBackend;
let identity: string;
let recipients: string[];
let count = 0;

beforeAll(async () => {
  postgres = await startTestPostgres();
  backend = await startBackend({ databaseUrl: postgres.url });
  identity = await generateX25519Identity();
  recipients = [await identityToRecipient(identity)];
});
afterAll(async () => {
  await backend?.close();
  await postgres?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

interface TakeOptions {
  base?: Archive;
  lock?: Lock;
  reserve?: Reserve;
  of?: RunningBackend;
  keyPassphrase?: string;
}

const take = ({ of = backend, ...wanted }: TakeOptions = {}): Promise<Archive> =>
  takeBackup({
    tables,

    log: of.resources,
    elsewhere: of.resources.config.EVENT_STORE_URL !== undefined,
    lock: { recipients },
    file: path.join(folder, `${++count}.backup`),
    takenAt: new Date().toISOString(),
    ...wanted,
  });

const eventsOf = async (archive: Archive): Promise<KeptEvent[]> => {
  const found: KeptEvent[] = [];
  const after = archive.head.log.after;
  for await (const section of sectionsIn(await openPart(archive, 'log', { identities: [identity] })))
    for await (const { events } of eventsIn(section, { file: archive.file, after })) found.push(...events);
  return found;
};

const rowsOf = async (archive: Archive, part: string, table: string): Promise<string[]> => {
  const lines: string[] = [];
  for await (const section of sectionsIn(await openPart(archive, part, { identities: [identity] })))
    for await (const line of linesOf(section.rows)) if (section.table === table) lines.push(line);
  return lines;
};

const written = (store: AuthenticStore, stream = newStream()): Promise<{ position: Position }> =>
  store.append(stream, [renamed('a change')], 'no_stream');

describe('the tables', () => {
  it('are all listed as kept or as left out', async () => {
    expect(await unnamedTables(backend.db, tables.rows)).toEqual([]);
    const { rows } = await backend.db.query<{ missing: string }>(
      `select name as missing from unnest($1::text[]) as name where to_regclass(name) is null`,
      [Object.keys(tables.rows)],
    );
    expect(rows).toEqual([]);
  });

  it('prevent a backup if one of them is not listed', async () => {
    await backend.db.query('create table app.later (id integer)');
    try {
      await expect(take()).rejects.toThrow('table app.later is of another version');
      expect(fs.readdirSync(folder)).toEqual([]);
    } finally {
      await backend.db.query('drop table app.later');
    }
  });
});

it('contains every change acknowledged before it began, none from after its end, and each once', async () => {
  const { store } = backend.resources;
  const acknowledged = new Map<string, Position>();
  let writing = true;
  const writer = async (): Promise<void> => {
    while (writing) {
      const stream = newStream();
      acknowledged.set(stream, (await written(store, stream)).position);
    }
  };
  const writers = Array.from({ length: 32 }, writer);
  while (acknowledged.size < 200) await sleep(5);
  const before = [...acknowledged.keys()];
  const archive = await take();
  const afterwards = (await written(store)).position;
  writing = false;
  await Promise.all(writers);
  await checkParts(archive);
  const { end, events } = archive.head.log;
  const kept = await eventsOf(archive);
  expect(kept.map(({ position }) => Number(position))).toEqual(
    Array.from({ length: events }, (_, nth) => nth + 1),
  );
  expect(kept.at(-1)?.position).toBe(end.position);
  expect(await store.chain?.hashAt(end.position)).toBe(end.hash);
  const streams = new Set(kept.map(({ stream }) => stream));
  expect(before.filter((stream) => !streams.has(stream))).toEqual([]);
  for (const [stream, position] of acknowledged)
    expect([stream, streams.has(stream)]).toEqual([stream, comparePositions(position, end.position) <= 0]);
  expect(comparePositions(afterwards, end.position)).toBe(1);
});

it('continues an archive with later changes, including those of a transaction that was open then', async () => {
  const output = async (db: Pick<typeof backend.db, 'query'>): Promise<string> => {
    const run = uuid();
    await db.query(
      `insert into app.run_output (run, seq, at, stream, text) values ($1, 1, now(), 'out', 'x')`,
      [run],
    );
    return run;
  };
  const old = await output(backend.db);
  // While an older transaction is open in any database of the server, an increment repeats the row.
  const isSettled = `select from app.run_output where run = $1 and age(xmin) > age(pg_snapshot_xmin(pg_current_snapshot())::xid)`;
  while ((await backend.db.query(isSettled, [old])).rowCount === 0) await sleep(50);
  const slow = await backend.db.connect();
  try {
    await slow.query('begin');
    const open = await output(slow);
    const full = await take();
    await slow.query('commit');
    const later = await output(backend.db);
    await written(backend.resources.store);
    const increment = await take({ base: full });
    expect(increment.head).toMatchObject({
      base: full.head.id,
      log: { after: full.head.log.end, events: 1 },
    });
    expect(await eventsOf(increment)).toHaveLength(1);
    const runs = async (archive: Archive): Promise<string[]> =>
      (await rowsOf(archive, 'output', 'app.run_output')).map((line) => line.split('\t')[0] ?? '');
    expect(await runs(full)).toContain(old);
    expect(await runs(full)).not.toContain(open);
    expect(await runs(increment)).toEqual(expect.arrayContaining([open, later]));
    expect(await runs(increment)).not.toContain(old);
  } finally {
    slow.release();
  }
});

it('starts a new chain if the log no longer begins with the events of the archive', async () => {
  const full = await take();
  const { end } = full.head.log;
  const altered = {
    ...full,
    head: { ...full.head, log: { ...full.head.log, end: { ...end, hash: 'f'.repeat(64) } } },
  };
  expect((await take({ base: altered })).head).toMatchObject({
    base: null,
    log: { after: { position: '0' } },
  });
});

it('starts a new chain if another key would open it, so one key opens each chain', async () => {
  const other = await identityToRecipient(await generateX25519Identity());
  const two = { recipients: [...recipients, other] };
  const full = await take({ lock: two });
  expect((await take({ base: full })).head.base).toBeNull();
  const reversed = { recipients: two.recipients.toReversed() };
  expect((await take({ base: full, lock: reversed })).head.base).toBe(full.head.id);
  const { lock: _, ...unmarked } = full.head;
  expect((await take({ base: { ...full, head: unmarked }, lock: two })).head.base).toBeNull();
  const words = await take({ lock: { passphrase: 'one passphrase' } });
  expect((await take({ base: words, lock: { passphrase: 'another one' } })).head.base).toBeNull();
  expect((await take({ base: words, lock: { passphrase: 'one passphrase' } })).head.base).toBe(words.head.id);
});

it('is refused where it would use up the disk space of the database', async () => {
  const before = fs.readdirSync(folder);
  const reserve = { folder, bytes: Number.MAX_SAFE_INTEGER };
  await expect(take({ reserve })).rejects.toThrow(/is on the disk of the database, where \d+ MB are free/);
  expect(fs.readdirSync(folder)).toEqual(before);
});

it('is opened by any of several keys', async () => {
  const key = { identities: [await generateX25519Identity()] };
  const archive = await take();
  (await openPart(archive, 'log', [key, { passphrase: 'no' }, { identities: [identity] }])).destroy();
  await expect(openPart(archive, 'log', [key, { passphrase: 'no' }])).rejects.toThrow(
    'the identity does not open the archive',
  );
});

it('contains the master key only on request, under its own passphrase', async () => {
  const without = await take();
  expect(without.head.parts.map(({ name }) => name)).toEqual(['log', 'tables', 'output', 'samples']);
  const archive = await take({ keyPassphrase: 'a passphrase for the key' });
  const { masterKey } = backend.resources.vault;
  const plain: Buffer[] = [];
  for await (const piece of await openPart(archive, 'master-key', { passphrase: 'a passphrase for the key' }))
    plain.push(piece as Buffer);
  expect(Buffer.concat(plain).toString()).toBe(`${masterKey.toString('base64')}\n`);
  await expect(openPart(archive, 'master-key', { identities: [identity] })).rejects.toThrow(
    'the identity does not open the archive',
  );
});

describe('with the log in EventStoreDB', () => {
  let server: EventStoreDbServer;
  let other: RunningBackend;
  beforeAll(async () => {
    server = await startEventStoreDb();
    const env = { EVENT_STORE_URL: server.url };
    other = await startBackend({ databaseUrl: await postgres.newDatabase(), env });
  });
  afterAll(async () => {
    await other?.close();
    await server?.stop();
  });

  it('takes its events up to one position, and continues from there', async () => {
    const { store } = other.resources;
    for (let nth = 0; nth < 5; nth++) await written(store);
    const full = await take({ of: other });
    const all = await store.log.readAll('0', 1_000);
    expect(await eventsOf(full)).toEqual(all);
    expect(full.head.log).toMatchObject({ engine: 'eventstoredb', events: all.length });
    const { position } = await written(store);
    const isFollowed = async (): Promise<boolean> => {
      const followed = await followedChain(other.db, store);
      return followed !== undefined && comparePositions(followed.position, position) >= 0;
    };
    while (!(await isFollowed())) await sleep(5);
    const increment = await take({ of: other, base: full });
    expect(increment.head).toMatchObject({ base: full.head.id, log: { events: 1, end: { position } } });
    expect((await eventsOf(increment)).map((event) => event.position)).toEqual([position]);
    // A cluster that was restored from its own backup may have other events at the same positions.
    const { log } = full.head;
    const hash = 'f'.repeat(64);
    const head = { ...full.head, log: { ...log, end: { ...log.end, hash } } };
    expect((await take({ of: other, base: { ...full, head } })).head.base).toBeNull();
  });
});

describe('the command', () => {
  const where = path.join(folder, 'by the command');
  const backup = (...args: string[]) => runHere(['backup', ...args], { databaseUrl: postgres.url });

  it('takes a full archive, then increments, lists and verifies them, beside the console', async () => {
    const key = path.join(folder, 'identity.txt');
    const made = await backup('key', key);
    expect(made.stdout).toMatch(/^age1\w+\n$/);
    expect(fs.readFileSync(key, 'utf8')).toMatch(/^# public key: age1\w+\nAGE-SECRET-KEY-1\w+\n$/);
    expect(fs.statSync(key).mode & 0o777).toBe(0o600);
    const recipient = made.stdout.trim();
    for (const kind of ['full', 'increment', 'increment'])
      expect(await backup('create', '--to', where, '--recipient', recipient)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(`  ${kind}  `),
      });
    const { archives, refused } = await archivesIn(where);
    expect(refused).toEqual([]);
    expect(await chainOf(archives.at(-1)!)).toEqual(archives);
    expect((await backup('list', where)).stdout.trim().split('\n')).toHaveLength(3);
    const verified = await backup('verify', archives.at(-1)!.file);
    expect(verified).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('every byte is what was written'),
    });
    // Without the middle archive, the last one cannot be restored, and the next is a full one.
    fs.rmSync(archives[1]!.file);
    expect(await backup('verify', archives.at(-1)!.file)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^\S.*: the archive that it continues is missing: .*\n$/),
    });
    expect((await backup('create', '--to', where, '--recipient', recipient)).stdout).toContain('  full  ');
    // For the recipients of the plan, with the path on the last line.
    const created = (await backup('create', '--to', where)).stdout.trim().split('\n');
    expect(created[0]).toContain('  full  ');
    const { head } = await openArchive(created.at(-1)!);
    const own = [await ownRecipient(backend.resources.vault.masterKey)];
    expect(head.lock).toBe(lockMark({ recipients: own }));
  });

  it('refuses impossible requests in one line', async () => {
    const cases: [string[], number, RegExp][] = [
      [['create', where], 2, /^create, list, verify ARCHIVE or key FILE is expected\n/],
      [['create', '--to', 's3://bucket/x'], 1, /^--to s3:\/\/bucket\/x: the console's plan has no bucket; /],
      [
        ['create', '--to', 's3://b/x', '--recipient', recipients[0]!],
        2,
        /^an archive in a bucket is for those/,
      ],
      [['create', '--recipient', 'age1x'], 2, /^age1x is not the public key/],
      [['create', '--to', 'package.json/x'], 1, /^\S+package\.json\/x: ENOTDIR.*\n$/],
      [['verify', 'package.json'], 1, /^package\.json: this is no archive.*\n$/],
      [['verify', '/none'], 1, /^\/none: ENOENT.*\n$/],
    ];
    await Promise.all(
      cases.map(async ([args, code, line]) => {
        const ended = await backup(...args);
        expect([args, ended.code]).toEqual([args, code]);
        expect(ended.stdout + ended.stderr).toMatch(line);
      }),
    );
  });
});

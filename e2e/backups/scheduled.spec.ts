// covers: BAK-01
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import type { BackupsView } from '../../libs/projections/src';
import { BACKUPS_ID } from '../../libs/events/src/catalogue';
import { openPart } from '../../apps/backend/src/backups/archive/read';
import { archivesIn, chainOf, nameAt } from '../../apps/backend/src/backups/folder';
import { ownRecipient } from '../../apps/backend/src/backups/own-identity';
import { takeBackup } from '../../apps/backend/src/backups/take';
import { BackupWork } from '../../apps/backend/src/backups/work/backup-work';
import { tables } from '../../apps/backend/src/tables';
import { MASTER_KEY, runHere, spawnBackend, startBackend } from '../../testing/backend';
import type { BackendProcess, Operator, RunningBackend } from '../../testing/backend';
import { operator } from '../../testing/operator';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';

const DAY_MS = 24 * 60 * 60_000;
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-scheduled-'));
const keep = { days: 7, weeks: 4, months: 12 };
const plan = { target: { kind: 'folder' }, schedule: null, keep, recipients: [] };
let postgres: TestPostgres;
let backend: RunningBackend;
let ada: Operator;
let work: BackupWork;

beforeAll(async () => {
  postgres = await startTestPostgres();
  backend = await startBackend({ databaseUrl: postgres.url });
  ada = await backend.signIn({ role: 'superadmin', email: 'ada@example.org' });
  work = backend.app.get(BackupWork, { strict: false });
});
afterAll(async () => {
  await backend?.close();
  await postgres?.stop();
  fs.rmSync(root, { recursive: true, force: true });
});

const overview = async (who = ada): Promise<BackupsView> =>
  (await who.post<BackupsView>('backup/overview')).body;

/** Types of the recorded events, which do not differ from run to run. */
const recorded = async ({ resources }: RunningBackend = backend): Promise<string[]> =>
  (await resources.store.readStream(`backup-${BACKUPS_ID}`)).map(({ type }) => type);

const configured = async (folder: string, more: object = {}): Promise<void> => {
  const wanted = { ...plan, target: { kind: 'folder', path: folder }, ...more };
  expect((await ada.post('backup/configure', wanted)).status).toBe(200);
};

/** The work that the holder of the lease does every second. */
const round = (now = new Date(), signal = new AbortController().signal): Promise<void> =>
  work.round(signal, now);

const requested = async (body: object = {}): Promise<string> => {
  const answer = await ada.post<{ work: string }>('backup/take', body);
  expect(answer.status).toBe(200);
  return answer.body.work;
};

const until = async <T>(look: () => Promise<T>, so: (found: T) => boolean): Promise<T> => {
  for (;;) {
    const found = await look();
    if (so(found)) return found;
    await sleep(10);
  }
};

it('takes requested backups into the folder, a full archive first and then an increment', async () => {
  const folder = path.join(root, 'asked');
  await configured(folder);
  const first = await requested();
  expect((await overview()).current).toMatchObject({ work: first, why: 'operator', attempts: 0 });
  expect((await ada.post('backup/take')).status).toBe(409);
  await round();
  const second = await requested();
  await round();
  const { archives, current, target } = await overview();
  expect([current, target]).toEqual([undefined, { name: folder, besideConsole: false }]);
  expect(archives).toMatchObject([
    { id: second, base: first, missing: false },
    { id: first, base: null, missing: false },
  ]);
  const found = await archivesIn(folder);
  expect(found.archives.map(({ head }) => head.id)).toEqual([first, second]);
  expect(await chainOf(found.archives[1]!)).toHaveLength(2);
  expect(fs.statSync(folder).mode & 0o777).toBe(0o700);
});

it('refuses everybody but superadmins', async () => {
  const admin = await backend.signIn({ role: 'admin', email: 'bob@example.org' });
  for (const call of ['overview', 'take', 'cancel', 'configure'])
    expect([call, (await admin.post(`backup/${call}`)).status]).toEqual([call, 403]);
});

it('restores with nothing but the archives and the master key', async () => {
  const [newest] = (await overview()).archives;
  const file = path.join(root, 'asked', newest!.name);
  const databaseUrl = await postgres.newDatabase();
  const done = await runHere(['restore', file], { databaseUrl, env: { MASTER_KEY } });
  expect([done.code, done.stdout]).toEqual([0, expect.stringContaining('restored. Sessions ended: ')]);
  // The plan was restored as well, but no backup is taken until scheduled work is released.
  const restored = await startBackend({ databaseUrl });
  try {
    const who = await restored.signIn({ role: 'superadmin', email: 'ada@example.org' });
    // The archive contains the beginning of its own backup, but not the end.
    const view = await overview(who);
    expect([view.current, view.failed]).toEqual([undefined, undefined]);
    expect(view).toMatchObject({
      restored: { takenAt: newest!.takenAt, position: newest!.end, sessions: expect.any(Number) },
      plan: { target: { path: path.join(root, 'asked') } },
    });
    expect((await who.post('backup/release')).status).toBe(200);
    expect((await overview(who)).restored).toBeUndefined();
    expect((await who.post('backup/release')).status).toBe(404);
  } finally {
    await restored.close();
  }
});

it('downloads an archive unchanged', async () => {
  const [newest] = (await overview()).archives;
  const answer = await fetch(`${backend.url}/api/backup/archive?archive=${newest!.id}`, {
    headers: { cookie: ada.cookie },
  });
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${newest!.name}"`);
  const file = fs.readFileSync(path.join(root, 'asked', newest!.name));
  expect(file.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
  // Includes every archive that its restore needs, even after the target has changed.
  await configured(path.join(root, 'another'));
  const all = await fetch(`${backend.url}/api/backup/download?archive=${newest!.id}`, {
    headers: { cookie: ada.cookie },
  });
  expect(all.headers.get('content-disposition')).toMatch(/^attachment; filename="quarterdeck-[\w-]+\.tar"$/);
  const unpacked = path.join(root, 'unpacked');
  fs.mkdirSync(unpacked);
  execFileSync('tar', ['-xf', '-', '-C', unpacked], { input: Buffer.from(await all.arrayBuffer()) });
  const found = await archivesIn(unpacked);
  expect(await chainOf(found.archives.at(-1)!)).toHaveLength(2);
  const none = await ada.get(`backup/archive?archive=${BACKUPS_ID}`);
  expect(none.status).toBe(404);
});

it('takes a backup after each time of the schedule, and none before the next', async () => {
  await configured(path.join(root, 'nightly'), { schedule: { at: '02:30' } });
  const tomorrow = new Date(Date.now() + DAY_MS);
  const before = (await overview()).archives.length;
  await round(tomorrow);
  expect((await overview()).current).toMatchObject({ why: 'schedule', full: false });
  await round(tomorrow);
  expect((await overview()).archives).toHaveLength(before + 1);
  // The backup was taken today, so with today's clock only the first drill is due, and no other backup.
  await round();
  const { current } = await overview();
  expect(current).toMatchObject({ kind: 'drill', why: 'schedule' });
  await ada.post('backup/cancel', { work: current!.work });
  await round();
  expect((await overview()).current).toBeUndefined();
});

it('reports why a backup failed, and takes the next one', async () => {
  const file = path.join(root, 'a-file');
  fs.writeFileSync(file, '');
  await configured(path.join(file, 'below'));
  await requested();
  await round();
  expect((await overview()).failed?.reason).toMatch(/a-file\/below.*ENOTDIR|ENOTDIR.*a-file\/below/);
  await configured(path.join(root, 'mended'));
  await requested();
  await round();
  expect((await overview()).failed).toBeUndefined();
  expect((await archivesIn(path.join(root, 'mended'))).archives).toHaveLength(1);
});

it('starts a new chain when the recipients change', async () => {
  const folder = path.join(root, 'recipients');
  await configured(folder);
  await requested();
  await round();
  const identity = await generateX25519Identity();
  await configured(folder, { recipients: [await identityToRecipient(identity)] });
  const id = await requested();
  await round();
  const [archive] = (await archivesIn(folder)).archives.slice(-1);
  expect(archive!.head).toMatchObject({ id, base: null });
  (await openPart(archive!, 'log', { identities: [identity] })).destroy();
  expect((await ada.post('backup/configure', { ...plan, recipients: ['age1x'] })).body).toMatchObject({
    data: { 'recipients.0': expect.stringContaining('age1x is not the public key') },
  });
});

it('starts a new chain when an archive that the next one needs is altered, and records when that returns', async () => {
  const folder = path.join(root, 'damaged');
  await configured(folder);
  const ids = [await requested()];
  await round();
  ids.push(await requested());
  await round();
  const { archives } = await archivesIn(folder);
  const bytes = fs.readFileSync(archives[0]!.file);
  fs.truncateSync(archives[0]!.file, 20_000);
  const third = await requested();
  await round();
  const view = await overview();
  expect(view.archives.find(({ id }) => id === third)).toMatchObject({ base: null });
  expect(view.archives.find(({ id }) => id === ids[0])).toMatchObject({ missing: true });
  fs.writeFileSync(archives[0]!.file, bytes);
  await requested();
  await round();
  // The returned archive is one of several of its day, so it is thinned out next.
  expect((await recorded()).slice(-2)).toEqual(['ArchivesReturned', 'ArchivesThinned']);
});

it('takes no backup into a folder whose disk is not mounted, until a superadmin asks to start anew there', async () => {
  const folder = path.join(root, 'mounted');
  await configured(folder);
  await requested();
  await round();
  const mounted = fs.readdirSync(folder);
  fs.renameSync(folder, `${folder}-elsewhere`);
  const attempted = async (body: object = {}): Promise<string | undefined> => {
    await requested(body);
    await round();
    return (await overview()).failed?.reason;
  };
  expect(await attempted()).toMatch(/mounted: the archive put there before cannot be found/);
  expect(fs.existsSync(folder)).toBe(false);
  fs.renameSync(`${folder}-elsewhere`, folder);
  expect(await attempted()).toBeUndefined();
  expect(fs.readdirSync(folder)).toEqual(expect.arrayContaining(mounted));
  fs.rmSync(folder, { recursive: true });
  expect(await attempted({ full: true })).toBeUndefined();
});

it('removes archives that the plan no longer keeps, but none that an increment needs', async () => {
  const folder = path.join(root, 'thinned');
  await configured(folder, { keep: { days: 1, weeks: 1, months: 1 } });
  await requested();
  await round();
  await requested();
  await round();
  // The increment needs the full archive.
  expect((await archivesIn(folder)).archives).toHaveLength(2);
  // Archives taken before a migration are in DATA_DIR, whatever the target is.
  const { resources } = backend;
  const own = path.join(resources.config.DATA_DIR, 'backups');
  fs.mkdirSync(own, { recursive: true });
  const recipients = [await ownRecipient(resources.vault.masterKey)];
  for (const name of ['one', 'other'])
    await takeBackup({
      log: resources,
      tables,
      elsewhere: false,
      file: path.join(own, `${name}.backup`),
      lock: { recipients },
      takenAt: new Date().toISOString(),
    });
  const last = await requested({ full: true });
  await round();
  expect(fs.readdirSync(own)).toEqual(['other.backup']);
  expect((await archivesIn(folder)).archives.map(({ head }) => head.id)).toEqual([last]);
  expect(await recorded()).toContain('ArchivesThinned');
  expect((await overview()).archives.filter(({ missing }) => !missing)[0]).toMatchObject({ id: last });
});

it("regards an archive that the command takes for the plan's recipients as its own", async () => {
  const folder = path.join(root, 'commanded');
  await configured(folder);
  const first = await requested();
  await round();
  const command = ['backup', 'create', '--to', folder];
  expect(await runHere(command, { databaseUrl: postgres.url })).toMatchObject({ code: 0 });
  const [made] = (await overview()).archives;
  expect(made).toMatchObject({ base: first, missing: false });
  const next = await requested();
  await round();
  expect((await overview()).archives[0]).toMatchObject({ id: next, base: made!.id });
  const forOthers = [...command, '--recipient', await identityToRecipient(await generateX25519Identity())];
  expect(await runHere(forOthers, { databaseUrl: postgres.url })).toMatchObject({ code: 0 });
  expect((await overview()).archives[0]).toMatchObject({ id: next });
});

it('adopts the archive of a process that died right after it was made', async () => {
  const folder = path.join(root, 'died');
  await configured(folder);
  const id = await requested();
  const takenAt = new Date().toISOString();
  const recipients = [await ownRecipient(backend.resources.vault.masterKey)];
  fs.mkdirSync(folder);
  await takeBackup({
    log: backend.resources,
    tables,
    elsewhere: false,
    file: path.join(folder, nameAt(takenAt, id)),
    lock: { recipients },
    takenAt,
    id,
  });
  await round();
  expect((await archivesIn(folder)).archives.map(({ head }) => head.id)).toEqual([id]);
  expect((await overview()).archives[0]).toMatchObject({ id, takenAt });
});

describe('with several processes', () => {
  const env = { BACKUPS: 'on', MASTER_KEY };
  const living: BackendProcess[] = [];
  let who: Operator;
  let folder: string;
  let count = 0;

  const spawn = async (databaseUrl: string): Promise<BackendProcess> => {
    const one = await spawnBackend({ databaseUrl, env });
    living.push(one);
    return one;
  };

  beforeAll(async () => {
    await spawn(postgres.url);
    await spawn(postgres.url);
    const code = new URL(
      await backend.signInLink({ role: 'superadmin', email: 'ada@example.org' }),
    ).searchParams.get('code');
    who = await operator(living[1]!.url).signIn(code ?? '');
  });
  afterAll(async () => {
    for (const one of living) await one.stop();
  });
  beforeEach(() => {
    folder = path.join(root, `processes-${++count}`);
    return configured(folder);
  });

  /** Takes a backup that stops at the output of runs until `act` has ended. */
  const midway = async (act: (work: string, view: BackupsView) => Promise<void>): Promise<string> => {
    const holder = await backend.db.connect();
    try {
      await holder.query('begin; lock table app.run_output in access exclusive mode');
      const { body } = await who.post<{ work: string }>('backup/take', { full: true });
      const view = await until(
        () => overview(who),
        ({ current }) => current?.attempts === 1 && current.progress !== undefined,
      );
      await act(body.work, view);
      return body.work;
    } finally {
      await holder.query('rollback');
      holder.release();
    }
  };

  it('takes a backup in one of them, shows its progress in the other, and ends when it is cancelled, even if a table is locked', async () => {
    await midway(async (work, { current }) => {
      expect(current).toMatchObject({ work, progress: { part: expect.any(String) } });
      expect((await who.post('backup/cancel', { work })).status).toBe(200);
      await until(
        () => overview(who),
        (view) => view.current === undefined,
      );
    });
    expect((await recorded()).slice(-4)).toEqual([
      'BackupRequested',
      'BackupStarted',
      'BackupCancelRequested',
      'BackupCancelled',
    ]);
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it('is taken over when its process is killed: one complete archive, and no incomplete one', async () => {
    let dying: BackendProcess;
    const work = await midway(async () => {
      const { rows } = await backend.db.query<{ process: string }>(
        `select data ->> 'process' as process from log.events where type = 'BackupStarted' order by position desc limit 1`,
      );
      dying = living.find(({ pid }) => rows[0]?.process.endsWith(`:${pid}`))!;
      await dying.kill('SIGKILL');
    });
    const other = living.find((one) => one !== dying)!;
    const reached = operator(other.url, who.cookie);
    const view = await until(
      () => overview(reached),
      ({ current }) => current === undefined,
    );
    expect(view.archives[0]).toMatchObject({ id: work });
    const { archives, refused } = await archivesIn(folder);
    expect([archives.map(({ head }) => head.id), refused]).toEqual([[work], []]);
    expect((await recorded()).slice(-4)).toEqual([
      'BackupRequested',
      'BackupStarted',
      'BackupStarted',
      'BackupTaken',
    ]);
  });
});

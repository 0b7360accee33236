// covers: BAK-02
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { Client } from 'pg';
import type { BackupsView } from '../../libs/projections/src';
import { BACKUPS_ID } from '../../libs/events/src/catalogue';
import { proofOf } from '../../apps/backend/src/backups/drill/drill';
import { archivesIn, nameAt } from '../../apps/backend/src/backups/folder';
import { ownIdentity } from '../../apps/backend/src/backups/own-identity';
import { restore } from '../../apps/backend/src/backups/restore/restore';
import { takeBackup } from '../../apps/backend/src/backups/take';
import { BackupWork } from '../../apps/backend/src/backups/work/backup-work';
import { readConfig } from '../../apps/backend/src/platform/config';
import { type Log } from '../../apps/backend/src/platform/boot';
import { createLogger } from '../../apps/backend/src/platform/logging';
import { tables } from '../../apps/backend/src/tables';
import { MASTER_KEY, spawnBackend, startBackend } from '../../testing/backend';
import type { Operator, RunningBackend } from '../../testing/backend';
import { operator } from '../../testing/operator';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-drill-'));
const keep = { days: 7, weeks: 4, months: 12 };
let postgres: TestPostgres;
let backend: RunningBackend;
let ada: Operator;
let work: BackupWork;

const workOf = ({ app }: RunningBackend): BackupWork => app.get(BackupWork, { strict: false });

beforeAll(async () => {
  postgres = await startTestPostgres();
  backend = await startBackend({ databaseUrl: postgres.url });
  ada = await backend.signIn({ role: 'superadmin', email: 'ada@example.org' });
  work = workOf(backend);
  await backend.db.query(
    `insert into app.run_output (run, seq, at, stream, text)
     select gen_random_uuid(), n, now(), 'out', md5(n::text) from generate_series(1, 1000) n`,
  );
});
afterAll(async () => {
  await backend?.close();
  await postgres?.stop();
  fs.rmSync(root, { recursive: true, force: true });
});

const overview = async (who = ada): Promise<BackupsView> =>
  (await who.post<BackupsView>('backup/overview')).body;
const configured = async (
  folder: string,
  schedule: object | null = null,
  who = ada,
  kept = keep,
): Promise<void> => {
  const plan = { target: { kind: 'folder', path: folder }, schedule, keep: kept, recipients: [] };
  expect((await who.post('backup/configure', plan)).status).toBe(200);
};
const round = (now = new Date(), of = work): Promise<void> => of.round(new AbortController().signal, now);
const done = async (call: 'take' | 'drill', who = ada, of = work, body = {}): Promise<BackupsView> => {
  expect([call, (await who.post(`backup/${call}`, body)).status]).toEqual([call, 200]);
  await round(new Date(), of);
  return overview(who);
};

/** Databases that a drill has left behind. */
const leftBehind = async (url = postgres.url): Promise<string[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ datname: string }>(
      `select datname from pg_database, (select oid from pg_database where datname = current_database()) own
       where datname = 'quarterdeck_drill_' || own.oid`,
    );
    return rows.map(({ datname }) => datname);
  } finally {
    await client.end();
  }
};

it('a drill is refused without an archive, and to everybody but superadmins', async () => {
  await configured(path.join(root, 'archives'));
  expect((await ada.post('backup/drill')).status).toBe(409);
  const admin = await backend.signIn({ role: 'admin', email: 'bob@example.org' });
  expect((await admin.post('backup/drill')).status).toBe(403);
});

it('restores the newest archive with all that it continues, verifies and counts it, and reports the proof', async () => {
  expect((await done('take')).proven).toBeUndefined();
  await backend.db.query(
    `insert into app.run_output (run, seq, at, stream, text) values (gen_random_uuid(), 1, now(), 'out', 'later')`,
  );
  const { archives } = await done('take');
  expect(archives[0]!.base).toBe(archives[1]!.id);
  // By schedule, the first drill follows the first backup. A cancelled drill is not requested again at once.
  await configured(path.join(root, 'archives'), { at: '02:30' });
  await round();
  const { current } = await overview();
  expect(current).toMatchObject({ kind: 'drill', why: 'schedule', attempts: 0 });
  expect((await ada.post('backup/cancel', { work: current!.work })).status).toBe(200);
  await round();
  expect((await overview()).current).toBeUndefined();
  await configured(path.join(root, 'archives'));
  const before = await backend.db.query('select from app.sessions');
  const view = await done('drill');
  expect([view.drillFailed, view.current]).toEqual([undefined, undefined]);
  expect(view.proven).toMatchObject({
    archives: 2,
    takenAt: archives[0]!.takenAt,
    end: archives[0]!.end,
    events: archives[0]!.events + archives[1]!.events,
  });
  expect(view.proven!.rows).toBeGreaterThan(1000);
  expect(view.proven!.viewRows).toBeGreaterThan(0);
  expect(view.archives.map(({ provenAt }) => provenAt)).toEqual([view.proven!.at, view.proven!.at]);
  expect(await leftBehind()).toEqual([]);
  // The restore has not affected the live console.
  expect((await backend.db.query('select from app.sessions')).rowCount).toBe(before.rowCount);
  expect((await ada.get('session')).status).toBe(200);
});

it('names the altered part of an archive, or its missing file, and passes again with a new archive', async () => {
  const folder = path.join(root, 'altered');
  await configured(folder);
  await done('take');
  const { file, head } = (await archivesIn(folder)).archives[0]!;
  const part = head.parts.find(({ name }) => name === 'output')!;
  const handle = fs.openSync(file, 'r+');
  fs.writeSync(handle, Buffer.from([0xff, 0x00, 0xff]), 0, 3, part.from + 50);
  fs.closeSync(handle);
  const view = await done('drill');
  expect(view.drillFailed?.reason).toMatch(/part output of the archive is altered/);
  expect(view.proven).toBeDefined();
  expect(await leftBehind()).toEqual([]);
  fs.rmSync(file);
  expect((await done('drill')).drillFailed?.reason).toMatch(/cannot be found/);
  await done('take', ada, work, { full: true });
  expect((await done('drill')).drillFailed).toBeUndefined();
});

it('continues and drills its own archives, even if a command puts archives for others between them', async () => {
  const folder = path.join(root, 'shared');
  await configured(folder);
  const first = (await done('take')).archives[0]!;
  const others = { recipients: [await identityToRecipient(await generateX25519Identity())] };
  const { resources } = backend;
  const takenAt = new Date().toISOString();
  const file = path.join(folder, nameAt(takenAt, 'of a command'));
  await takeBackup({ log: resources, tables, elsewhere: false, file, lock: others, takenAt });
  const second = (await done('take')).archives[0]!;
  expect(second.base).toBe(first.id);
  const later = new Date().toISOString();
  const newest = path.join(folder, nameAt(later, 'of a command'));
  await takeBackup({ log: resources, tables, elsewhere: false, file: newest, lock: others, takenAt: later });
  const view = await done('drill');
  expect([view.drillFailed, view.proven?.takenAt]).toEqual([undefined, second.takenAt]);
  // Neither kind of archive causes the other to be removed.
  await configured(folder, null, ada, { days: 1, weeks: 1, months: 1 });
  const last = (await done('take')).archives[0]!;
  const { archives } = await archivesIn(folder);
  expect(archives.map(({ head }) => head.id)).toEqual(expect.arrayContaining([first.id, second.id, last.id]));
  expect(archives.map((archive) => archive.file)).toContain(newest);
});

describe('does not pass', () => {
  /** Restores into a separate database, alters that with `harm`, and then checks it. */
  const proofAfter = async (harm: (log: Log) => Promise<unknown>): Promise<unknown> => {
    const { archives } = await archivesIn(path.join(root, 'archives'));
    const url = await postgres.newDatabase();
    const env = { DATA_DIR: path.join(root, 'data'), DATABASE_URL: url, MASTER_KEY };
    let found: unknown;
    await restore({
      config: readConfig(env),
      logger: createLogger('silent'),
      tables,
      archives: archives.slice(0, 2),
      tell: () => undefined,
      key: { identities: [ownIdentity(Buffer.from(MASTER_KEY, 'base64'))] },
      check: async (log) => {
        await harm(log);
        found = await proofOf(log, tables, archives.slice(0, 2)).catch((error: Error) => error.message);
      },
    });
    return found;
  };

  it.each<[string, string, RegExp]>([
    [
      'a person is missing',
      'delete from app.person_records',
      /table app.person_records was restored with 0 rows, and had [1-9]/,
    ],
    [
      'a line of output is missing',
      `delete from app.run_output where text = 'later'`,
      /table app.run_output was restored with \d+ rows, and had \d+/,
    ],
    ['a read model differs', `update read.people set view = view || '{"name":"Eve"}'`, /read model people/],
    [
      'an event differs',
      `alter table log.events disable trigger all; update log.events set recorded_at = now() where position = 2`,
      /the restored log is broken: event 2 was altered/,
    ],
  ])('when %s', async (_what, statement, says) => {
    expect(await proofAfter(({ pool }) => pool.query(statement))).toMatch(says);
  });
});

it('names the privilege that it lacks on an external Postgres, and passes once it is granted', async () => {
  const url = new URL(await postgres.newDatabase());
  const name = `plain_${url.pathname.slice(6)}`;
  const admin = new Client({ connectionString: url.href });
  await admin.connect();
  admin.on('error', () => undefined);
  await admin.query(`create role ${name} login password 'plain'`);
  await admin.query(`grant set on parameter "log.appending" to ${name}`);
  await admin.query(`alter database ${url.pathname.slice(1)} owner to ${name}`);
  const [own, whole] = [new URL(url), url.href];
  [own.username, own.password] = [name, 'plain'];
  const console = await startBackend({ databaseUrl: own.href });
  try {
    const who = await console.signIn({ role: 'superadmin', email: 'ada@example.org' });
    await configured(path.join(root, 'plain'), null, who);
    expect((await done('take', who, workOf(console))).failed).toBeUndefined();
    const { drillFailed } = await done('drill', who, workOf(console));
    expect(drillFailed?.reason).toMatch(
      new RegExp(`role ${name} may not make the database .* ALTER ROLE "${name}" CREATEDB`),
    );
    await admin.query(`alter role ${name} createdb`);
    expect(await done('drill', who, workOf(console))).toMatchObject({ proven: { archives: 1 } });
    expect(await leftBehind(whole)).toEqual([]);
  } finally {
    await console.close();
    await admin.query(`drop owned by ${name} cascade`);
    await admin.query(`alter database ${url.pathname.slice(1)} owner to current_user`);
    await admin.query(`drop role ${name}`);
    await admin.end();
  }
});

describe('in a separate process', () => {
  const env = { BACKUPS: 'on', MASTER_KEY };
  const until = async (so: (view: BackupsView) => boolean, who: Operator): Promise<BackupsView> => {
    for (;;) {
      const view = await overview(who);
      if (so(view)) return view;
      await sleep(10);
    }
  };

  const isRestoring = ({ current }: BackupsView): boolean =>
    current === undefined || current.progress?.part === 'restore';

  it('that is killed in the middle is repeated, and leaves no database behind', async () => {
    await backend.db.query(
      `insert into app.run_output (run, seq, at, stream, text)
       select gen_random_uuid(), n, now(), 'out', md5(n::text) || repeat(md5((n * 7)::text), 30) from generate_series(1, 60000) n`,
    );
    await configured(path.join(root, 'killed'));
    await done('take');
    const first = await spawnBackend({ databaseUrl: postgres.url, env });
    expect((await ada.post('backup/drill')).status).toBe(200);
    const begun = await until(isRestoring, ada);
    expect(begun.current).toMatchObject({ kind: 'drill', attempts: 1 });
    await first.kill('SIGKILL');
    expect(await leftBehind()).toHaveLength(1);
    const second = await spawnBackend({ databaseUrl: postgres.url, env });
    try {
      const who = operator(second.url, ada.cookie);
      const view = await until(({ current }) => current === undefined, who);
      expect(view.drillFailed).toBeUndefined();
      expect(view.archives[0]!.provenAt).toBe(view.proven!.at);
      expect(await leftBehind()).toEqual([]);
      // Cancelled in the middle.
      const { body } = await who.post<{ work: string }>('backup/drill');
      await until(isRestoring, who);
      expect((await who.post('backup/cancel', { work: body.work })).status).toBe(200);
      const ended = await until(({ current }) => current === undefined, who);
      expect(ended.proven!.at).toBe(view.proven!.at);
      expect(await leftBehind()).toEqual([]);
      const types = (await backend.resources.store.readStream(`backup-${BACKUPS_ID}`)).map(
        ({ type }) => type,
      );
      expect(types.slice(-8)).toEqual([
        'DrillRequested',
        'DrillStarted',
        'DrillStarted',
        'DrillPassed',
        'DrillRequested',
        'DrillStarted',
        'DrillCancelRequested',
        'DrillCancelled',
      ]);
    } finally {
      await second.stop();
    }
  });
});

// covers: BAK-01, BAK-02, BAK-03
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Pool } from 'pg';
import type { BackupsView } from '@quarterdeck/projections';
import { checkParts, type Archive } from '../../../apps/backend/src/backups/archive/read';
import { DRAFT } from '../../../apps/backend/src/backups/archive/write';
import { inThrowaway } from '../../../apps/backend/src/backups/drill/throwaway';
import { archivesIn, chainAmong, nameAt } from '../../../apps/backend/src/backups/folder';
import { ownRecipient } from '../../../apps/backend/src/backups/own-identity';
import { takeBackup } from '../../../apps/backend/src/backups/take';
import { BackupWork } from '../../../apps/backend/src/backups/work/backup-work';
import { tables } from '../../../apps/backend/src/tables';
import { BEFORE_IDENTITIES, days, fillAs, keptOn } from '../../backups/kept-days';
import { stepBack } from '../../backups/step-back';
import { MASTER_KEY, runHere, spawnBackend, startBackend } from '../../../testing/backend';
import type { BackendProcess, Operator, RunningBackend } from '../../../testing/backend';
import { startTestPostgres, type TestPostgres } from '../../../testing/postgres';
import { startS3, type S3Server } from '../../../testing/s3';
import { needs } from '../../../testing/throwaway-needs';
import { throwawayHostLacks } from '../../../testing/throwaway-lacks';
import { pause } from '../../../testing/patience';
import { fault, moment, within } from '../fault';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-killed-'));
const env = { BACKUPS: 'on', OUTBOUND_ALLOW: '127.0.0.1' };
let postgres: TestPostgres;
let s3: S3Server;
/** Requests backups, and finishes the work that a killed process left; starts none by itself. */
let console: RunningBackend;
let ada: Operator;
let count = 0;

beforeAll(async () => {
  [postgres, s3] = await Promise.all([startTestPostgres(), startS3()]);
  console = await startBackend({ databaseUrl: postgres.url, env: { OUTBOUND_ALLOW: '127.0.0.1' } });
  ada = await console.signIn({ role: 'superadmin', email: 'ada@example.org' });
  // Enough rows to be killed in the middle of a backup.
  await console.db.query(
    `insert into app.run_output (run, seq, at, stream, text)
     select gen_random_uuid(), n, now(), 'out', md5(n::text) || repeat(md5((n * 7)::text), 30) from generate_series(1, 40000) n`,
  );
});
afterAll(async () => {
  await console?.close();
  await s3?.stop();
  await postgres?.stop();
  fs.rmSync(root, { recursive: true, force: true });
});

const newFolder = (): string => path.join(root, `${++count}`);
const overview = async (): Promise<BackupsView> => (await ada.post<BackupsView>('backup/overview')).body;
const configure = async (target: object, keep = { days: 7, weeks: 4, months: 12 }): Promise<void> => {
  const plan = { target, keep, schedule: null, recipients: [] };
  expect((await ada.post('backup/configure', plan)).status).toBe(200);
};
const ask = async (): Promise<string> => {
  const { status, body } = await ada.post<{ work: string }>('backup/take', { full: true });
  expect(status).toBe(200);
  return body.work;
};
/** The work that the holder of the lease does every second. */
const round = (): Promise<void> =>
  console.app.get(BackupWork, { strict: false }).round(new AbortController().signal, new Date());

/** Expects every archive in the folder to be intact, with all that it continues. @returns ids, oldest first */
const provenIn = async (folder: string): Promise<string[]> => {
  const { archives, refused } = await archivesIn(folder);
  expect(refused).toEqual([]);
  for (const archive of archives) {
    await checkParts(archive);
    chainAmong(archive, archives);
  }
  return archives.map(({ head }) => head.id);
};

/** The earlier archive of the day is removed once the new one exists, at the latest after the next backup. */
const done = (before: string, work: string): string[][] => [[before, work], [work]];
const possible = (before: string, work: string): string[][] => [[before], ...done(before, work)];

const isOver = async (): Promise<boolean> => (await overview()).current === undefined;

/** Starts a process that takes the requested backup, and kills it once `isTime` holds. */
const killed = async (isTime: (look: number) => boolean | Promise<boolean>): Promise<void> => {
  const process = await spawnBackend({ databaseUrl: postgres.url, env });
  try {
    for (let look = 1; !(await isTime(look)); look++) await pause(1);
  } finally {
    await process.kill('SIGKILL');
  }
};

const sizeOf = async (folder: string, id: string): Promise<number> =>
  (await archivesIn(folder)).archives.find(({ head }) => head.id === id)!.head.bytes;

/** Bytes written so far of unfinished archives. */
const draftBytesIn = (folder: string): number =>
  fs
    .readdirSync(folder)
    .filter((name) => name.endsWith(DRAFT))
    .reduce(
      (sum, name) => sum + (fs.statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );

fault({
  fault: 'kill -9 while a backup is taken',
  must: 'no half archive has the name of one, the one before is whole, and the next process takes it',
  trial: async (turn) => {
    const folder = newFolder();
    await configure({ kind: 'folder', path: folder });
    const before = await ask();
    await round();
    const work = await ask();
    // A different instant in each turn, the latest right after the whole archive was written.
    const enough = moment(turn, (await sizeOf(folder, before)) * 1.05);
    // Looks for the end only now and then, because that call takes longer than writing much of an archive.
    await killed((look) => draftBytesIn(folder) >= enough || (look % 20 === 0 && isOver()));
    const found = await provenIn(folder);
    expect(possible(before, work)).toContainEqual(found);
    await round();
    expect(done(before, work)).toContainEqual(await provenIn(folder));
    expect((await overview()).archives[0]).toMatchObject({ id: work, missing: false });
    return found[0] === before && found.length === 1 ? 'killed before the archive was whole' : undefined;
  },
});

/** The bucket's objects as files. */
const downloaded = (): string => {
  const folder = newFolder();
  fs.mkdirSync(folder);
  for (const [key, bytes] of s3.objects) fs.writeFileSync(path.join(folder, path.basename(key)), bytes);
  return folder;
};
const PREFIX = 'console';
const bucket = (): object => {
  const { url: endpoint, region, bucket: name, accessKeyId, secretAccessKey } = s3;
  const address = { endpoint, region, bucket: name, accessKeyId, secretAccessKey };
  return { kind: 's3', ...address, prefix: PREFIX, pathStyle: true };
};

/** Kills the process while a matching call waits for its answer. */
const killedAt = async (isTheCall: S3Server['halt']): Promise<void> => {
  let halted = false;
  s3.halt = (seen) => (halted ||= isTheCall!(seen));
  await killed(() => halted);
  s3.halt = undefined;
};

fault({
  fault: 'kill -9 while an archive is uploaded',
  must: 'no half object is in the bucket, the one before is whole, and nothing unfinished stays there',
  trial: async (turn) => {
    s3.objects.clear();
    await configure(bucket());
    const before = await ask();
    await round();
    const work = await ask();
    const enough = moment(turn, [...s3.objects.values()][0]!.length);
    const begun = s3.calls.length;
    // In turn: within the body, after the body arrived but before the answer, and at each call around it.
    const isTheCall: S3Server['halt'] = ({ method, bytes, isDone }) =>
      turn % 3 < 2
        ? method === 'PUT' && (turn % 3 === 1 ? isDone : bytes >= enough)
        : s3.calls.length - begun === 1 + (Math.floor(turn / 3) % 4);
    await killedAt(isTheCall);
    const found = await provenIn(downloaded());
    expect(possible(before, work)).toContainEqual(found);
    if (turn % 3 === 0) expect(found).toEqual([before]);
    if (turn % 3 === 1) expect(found).toEqual([before, work]);
    await round();
    expect(done(before, work)).toContainEqual(await provenIn(downloaded()));
    expect(s3.uploads.size).toBe(0);
    return found[0] === before && found.length === 1 ? 'killed before the object was whole' : undefined;
  },
});

/** Takes two full backups with two increments each in this process, so that there is something to thin out. */
const filled = async (folder: string): Promise<void> => {
  fs.mkdirSync(folder, { recursive: true });
  const recipients = [await ownRecipient(console.resources.vault.masterKey)];
  let base: Archive | undefined;
  for (let nth = 0; nth < 6; nth++) {
    const takenAt = new Date(Date.now() - (10 - nth) * 1_000).toISOString();
    base = await takeBackup({
      log: console.resources,
      tables,
      elsewhere: false,
      lock: { recipients },
      takenAt,
      file: path.join(folder, nameAt(takenAt, `archive ${nth}`)),
      base: nth % 3 === 0 ? undefined : base,
    });
  }
};

fault({
  fault: 'kill -9 while archives are thinned out',
  must: 'no increment loses an archive that it needs, and the newest archive stays',
  trial: async (turn) => {
    const folder = newFolder();
    await filled(folder);
    s3.objects.clear();
    for (const name of fs.readdirSync(folder))
      s3.objects.set(`${PREFIX}/${name}`, fs.readFileSync(path.join(folder, name)));
    await configure(bucket(), { days: 1, weeks: 1, months: 1 });
    const work = await ask();
    // In turn: before and after each of the six removals.
    const [gone, isDone] = [Math.floor(turn / 2) % 6, turn % 2 === 1];
    let asked = 0;
    const isTheCall: S3Server['halt'] = (seen) => {
      if (seen.method === 'DELETE' && !seen.isDone) asked++;
      return seen.method === 'DELETE' && asked === gone + 1 && seen.isDone === isDone;
    };
    await killedAt(isTheCall);
    const left = await provenIn(downloaded());
    expect([left.at(-1), left.length]).toEqual([work, 7 - gone - (isDone ? 1 : 0)]);
    const next = await ask();
    await round();
    expect(await provenIn(downloaded())).toEqual([next]);
    return `${left.length - 1} of 6 were left`;
  },
});

/** Runs a command or a start of the built program, and kills it `afterMs` after `from` appeared in its output. */
const spawned = async (
  args: string[],
  place: Record<string, string>,
  { from, afterMs }: { from: RegExp; afterMs: number },
): Promise<{ said: string; ended: boolean }> => {
  const child = spawn(process.execPath, args, {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      HEALTH_CHECKS: 'off',
      DNS_CHECKS: 'off',
      SITE_CHECKS: 'off',
      MASTER_KEY,
      ...place,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const exited = once(child, 'exit');
  const isThere = new Promise<void>((resolve) => {
    const take = (piece: Buffer): void => {
      said += piece.toString();
      if (from.test(said)) resolve();
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
  });
  await Promise.race([isThere, exited]);
  await Promise.race([pause(afterMs), exited]);
  child.kill('SIGKILL');
  const [code] = (await exited) as [number | null];
  return { said, ended: code !== null };
};

const unfinished = expect.stringContaining('has an unfinished restore') as string;

fault({
  fault: 'kill -9 in the middle of a restore',
  must: 'no start takes it for a console, the archive is as it was, and it restores elsewhere',
  trial: async (turn) => {
    const folder = newFolder();
    await configure({ kind: 'folder', path: folder });
    await ask();
    await round();
    const file = path.join(folder, fs.readdirSync(folder)[0]!);
    const before = fs.readFileSync(file);
    const place = { DATABASE_URL: await postgres.newDatabase(), DATA_DIR: newFolder() };
    const args = ['dist/backend/cli.js', 'restore', file];
    const { ended } = await spawned(args, place, { from: /restored to/, afterMs: moment(turn, 4_000) });
    const started = await startBackend({ databaseUrl: place.DATABASE_URL }).catch((error: Error) => error);
    if (started instanceof Error) expect([ended, started.message]).toEqual([false, unfinished]);
    else {
      // It was killed after its last step, or not at all.
      const events = await started.resources.store.readAll('0', { limit: 10_000 });
      await started.close();
      expect(events.map(({ type }) => type)).toContain('ConsoleRestored');
    }
    expect(fs.readFileSync(file).equals(before)).toBe(true);
    const again = { databaseUrl: await postgres.newDatabase() };
    expect(await runHere(['restore', file], again)).toMatchObject({ code: 0 });
    return started instanceof Error ? 'killed before its end' : undefined;
  },
});

/** Sets the database back to before that step, as an earlier version left it. */
const older = async (databaseUrl: string): Promise<void> => {
  const backend = await startBackend({ databaseUrl });
  await backend.signIn({ role: 'superadmin', email: 'ada@example.org' });
  await stepBack(backend.db);
  await backend.close();
};

/** @returns the names of the migrations that the database has */
const migrationsOf = async (databaseUrl: string): Promise<string[]> => {
  const pool = new Pool({ connectionString: databaseUrl, max: 1 });
  const { rows } = await pool.query<{ name: string }>('select name from app.migrations order by name');
  await pool.end();
  return rows.map(({ name }) => name);
};

/** @param leave leaves a database as an earlier version did */
const firstStartKilled = async (turn: number, leave: (databaseUrl: string) => Promise<void>) => {
  const place = { DATABASE_URL: await postgres.newDatabase(), DATA_DIR: newFolder() };
  await leave(place.DATABASE_URL);
  const before = await migrationsOf(place.DATABASE_URL);
  const from = turn % 2 === 0 ? /./ : /this version changes the database/;
  const { said } = await spawned(['dist/backend/main.js'], place, { from, afterMs: moment(turn, 900) });
  const folder = path.join(place.DATA_DIR, 'backups');
  const made = fs.existsSync(folder) ? await provenIn(folder) : [];
  // Nothing was changed before the archive existed.
  if ((await migrationsOf(place.DATABASE_URL)).length > before.length) expect(made).toHaveLength(1);
  const next = await spawnBackend({
    databaseUrl: place.DATABASE_URL,
    dataDir: place.DATA_DIR,
    env: { BACKUPS: 'on', MASTER_KEY },
  });
  // Read models of earlier versions are made anew beside the calls.
  await within(60_000, 'a proof of the read models', async () => {
    const { code } = await runHere(['projections', 'verify'], { databaseUrl: place.DATABASE_URL });
    return code === 0;
  });
  await next.stop();
  const kept = await archivesIn(folder);
  expect(await provenIn(folder)).toEqual(expect.arrayContaining(made));
  expect(before).toEqual(expect.arrayContaining(kept.archives[0]!.head.schema));
  return said.includes('ready ') ? undefined : 'killed before it was ready';
};

fault({
  fault: 'kill -9 in the middle of the first start of a newer version',
  must: 'the way back is whole before anything changes, and the next start ends the upgrade',
  trial: (turn) => firstStartKilled(turn, older),
});

const provable = days.filter((day) => !BEFORE_IDENTITIES.includes(day));
fault({
  fault: 'kill -9 in the middle of the first start on data of an earlier day',
  must: 'the way back is whole before anything changes, and the next start ends the upgrade',
  trial: (turn) => firstStartKilled(turn, (url) => fillAs(keptOn(provable[turn % provable.length]!), url)),
});

const lacking = throwawayHostLacks();
needs('a folder that can be full needs a machine that mounts one', lacking);

if (lacking.length === 0)
  fault({
    fault: 'the disk of the archives full',
    must: 'it is told within a minute, nothing half is left, changes are saved meanwhile, and a drill is refused',
    share: 0.2,
    trial: async () => {
      const dataDir = newFolder();
      fs.mkdirSync(dataDir);
      await configure({ kind: 'folder' });
      const small: BackendProcess = await spawnBackend({
        databaseUrl: postgres.url,
        dataDir,
        room: '1m',
        env,
      });
      try {
        const work = await ask();
        let saved = 0;
        const told = await within(60_000, 'a word about it', async () => {
          const { status } = await ada.post('product/insert', { data: { name: `Product ${++count}` } });
          expect(status).toBe(200);
          saved++;
          return isOver();
        });
        const { failed, archives } = await overview();
        expect(failed?.reason).toMatch(/backups.*ENOSPC/);
        expect(archives.map(({ id }) => id)).not.toContain(work);
        const seen = `/proc/${small.pid}/root${dataDir}`;
        expect(fs.readdirSync(path.join(seen, 'backups'))).toEqual([]);
        expect(saved).toBeGreaterThan(0);
        const about = { url: postgres.url, folder: seen };
        await expect(inThrowaway(about, () => Promise.reject(new Error('it began')))).rejects.toThrow(
          /^a drill needs \d+ MB at \S+, and \d MB are free$/,
        );
        return `told after ${told} ms`;
      } finally {
        await small.stop();
      }
    },
  });

// covers: BAK-01
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { BackupsView } from '../../libs/projections/src';
import { askConsole } from '../../apps/backend/src/backups/work/ask-console';
import { BackupWork } from '../../apps/backend/src/backups/work/backup-work';
import { archivesIn, chainOf } from '../../apps/backend/src/backups/folder';
import { pause } from '../../testing/patience';
import { runCommand, runHere, startBackend, type Operator, type RunningBackend } from '../../testing/backend';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { startS3, type S3Server } from '../../testing/s3';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-s3-'));
let postgres: TestPostgres;
let backend: RunningBackend;
let s3: S3Server;
let ada: Operator;
let work: BackupWork;

beforeAll(async () => {
  [postgres, s3] = await Promise.all([startTestPostgres(), startS3()]);
  backend = await startBackend({ databaseUrl: postgres.url, env: { OUTBOUND_ALLOW: '127.0.0.1' } });
  ada = await backend.signIn({ role: 'superadmin', email: 'ada@example.org' });
  work = backend.app.get(BackupWork, { strict: false });
});
afterAll(async () => {
  await backend?.close();
  await s3?.stop();
  await postgres?.stop();
  fs.rmSync(root, { recursive: true, force: true });
});
beforeEach(() => {
  s3.mood = 'well';
  s3.denied = undefined;
  s3.sessionToken = undefined;
  s3.refusesEarly = false;
  s3.slowDowns = 0;
  s3.halt = undefined;
  s3.pageSize = 1_000;
});

const overview = async (): Promise<BackupsView> => (await ada.post<BackupsView>('backup/overview')).body;

const configure = (target: object = {}, more: object = {}) =>
  ada.post('backup/configure', {
    target: {
      kind: 's3',
      endpoint: s3.url,
      region: s3.region,
      bucket: s3.bucket,
      prefix: 'console',
      pathStyle: true,
      accessKeyId: s3.accessKeyId,
      secretAccessKey: s3.secretAccessKey,
      ...target,
    },
    schedule: null,
    keep: { days: 7, weeks: 4, months: 12 },
    recipients: [],
    ...more,
  });

const taken = async (body: object = {}): Promise<BackupsView> => {
  expect((await ada.post('backup/take', body)).status).toBe(200);
  await work.round(new AbortController().signal, new Date());
  return overview();
};
const onTheirWay = (): string => path.join(backend.resources.config.DATA_DIR, 'backups-on-their-way');

it('puts a full archive and then increments into the bucket, which restore from a copy', async () => {
  expect((await configure()).status).toBe(200);
  const first = await taken();
  expect(first.failed).toBeUndefined();
  expect(first.target).toMatchObject({ besideConsole: false });
  s3.pageSize = 1;
  await taken();
  const { archives } = await taken();
  expect(archives.map(({ base }) => base)).toEqual([archives[1]!.id, archives[2]!.id, null]);
  expect([...s3.objects.keys()].sort()).toEqual(archives.map(({ name }) => `console/${name}`).sort());
  for (const [key, bytes] of s3.objects) fs.writeFileSync(path.join(root, path.basename(key)), bytes);
  const copies = await archivesIn(root);
  expect(copies.refused).toEqual([]);
  expect(await chainOf(copies.archives.at(-1)!)).toHaveLength(3);
  expect(fs.existsSync(onTheirWay())).toBe(false);
});

it('a drill restores an archive from the bucket, and leaves no copy on this machine', async () => {
  expect((await ada.post('backup/drill')).status).toBe(200);
  await work.round(new AbortController().signal, new Date());
  expect(await overview()).toMatchObject({ proven: { archives: 3 } });
  expect(fs.existsSync(onTheirWay())).toBe(false);
});

it('an archive is downloaded from the bucket', async () => {
  const [newest] = (await overview()).archives;
  const answer = await fetch(`${backend.url}/api/backup/archive?archive=${newest!.id}`, {
    headers: { cookie: ada.cookie },
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(s3.objects.get(`console/${newest!.name}`)?.equals(bytes)).toBe(true);
});

it('keeps its secret in the vault, out of the answers and the log', async () => {
  const { plan } = await overview();
  expect(plan.target).toMatchObject({ secret: { fingerprint: expect.stringMatching(/^SHA256:/) } });
  const events = await backend.resources.store.readAll('0', { limit: 10_000 });
  for (const text of [JSON.stringify(plan), JSON.stringify(events), backend.logs.join('')])
    expect(text).not.toContain(s3.secretAccessKey);
  // Without a secret the stored one is kept, except for another server.
  expect((await configure({ secretAccessKey: undefined })).status).toBe(200);
  expect((await taken()).failed).toBeUndefined();
  expect(await configure({ secretAccessKey: undefined, endpoint: 'https://s3.example.org' })).toMatchObject({
    status: 400,
    body: { data: { 'target.secretAccessKey': 'This field is required' } },
  });
});

it('sends the session token of keys that expire, which a new key replaces', async () => {
  s3.sessionToken = 'the token of this session';
  await configure();
  expect((await taken()).failed?.reason).toMatch(/403: InvalidToken, .*; check the session token$/);
  expect((await configure({ sessionToken: s3.sessionToken })).status).toBe(200);
  expect((await taken()).failed).toBeUndefined();
  // It is kept together with its key.
  expect((await configure({ secretAccessKey: undefined })).status).toBe(200);
  const kept = await taken();
  expect([kept.failed, kept.plan.target]).toEqual([
    undefined,
    expect.objectContaining({ session: { fingerprint: expect.stringMatching(/^SHA256:/) } }),
  ]);
  const events = await backend.resources.store.readAll('0', { limit: 10_000 });
  for (const text of [JSON.stringify(kept), JSON.stringify(events), backend.logs.join('')])
    expect(text).not.toContain(s3.sessionToken);
  s3.sessionToken = undefined;
  await configure();
  const { failed, plan } = await taken();
  expect([failed, plan.target]).toEqual([
    undefined,
    expect.not.objectContaining({ session: expect.anything() }),
  ]);
});

it('the command requests a backup and waits for it', async () => {
  await configure();
  const command = (to: string) => runHere(['backup', 'create', '--to', to], { databaseUrl: postgres.url });
  const to = `s3://${s3.bucket}/console`;
  const round = async (): Promise<void> => {
    while ((await overview()).current === undefined) await pause(20);
    await work.round(new AbortController().signal, new Date());
  };
  const [made] = await Promise.all([command(`${to}/`), round()]);
  const [newest] = (await overview()).archives;
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(`\n${to}/${newest!.name}\n$`) });
  s3.mood = 'full';
  const [refused] = await Promise.all([command(to), round()]);
  expect(refused).toMatchObject({ code: 1, stdout: expect.stringMatching(/^no archive was made: \S/) });
  s3.mood = 'well';
  expect(await command('s3://other/console')).toMatchObject({
    code: 1,
    stdout: `--to s3://other/console: the console's plan has ${to}; name this one there first, with its credentials\n`,
  });
  const { resources: log } = backend;
  const [signal, tell] = [new AbortController().signal, () => undefined];
  await expect(askConsole({ log, to, full: false, tell, signal, unansweredMs: 0 })).rejects.toThrow(
    'no console runs that takes backups',
  );
  expect((await overview()).current).toBeUndefined();
});

const keepOne = { keep: { days: 1, weeks: 1, months: 1 } };

it('keeps in the list what it cannot remove, says why, and removes it later', async () => {
  await configure({}, keepOne);
  const before = (await overview()).archives.map(({ name }) => name);
  // The newest increment is locked, so nothing that it continues may go.
  s3.locked.add(`console/${before[0]!}`);
  const stuck = await taken({ full: true });
  expect([stuck.failed, stuck.archives.slice(1).map(({ name }) => name)]).toEqual([undefined, before]);
  expect(stuck.notRemoved).toEqual([
    {
      place: stuck.target.name,
      names: before,
      reason: expect.stringMatching(
        /refused s3:DeleteObject of console\/\S+ with 403: AccessDenied, .*object lock; it can be removed once its time of retention is over$/,
      ),
    },
  ]);
  expect((await work.troubles(new Date())).map(({ about }) => about)).toContain('archivesNotRemoved');
  for (const name of before) expect([name, s3.objects.has(`console/${name}`)]).toEqual([name, true]);
  s3.locked.clear();
  const freed = await taken({ full: true });
  expect([freed.notRemoved, freed.archives.length]).toEqual([[], 1]);
  expect([...s3.objects.keys()]).toEqual([`console/${freed.archives[0]!.name}`]);
});

it('a removal that a crash left unrecorded is no missing archive', async () => {
  const [only] = (await overview()).archives;
  s3.objects.delete(`console/${only!.name}`);
  const { archives } = await taken({ full: true });
  expect(archives.map(({ missing }) => missing)).toEqual([false]);
});

it('tries what a backup does with the bucket, step by step', async () => {
  const tried = async () => (await ada.post<unknown[]>('backup/try')).body;
  const works = (does: string) => ({ does, ok: true, says: '' });
  await configure();
  const objects = s3.objects.size;
  expect(await tried()).toEqual(['list', 'write', 'read', 'delete'].map(works));
  expect(s3.objects.size).toBe(objects);
  s3.denied = 'read';
  const says = expect.stringMatching(
    /s3:GetObject of console\/test-\S+ with 403: AccessDenied.*; allow s3:GetObject on/,
  );
  // The object is removed although it could not be read.
  expect(await tried()).toEqual([
    works('list'),
    works('write'),
    { does: 'read', ok: false, says },
    works('delete'),
  ]);
  s3.denied = 'write';
  expect(await tried()).toEqual([
    works('list'),
    { does: 'write', ok: false, says: expect.stringMatching(/; allow s3:PutObject on/) },
  ]);
  expect(s3.objects.size).toBe(objects);
});

it('an archive is listed, verified and restored from the bucket by one command', async () => {
  const TMPDIR = path.join(root, 'temporary');
  fs.mkdirSync(TMPDIR);
  const env = {
    TMPDIR,
    AWS_ENDPOINT_URL: s3.url,
    AWS_REGION: s3.region,
    AWS_ACCESS_KEY_ID: s3.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
  };
  await taken();
  const { archives } = await overview();
  const place = `s3://${s3.bucket}/console`;
  const run = (args: string[], more: object = {}) =>
    runCommand(args, { databaseUrl: postgres.url, env: { ...env, ...more } });
  const listed = await run(['backup', 'list', place]);
  expect(listed).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`${place}/${archives[0]!.name}  `),
    // The client warns of versions of Node that are not of interest to an operator.
    stderr: '',
  });
  const verified = await run(['backup', 'verify', `${place}/${archives[0]!.name}`]);
  expect(verified).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('every byte is what was written'),
  });
  const empty = await startTestPostgres();
  const restored = await runCommand(['restore', `${place}/${archives[0]!.name}`], {
    databaseUrl: empty.url,
    env,
  });
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('2 archives are restored') });
  await empty.stop();
  expect(await run(['backup', 'verify', `${place}/quarterdeck-none.backup`])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('there is no such archive'),
  });
  expect(await run(['backup', 'list', place], { AWS_SECRET_ACCESS_KEY: '' })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('the environment has no AWS_SECRET_ACCESS_KEY'),
  });
  expect(fs.readdirSync(TMPDIR)).toEqual([]);
});

it('after a drill found damage the next backup is a full one', async () => {
  const [newest] = (await overview()).archives;
  const key = `console/${newest!.name}`;
  const whole = s3.objects.get(key)!;
  const damaged = Buffer.from(whole);
  damaged[damaged.length - 20]! ^= 1;
  s3.objects.set(key, damaged);
  await ada.post('backup/drill');
  await work.round(new AbortController().signal, new Date());
  expect(await overview()).toMatchObject({ fullWanted: true, drillFailed: { damaged: true } });
  expect((await work.troubles(new Date())).find(({ about }) => about === 'drillFailed')?.says).toMatch(
    /The next backup is a full one/,
  );
  const { archives, fullWanted } = await taken();
  expect([archives[0]!.base, fullWanted]).toEqual([null, false]);
});

it('ignores objects that are not readable archives, and needs no right to list uploads', async () => {
  await configure();
  const [key = ''] = s3.objects.keys();
  s3.objects.set('console/quarterdeck-empty.backup', Buffer.alloc(0));
  s3.objects.set('console/quarterdeck-frozen.backup', s3.objects.get(key)!);
  s3.frozen.add('console/quarterdeck-frozen.backup');
  s3.objects.set('console/quarterdeck-sealed.backup', s3.objects.get(key)!);
  s3.sealed.add('console/quarterdeck-sealed.backup');
  s3.denied = 'uploads';
  backend.logs.length = 0;
  const { failed, archives } = await taken({ full: true });
  expect([failed, archives[0]?.missing]).toEqual([undefined, false]);
  for (const says of [
    'console/quarterdeck-empty.backup: ',
    'refused s3:GetObject of console/quarterdeck-frozen.backup with 403: InvalidObjectState',
    'refused s3:GetObject of console/quarterdeck-sealed.backup with 400: InvalidRequest',
  ])
    expect(backend.logs.join('')).toContain(says);
  for (const odd of ['empty', 'frozen', 'sealed']) s3.objects.delete(`console/quarterdeck-${odd}.backup`);
  s3.frozen.clear();
  s3.sealed.clear();
});

it.each([
  [
    'a wrong secret',
    { secretAccessKey: 'wrong' },
    'well',
    /refused s3:ListBucket with 403: SignatureDoesNotMatch, .*; check the secret access key$/,
  ],
  [
    'an unknown key',
    { accessKeyId: 'AKIAOTHER' },
    'well',
    /refused s3:ListBucket with 403: InvalidAccessKeyId, .*; check the access key ID$/,
  ],
  [
    'a bucket that does not exist',
    { bucket: 'none' },
    'well',
    /refused s3:ListBucket with 404: NoSuchBucket, .*; make the bucket none, or correct its name$/,
  ],
  [
    'a wrong region',
    { region: 'us-east-1' },
    'well',
    /AuthorizationHeaderMalformed, .*; the bucket is in the region eu-test-1, not in us-east-1$/,
  ],
  [
    'a bucket that is full',
    {},
    'full',
    /refused s3:PutObject of console\/\S+ with 507: XMinioStorageFull, .*; make room, or keep fewer archives$/,
  ],
  ['a connection that breaks', {}, 'breakOff', /127\.0\.0\.1:\d+ closed the connection \(ECONNRESET|EPIPE\)/],
  [
    'a page for every call',
    {},
    'portal',
    /did not answer s3:ListBucket with a list of objects: check the endpoint|and not as S3 does/,
  ],
  ['a server that keeps nothing', {}, 'yes', /the archive is not there as it was sent|NoSuchKey/],
  [
    'a list that never ends',
    {},
    'endless',
    /says in s3:ListBucket that more objects follow, but not where they begin/,
  ],
  [
    'a list that does not say where it goes on',
    {},
    'tokenless',
    /says in s3:ListBucket that more objects follow, but not where they begin/,
  ],
  [
    'a server that nobody may call',
    { endpoint: 'http://10.0.0.9:9000' },
    'well',
    /10\.0\.0\.9.*OUTBOUND_ALLOW/,
  ],
] as const)(
  'reports %s in one line, and leaves nothing that looks like an archive',
  async (_what, target, mood, line) => {
    const before = [...s3.objects.keys()];
    await configure(target);
    s3.mood = mood;
    const { failed } = await taken({ full: true });
    expect(failed?.reason).toMatch(line);
    expect(failed?.reason).not.toContain('\n');
    expect([...s3.objects.keys()]).toEqual(before);
    expect(fs.existsSync(onTheirWay())).toBe(false);
  },
);

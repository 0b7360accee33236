/**
 * Backups in real buckets: Ceph's radosgw, and OpenStack Swift with s3api. `scripts/install-s3-servers.sh` installs both.
 * `npm run faults -- s3` runs these rows; `npm test` has a stand-in (testing/s3.ts).
 */
// covers: BAK-01, BAK-02
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import type { BackupsView } from '@quarterdeck/projections';
import { BackupWork } from '../../../apps/backend/src/backups/work/backup-work';
import { runCommand, startBackend, type Operator, type RunningBackend } from '../../../testing/backend';
import { startFaultyHttp } from '../../../testing/faulty-http';
import { startTlsNginx } from '../../../testing/tls-nginx';
import { startTestPostgres, type TestPostgres } from '../../../testing/postgres';
import {
  s3ServersLack,
  startRadosgw,
  startSwift,
  type RealS3,
  type S3Account,
} from '../../../testing/s3-servers';
import { testAuthority } from '../../../testing/test-authority';
import { needs } from '../../../testing/throwaway-needs';
import { fault } from '../fault';

// The client warns of versions of Node.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
const lacking = s3ServersLack();
needs('real S3 servers', lacking);

const MB = 1_000_000;
/** Base64 of random bytes is compressed to their size. */
const fill = async ({ db }: RunningBackend, bytes: number): Promise<void> => {
  await db.query('delete from app.run_output');
  for (let done = 0; done < bytes; done += MB)
    await db.query(
      `insert into app.run_output (run, seq, at, stream, text) values (gen_random_uuid(), 1, now(), 'out', $1)`,
      [randomBytes(Math.min(MB, bytes - done)).toString('base64')],
    );
};

interface Console {
  backend: RunningBackend;
  ada: Operator;
}

let postgres: TestPostgres;
const consoles: Console[] = [];
const servers = new Map<RealS3['name'], Promise<RealS3>>();

const consoleOn = async (databaseUrl: string): Promise<Console> => {
  const backend = await startBackend({ databaseUrl, env: { OUTBOUND_ALLOW: '127.0.0.0/8,::1,localhost' } });
  const one = { backend, ada: await backend.signIn({ role: 'superadmin', email: 'ada@example.org' }) };
  consoles.push(one);
  return one;
};
beforeAll(async () => {
  if (lacking.length > 0) return;
  postgres = await startTestPostgres();
  await consoleOn(postgres.url);
});
afterAll(async () => {
  for (const { backend } of consoles) await backend.close();
  for (const server of servers.values()) await (await server).stop();
  await postgres?.stop();
});

const starts = { radosgw: startRadosgw, Swift: startSwift };
const server = (name: RealS3['name']): Promise<RealS3> => {
  const running = servers.get(name) ?? starts[name]();
  servers.set(name, running);
  return running;
};
let count = 0;
const ownerOf = ({ url: endpoint, region, owner }: RealS3): S3Client =>
  new S3Client({ endpoint, region, credentials: { ...owner }, forcePathStyle: true });
const newBucket = async (s3: RealS3, name = `backups-${++count}`): Promise<string> => {
  await ownerOf(s3).send(new CreateBucketCommand({ Bucket: name }));
  return name;
};

const targetIn = (s3: RealS3, bucket: string, account: S3Account = s3.owner) => ({
  kind: 's3',
  endpoint: s3.url,
  region: s3.region,
  bucket,
  prefix: 'console/',
  pathStyle: true,
  ...account,
});
const overview = async ({ ada }: Console): Promise<BackupsView> =>
  (await ada.post<BackupsView>('backup/overview')).body;
const configure = async ({ ada }: Console, target: object, days = 7): Promise<void> => {
  const plan = { target, schedule: null, keep: { days, weeks: 1, months: 1 }, recipients: [] };
  const { status, body } = await ada.post('backup/configure', plan);
  expect([status, body]).toEqual([200, body]);
};
const round = ({ backend }: Console): Promise<void> =>
  backend.app.get(BackupWork, { strict: false }).round(new AbortController().signal, new Date());
const taken = async (one: Console, full = false): Promise<BackupsView> => {
  expect((await one.ada.post('backup/take', { full })).status).toBe(200);
  await round(one);
  return overview(one);
};
const mine = (): Console => consoles[0]!;
type Verdict = { does: string; ok: boolean; says: string };
const verdicts = async ({ ada }: Console): Promise<Verdict[]> =>
  (await ada.post<Verdict[]>('backup/try')).body;
const works = ['list', 'write', 'read', 'delete'].map((does) => ({ does, ok: true, says: '' }));
const seconds = (from: number): string => `${((performance.now() - from) / 1000).toFixed(1)} s`;

const environment = (s3: RealS3): Record<string, string> => ({
  AWS_ENDPOINT_URL: s3.url,
  AWS_REGION: s3.region,
  AWS_ACCESS_KEY_ID: s3.owner.accessKeyId,
  AWS_SECRET_ACCESS_KEY: s3.owner.secretAccessKey,
});

const outputIn = async (connectionString: string): Promise<unknown> => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query(
      'select count(*), sum(length(text)), sum(hashtextextended(text, 1)) from app.run_output',
    );
    return rows[0];
  } finally {
    await client.end();
  }
};

/** Restores the newest archive on a machine that has nothing but the keys. @returns how long it took */
const restored = async (s3: RealS3, bucket: string): Promise<string> => {
  const { archives } = await overview(mine());
  const archive = `s3://${bucket}/console/${archives[0]!.name}`;
  const env = environment(s3);
  const databaseUrl = await postgres.newDatabase();
  const began = performance.now();
  const done = await runCommand(['restore', archive], { databaseUrl, env });
  expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(/archives? (is|are) restored/) });
  const lasted = seconds(began);
  expect(await outputIn(databaseUrl)).toEqual(await outputIn(postgres.url));
  return lasted;
};

for (const name of lacking.length > 0 ? [] : (['radosgw', 'Swift'] as const)) {
  const at = (what: string): string => `S3 on ${name}: ${what}`;

  fault({
    fault: at('a machine is lost'),
    must: 'archives were taken, drilled, listed and verified there, and one command restores the newest on an empty machine',
    share: 0.1,
    trial: async () => {
      const s3 = await server(name);
      const bucket = await newBucket(s3);
      await fill(mine().backend, 20 * MB);
      await configure(mine(), targetIn(s3, bucket));
      expect(await verdicts(mine())).toEqual(works);
      for (const full of [true, false, false]) expect((await taken(mine(), full)).failed).toBeUndefined();
      await mine().ada.post('backup/drill');
      await round(mine());
      expect(await overview(mine())).toMatchObject({ proven: { archives: 3 } });
      const env = environment(s3);
      const run = (...args: string[]) => runCommand(['backup', ...args], { databaseUrl: postgres.url, env });
      const place = `s3://${bucket}/console`;
      const [newest] = (await overview(mine())).archives;
      expect(await run('list', place)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(newest!.name),
      });
      expect(await run('verify', `${place}/${newest!.name}`)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('every byte is what was written'),
      });
      return `20 MB restored in ${await restored(s3, bucket)}`;
    },
  });

  const megabytes = name === 'radosgw' ? 500 : 80;
  fault({
    fault: at(`${megabytes} MB, 5 % of 503, 2 % resets, and a minute in which nothing moves`),
    must: 'the backup is complete, every byte of it is right, the log tells of the calls that were repeated, and it restores to what it was',
    share: 0.1,
    trialMs: 3_600_000,
    trial: async () => {
      const s3 = await server(name);
      const bucket = await newBucket(s3);
      await fill(mine().backend, megabytes * MB);
      const faulty = await startFaultyHttp(s3.url, { before: 7, ms: 60_000 });
      try {
        await configure(mine(), { ...targetIn(s3, bucket), endpoint: faulty.url });
        mine().backend.logs.length = 0;
        const began = performance.now();
        const { failed, archives } = await taken(mine(), true);
        const lasted = seconds(began);
        expect(failed).toBeUndefined();
        expect(archives[0]!.bytes).toBeGreaterThan(megabytes * MB);
        expect(Math.min(faulty.refused, faulty.reset, faulty.stalled)).toBeGreaterThan(0);
        expect(mine().backend.logs.join('')).toContain('calls of an upload were made again');
        // Without the faults in between: what is in the bucket is what the console wrote.
        const verified = await runCommand(
          ['backup', 'verify', `s3://${bucket}/console/${archives[0]!.name}`],
          {
            databaseUrl: postgres.url,
            env: environment(s3),
          },
        );
        expect(verified).toMatchObject({
          code: 0,
          stdout: expect.stringContaining('every byte is what was written'),
        });
        const back = await restored(s3, bucket);
        return `taken in ${lasted}, ${faulty.refused} of ${faulty.calls} calls refused, ${faulty.reset} reset, ${faulty.stalled} stalled; restored in ${back}`;
      } finally {
        await faulty.stop();
      }
    },
  });

  fault({
    fault: at('keys that may not do everything'),
    must: 'a backup needs only the right to list, write and read, and each refusal names what to allow',
    share: 0.1,
    trial: async () => {
      const s3 = await server(name);
      const bucket = await newBucket(s3);
      await fill(mine().backend, 20 * MB);
      await s3.allow(bucket, ['list', 'read', 'write']);
      await configure(mine(), targetIn(s3, bucket, s3.guest), 1);
      const first = await taken(mine(), true);
      expect(first.failed).toBeUndefined();
      const kept = first.archives[0]!.name;
      if (name === 'radosgw') {
        const { archives, notRemoved, failed } = await taken(mine(), true);
        // Archives of the tests before are in other buckets.
        const here = archives.filter(({ place }) => place.includes(bucket)).map((one) => one.name);
        expect([failed, here]).toEqual([undefined, [archives[0]!.name, kept]]);
        expect(notRemoved).toEqual([
          expect.objectContaining({
            names: [kept],
            reason: expect.stringMatching(
              /s3:DeleteObject of .* with 403: AccessDenied.*allow s3:DeleteObject on/,
            ),
          }),
        ]);
      }
      await s3.allow(bucket, ['list', 'read']);
      const refused = (await taken(mine(), true)).failed?.reason;
      expect(refused).toMatch(
        new RegExp(
          `refused s3:PutObject of console/\\S+ with 403: AccessDenied.*; allow s3:PutObject on ${bucket}/console/\\*$`,
        ),
      );
      const [list, write] = await verdicts(mine());
      expect([list?.ok, write?.ok, write?.says]).toEqual([
        true,
        false,
        expect.stringMatching(/allow s3:PutObject on/),
      ]);
      await s3.allow(bucket, []);
      expect((await taken(mine(), true)).failed?.reason).toMatch(
        new RegExp(`refused s3:ListBucket with 403: AccessDenied.*; allow s3:ListBucket on ${bucket}$`),
      );
    },
  });

  fault({
    fault: at('an upload of a killed process that is gone'),
    must: 'the backup after it is taken',
    share: 0.1,
    trial: async () => {
      const s3 = await server(name);
      const bucket = await newBucket(s3);
      await configure(mine(), targetIn(s3, bucket));
      const note = path.join(mine().backend.resources.config.DATA_DIR, 'backups-on-their-way.json');
      fs.writeFileSync(note, JSON.stringify({ key: 'console/quarterdeck-gone.backup', id: '2~gone' }));
      mine().backend.logs.length = 0;
      expect((await taken(mine(), true)).failed).toBeUndefined();
      expect(mine().backend.logs.join('')).toMatch(
        /s3:AbortMultipartUpload .*404.*an unfinished upload was left alone/,
      );
      expect(fs.existsSync(note)).toBe(false);
    },
  });

  fault({
    fault: at('two consoles on one prefix'),
    must: 'neither ends an upload of the other',
    share: 0.1,
    trial: async () => {
      const s3 = await server(name);
      const bucket = await newBucket(s3);
      const other = consoles[1] ?? (await consoleOn(await postgres.newDatabase()));
      const both = [mine(), other];
      for (const one of both) {
        await fill(one.backend, 20 * MB);
        await configure(one, targetIn(s3, bucket));
      }
      for (let turn = 0; turn < 2; turn++) {
        const views = await Promise.all(both.map((one) => taken(one, true)));
        expect(views.map(({ failed }) => failed?.reason)).toEqual([undefined, undefined]);
      }
      return '4 of 4 uploads';
    },
  });

  fault({
    fault: at('a plan with a mistake'),
    must: 'one line says which, and what to do',
    share: 0.1,
    trial: async () => {
      const s3 = await server(name);
      const bucket = await newBucket(s3);
      await fill(mine().backend, 1 * MB);
      const said = async (more: object): Promise<string | undefined> => {
        await configure(mine(), { ...targetIn(s3, bucket), ...more });
        return (await taken(mine(), true)).failed?.reason;
      };
      expect(await said({ secretAccessKey: 'wrong' })).toMatch(
        /403: SignatureDoesNotMatch.*check the secret access key$/,
      );
      expect(await said({ accessKeyId: 'test:nobody' })).toMatch(
        /403: (InvalidAccessKeyId.*check the access key ID|SignatureDoesNotMatch.*check the secret access key)$/,
      );
      expect(await said({ bucket: 'none' })).toMatch(
        /404: NoSuchBucket.*make the bucket none, or correct its name$/,
      );
      expect(await said({ endpoint: s3.url.replace('http:', 'https:') })).toMatch(
        /does not speak TLS: the endpoint should begin with http:\/\//,
      );
      const elsewhere = await said({ region: 'eu-central-1' });
      // Ceph takes each region.
      if (name === 'radosgw') expect(elsewhere).toBeUndefined();
      else expect(elsewhere).toMatch(/the bucket is in the region swift-1, not in eu-central-1$/);
      expect(await said({ bucket: await newBucket(s3, 'dots.in.the.name') })).toBeUndefined();
      await s3.limit(bucket, 100_000);
      expect(await said({})).toMatch(
        /refused s3:PutObject of .*(QuotaExceeded|EntityTooLarge).*make room, or keep fewer archives$/,
      );
    },
  });

  fault({
    fault: at('TLS in front, by an authority of its own'),
    must: 'a backup is taken with the authority, and without it, or over http, one line says what to do',
    share: 0.1,
    trial: async () => {
      const s3 = await server(name);
      const bucket = await newBucket(s3);
      const authority = await testAuthority();
      const [notBefore, notAfter] = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000)) as [
        Date,
        Date,
      ];
      const names = ['127.0.0.1', 'localhost'];
      const front = await startTlsNginx(s3.port, await authority.leaf({ names, notBefore, notAfter }));
      try {
        await fill(mine().backend, 20 * MB);
        const said = async (more: object): Promise<string | undefined> => {
          await configure(mine(), { ...targetIn(s3, bucket), endpoint: front.url, ...more });
          return (await taken(mine(), true)).failed?.reason;
        };
        expect(await said({ ca: authority.root })).toBeUndefined();
        expect(await said({})).toMatch(/unknown authority.*name its certificate authority/);
        expect(await said({ endpoint: front.url.replace('https:', 'http:') })).toMatch(
          /speaks TLS: the endpoint should begin with https:\/\//,
        );
        // Over TLS the client puts a name with dots into the path.
        const atName = { ca: authority.root, endpoint: `https://localhost:${front.port}`, pathStyle: false };
        const dotted = await newBucket(s3, `dots.in.${bucket}`);
        expect(await said({ ...atName, bucket: dotted })).toBeUndefined();
        expect(await said(atName)).toMatch(/choose "Bucket in the path"/);
      } finally {
        await front.stop();
      }
    },
  });
}

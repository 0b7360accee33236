/**
 * A real S3 server, from Debian's packages (`scripts/install-s3-servers.sh`): Ceph's radosgw on one node that keeps its
 * objects in memory. It has a folder and loopback ports of its own, and ends with this process.
 */
import { PutBucketPolicyCommand, S3Client } from '@aws-sdk/client-s3';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port';
import { PATIENCE_MS, pause } from './patience';
import { untilWeDie } from './sshd-root';

export interface S3Account {
  accessKeyId: string;
  secretAccessKey: string;
}

export interface RealS3 {
  /** `http://127.0.0.1:port` */
  url: string;
  region: string;
  /** Owns the buckets that it makes. */
  owner: S3Account;
  /** Owns nothing. May do what a bucket's owner allows. */
  guest: S3Account;
  /** What the guest may do with a bucket, and nothing else. */
  allow(bucket: string, rights: readonly ('list' | 'read' | 'write')[]): Promise<void>;
  /** At most so many bytes may be in this bucket. */
  limit(bucket: string, bytes: number): Promise<void>;
  stop(): Promise<void>;
}

const programs = ['ceph-mon', 'ceph-osd', 'radosgw'];

/** What this machine lacks, in words; empty if the server can run here. */
export const s3ServersLack = (): string[] =>
  programs
    .filter((name) => !existsSync(join('/usr/bin', name)))
    .map((name) => `there is no ${name} here: run scripts/install-s3-servers.sh`);

const account = (name: string): S3Account => ({
  accessKeyId: name.toUpperCase(),
  secretAccessKey: `the secret of ${name}`.replaceAll(' ', '-'),
});

/** Starts programs one after the other, and ends them in the reverse order. */
class Family {
  readonly folder = mkdtempSync(join(tmpdir(), 'quarterdeck-s3-'));
  private readonly children: ChildProcess[] = [];

  start(name: string, command: readonly string[]): ChildProcess {
    const log = openSync(join(this.folder, `${name}.log`), 'a');
    const [program = 'setpriv', ...dies] = untilWeDie;
    const child = spawn(program, [...dies, ...command], {
      stdio: ['ignore', log, log],
      env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
    });
    closeSync(log);
    // A test that does not stop it can still end.
    child.unref();
    this.children.push(child);
    return child;
  }

  async run(program: string, ...args: string[]): Promise<void> {
    await promisify(execFile)(program, args, { cwd: this.folder });
  }

  /** Waits until it answers HTTP. @throws Error with the end of the log */
  async answers(name: string, port: number): Promise<void> {
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end;) {
      const up = await fetch(`http://127.0.0.1:${port}/`).then(
        (answer) => answer.arrayBuffer().then(() => true),
        () => false,
      );
      if (up) return;
      if (this.children.some(({ exitCode }) => exitCode !== null)) break;
      await pause(50);
    }
    throw new Error(
      `${name} did not start: ${readFileSync(join(this.folder, `${name}.log`), 'utf8').slice(-800)}`,
    );
  }

  async stop(): Promise<void> {
    for (const child of this.children.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.ref();
      const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.kill('SIGKILL');
      await gone;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Stops what has started if the work fails. */
  async orStop<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await this.stop();
      throw error;
    }
  }
}

/** A monitor, a store in memory, and the gateway. */
export const startRadosgw = (): Promise<RealS3> => {
  const family = new Family();
  return family.orStop(async () => {
    const { folder } = family;
    const [monitor, port] = [await freePort(), await freePort()];
    const fsid = randomUUID();
    const conf = join(folder, 'ceph.conf');
    const settings = [
      '[global]',
      `fsid = ${fsid}`,
      `mon host = v2:127.0.0.1:${monitor}/0`,
      'public addr = 127.0.0.1',
      'cluster addr = 127.0.0.1',
      `run dir = ${folder}`,
      `admin socket = ${folder}/$name.$pid.asok`,
      `pid file = ${folder}/$name.pid`,
      `mon data = ${folder}/mon`,
      `osd data = ${folder}/osd`,
      `rgw data = ${folder}`,
      `keyring = ${folder}/keyring`,
      'log to file = false',
      'mon cluster log to file = false',
      'log to stderr = true',
      // One node keeps one copy, in few pieces.
      'osd crush update on start = false',
      'osd pool default size = 1',
      'osd pool default min size = 1',
      'mon allow pool size one = true',
      'osd crush chooseleaf type = 0',
      'osd pool default pg num = 1',
      'osd pool default pgp num = 1',
      'osd pool default pg autoscale mode = off',
      'mon max pg per osd = 1000',
      'osd objectstore = memstore',
      'memstore device bytes = 4294967296',
      'mon data avail crit = 0',
      'rgw lc debug interval = -1',
      // A quota applies to the next write.
      'rgw bucket quota ttl = 0',
      'rgw user quota bucket sync interval = 1',
    ];
    writeFileSync(conf, `${settings.join('\n')}\n`);
    const keyring = join(folder, 'keyring');
    const all = ['mon', 'osd', 'mgr'].flatMap((what) => ['--cap', what, 'allow *']);
    writeFileSync(keyring, '');
    for (const name of ['mon.', 'client.admin', 'osd.0'])
      await family.run('ceph-authtool', keyring, '--gen-key', '-n', name, ...all);
    for (const name of ['mon', 'osd']) mkdirSync(join(folder, name));
    const map = join(folder, 'monmap');
    await family.run(
      'monmaptool',
      '--create',
      '--fsid',
      fsid,
      '--addv',
      'a',
      `[v2:127.0.0.1:${monitor}]`,
      map,
    );
    await family.run('ceph-mon', '-c', conf, '--mkfs', '-i', 'a', '--monmap', map, '--keyring', keyring);
    family.start('mon', ['ceph-mon', '-f', '-c', conf, '-i', 'a']);
    const ceph = (...args: string[]): Promise<void> =>
      family.run('ceph', '-c', conf, '--connect-timeout', '60', ...args);
    const osd = randomUUID();
    await ceph('osd', 'create', osd);
    await family.run('ceph-osd', '-c', conf, '-i', '0', '--mkfs', '--osd-uuid', osd);
    await ceph('osd', 'crush', 'add', 'osd.0', '1', 'root=default', 'host=here');
    family.start('osd', ['ceph-osd', '-f', '-c', conf, '-i', '0']);
    const admin = (...args: string[]): Promise<void> => family.run('radosgw-admin', '-c', conf, ...args);
    const [owner, guest] = [account('owner'), account('guest')];
    for (const [uid, { accessKeyId, secretAccessKey }] of [
      ['owner', owner],
      ['guest', guest],
    ] as const)
      await admin(
        'user',
        'create',
        `--uid=${uid}`,
        `--display-name=${uid}`,
        `--access-key=${accessKeyId}`,
        `--secret-key=${secretAccessKey}`,
      );
    family.start('radosgw', [
      'radosgw',
      '-f',
      '-c',
      conf,
      `--rgw-frontends=beast endpoint=127.0.0.1:${port}`,
    ]);
    await family.answers('radosgw', port);
    const [url, region] = [`http://127.0.0.1:${port}`, 'default'];
    const client = new S3Client({ endpoint: url, region, credentials: { ...owner }, forcePathStyle: true });
    return {
      url,
      region,
      owner,
      guest,
      allow: async (Bucket, rights) => {
        const actions = { list: 's3:ListBucket', read: 's3:GetObject', write: 's3:PutObject' };
        const statement = {
          Effect: 'Allow',
          Principal: { AWS: ['arn:aws:iam:::user/guest'] },
          // A policy allows something.
          Action: ['s3:GetBucketTagging', ...rights.map((right) => actions[right])],
          Resource: [`arn:aws:s3:::${Bucket}`, `arn:aws:s3:::${Bucket}/*`],
        };
        const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
        await client.send(new PutBucketPolicyCommand({ Bucket, Policy }));
      },
      limit: async (bucket, bytes) => {
        await admin('quota', 'set', '--quota-scope=bucket', `--bucket=${bucket}`, `--max-size=${bytes}`);
        await admin('quota', 'enable', '--quota-scope=bucket', `--bucket=${bucket}`);
      },
      stop: () => family.stop(),
    };
  });
};

/**
 * Real S3 servers, from Debian's packages (`scripts/install-s3-servers.sh`): Ceph's radosgw on one node that keeps its
 * objects in memory, and OpenStack Swift with s3api. Each has a folder, loopback ports, and ends with this process.
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
  name: 'radosgw' | 'Swift';
  /** `http://127.0.0.1:port` */
  url: string;
  port: number;
  region: string;
  /** Owns the buckets that it makes. */
  owner: S3Account;
  /** Owns nothing. May do what a bucket's owner allows. */
  guest: S3Account;
  /** What the guest may do with a bucket, and nothing else. Where there is no finer right, who writes may delete. */
  allow(bucket: string, rights: readonly ('list' | 'read' | 'write')[]): Promise<void>;
  /** At most so many bytes may be in this bucket. */
  limit(bucket: string, bytes: number): Promise<void>;
  stop(): Promise<void>;
}

const programs = [
  'ceph-mon',
  'ceph-osd',
  'radosgw',
  'swift-proxy-server',
  'swift-object-server',
  'memcached',
];

/** What this machine lacks, in words; empty if the servers can run here. */
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
      name: 'radosgw',
      url,
      port,
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

/** The three servers that keep things, and the proxy with s3api and a file of logins. */
export const startSwift = (): Promise<RealS3> => {
  const family = new Family();
  return family.orStop(async () => {
    const { folder } = family;
    // Takes the place of /etc/swift, which is compiled in.
    const etc = join(folder, 'etc');
    mkdirSync(etc);
    const write = (name: string, lines: readonly string[]): void =>
      writeFileSync(join(etc, name), `${lines.join('\n')}\n`);
    write('swift.conf', [
      '[swift-hash]',
      'swift_hash_path_suffix = test',
      '[storage-policy:0]',
      'name = one',
      'default = yes',
    ]);
    mkdirSync(join(folder, 'devices', 'd1'), { recursive: true });
    const within = (...command: string[]): string[] => [
      'unshare',
      '--mount',
      'sh',
      '-c',
      'mount --bind "$0" /etc/swift && exec "$@"',
      etc,
      ...command,
    ];
    const common = (port: number): string[] => [
      '[DEFAULT]',
      'bind_ip = 127.0.0.1',
      `bind_port = ${port}`,
      'user = root',
      'workers = 0',
      `swift_dir = /etc/swift`,
      `devices = ${join(folder, 'devices')}`,
      'mount_check = false',
      'disable_fallocate = true',
      'log_level = WARNING',
      `log_address = ${join(folder, 'no-syslog')}`,
    ];
    const ports = new Map<string, number>();
    for (const kind of ['account', 'container', 'object']) {
      const port = await freePort();
      write(`${kind}-server.conf`, [
        ...common(port),
        '[pipeline:main]',
        `pipeline = ${kind}-server`,
        `[app:${kind}-server]`,
        `use = egg:swift#${kind}`,
      ]);
      const ring = join(etc, `${kind}.builder`);
      await family.run('swift-ring-builder', ring, 'create', '4', '1', '0');
      await family.run('swift-ring-builder', ring, 'add', `r1z1-127.0.0.1:${port}/d1`, '1');
      await family.run('swift-ring-builder', ring, 'rebalance');
      ports.set(kind, port);
    }
    const [port, memory] = [await freePort(), await freePort()];
    ports.set('proxy', port);
    family.start('memcached', [
      'memcached',
      '-u',
      'root',
      '-l',
      '127.0.0.1',
      '-p',
      String(memory),
      '-U',
      '0',
    ]);
    const [owner, guest] = [account('owner'), account('guest')];
    const region = 'swift-1';
    write('proxy-server.conf', [
      ...common(port),
      '[pipeline:main]',
      'pipeline = catch_errors gatekeeper proxy-logging cache listing_formats s3api tempauth container-quotas slo dlo proxy-logging proxy-server',
      '[app:proxy-server]',
      'use = egg:swift#proxy',
      'account_autocreate = true',
      'allow_account_management = true',
      '[filter:s3api]',
      'use = egg:swift#s3api',
      `location = ${region}`,
      's3_acl = false',
      'allow_multipart_uploads = true',
      'check_bucket_owner = false',
      '[filter:cache]',
      'use = egg:swift#memcache',
      `memcache_servers = 127.0.0.1:${memory}`,
      '[filter:tempauth]',
      'use = egg:swift#tempauth',
      `user_test_${owner.accessKeyId} = ${owner.secretAccessKey} .admin`,
      `user_test_${guest.accessKeyId} = ${guest.secretAccessKey}`,
      ...[
        'catch_errors',
        'gatekeeper',
        'proxy-logging',
        'listing_formats',
        'container-quotas',
        'slo',
        'dlo',
      ].flatMap((name) => [`[filter:${name}]`, `use = egg:swift#${name.replace('-', '_')}`]),
    ]);
    for (const kind of ports.keys())
      family.start(kind, within(`swift-${kind}-server`, `/etc/swift/${kind}-server.conf`, '-v'));
    for (const [kind, one] of ports) await family.answers(kind, one);
    const login = (one: S3Account): S3Account => ({ ...one, accessKeyId: `test:${one.accessKeyId}` });
    const url = `http://127.0.0.1:${port}`;
    /** By Swift's own interface: s3api has neither rights per bucket nor quotas. */
    const put = async (bucket: string, headers: Record<string, string>): Promise<void> => {
      const asked = { 'x-auth-user': `test:${owner.accessKeyId}`, 'x-auth-key': owner.secretAccessKey };
      const signedIn = await fetch(`${url}/auth/v1.0`, { headers: asked });
      const token = signedIn.headers.get('x-auth-token') ?? '';
      const place = `${signedIn.headers.get('x-storage-url')}/${bucket}`;
      // Makes the bucket if it is not there: that of the parts comes with the first upload in parts.
      const answer = await fetch(place, { method: 'PUT', headers: { 'x-auth-token': token, ...headers } });
      if (!answer.ok) throw new Error(`Swift refused ${JSON.stringify(headers)} with ${answer.status}`);
    };
    return {
      name: 'Swift',
      url,
      port,
      region,
      owner: login(owner),
      guest: login(guest),
      allow: async (bucket, rights) => {
        const who = `test:${guest.accessKeyId}`;
        const reads = rights.includes('read') || rights.includes('list') ? who : '';
        const writes = rights.includes('write') ? who : '';
        // The parts of an upload are in a bucket of their own.
        for (const one of [bucket, `${bucket}+segments`])
          await put(one, { 'x-container-read': reads, 'x-container-write': writes });
      },
      limit: (bucket, bytes) => put(bucket, { 'x-container-meta-quota-bytes': String(bytes) }),
      stop: () => family.stop(),
    };
  });
};

import { startSshd, type Sshd, type SshdOptions } from '../peers/sshd';
import { startTcpProxy, type TcpProxy } from '../peers/tcp-proxy';
import { poolThatSees, started, targetOf } from './targets';
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  type DetachedSettings,
  DetachedWork,
  type FollowOptions,
  type RemoteEnd,
  type RemoteWork,
  type SshPool,
  type SshTarget,
} from '../../apps/backend/src/platform/ssh';

/** The pauses of a test: a lost server is sought again soon. */
export const detachedOver = (pool: SshPool, settings: Partial<DetachedSettings> = {}): DetachedWork =>
  new DetachedWork(pool, { maxPauseMs: 300, endPatienceMs: 2000, ...settings });

export const newName = (): string => `run-${randomBytes(6).toString('hex')}-1`;

export interface Followed {
  end: RemoteEnd;
  bytes: Buffer;
  text: string;
}

const never = (): AbortSignal => new AbortController().signal;

/** Runs it and keeps what it prints. */
export const follow = async (
  detached: DetachedWork,
  target: SshTarget | (() => Promise<SshTarget>),
  work: Partial<RemoteWork>,
  options: Partial<FollowOptions> = {},
): Promise<Followed> => {
  const pieces: Buffer[] = [];
  const end = await detached.run(
    target,
    { name: newName(), script: 'true', args: [], privileged: false, ...work },
    {
      from: 0,
      cancel: never(),
      leave: never(),
      deadline: Date.now() + 60_000,
      ...options,
      onOutput: async (bytes) => {
        // A copy: what is kept must not change any more.
        pieces.push(Buffer.from(bytes));
        await options.onOutput?.(bytes);
      },
    },
  );
  const bytes = Buffer.concat(pieces);
  return { end, bytes, text: bytes.toString() };
};

interface ServerBehindProxy {
  readonly sshd: Sshd;
  /** The way there, which can be broken; another one for each test. */
  readonly proxy: TcpProxy;
  /** Reaches the server through the proxy, and by itself. */
  readonly detached: DetachedWork;
  throughProxy(): Promise<SshTarget>;
  /** Runs it through the proxy and keeps what it prints. */
  follow(work: Partial<RemoteWork>, options?: Partial<FollowOptions>): Promise<Followed>;
}

/** For a file of tests: one server for all of them; a way there and a pool of its own for each. */
export const serverBehindProxy = (options: SshdOptions): ServerBehindProxy => {
  let [sshd, proxy, pool]: [Sshd?, TcpProxy?, SshPool?] = [];
  let detached: DetachedWork | undefined;
  beforeAll(async () => {
    sshd = await startSshd(options);
  });
  afterAll(() => sshd?.stop());
  beforeEach(async () => {
    proxy = await startTcpProxy(started(sshd));
    ({ pool } = poolThatSees({ keepaliveMs: 250 }));
    detached = detachedOver(pool);
  });
  afterEach(async () => {
    await pool?.close();
    await proxy?.stop();
  });
  const throughProxy = (): Promise<SshTarget> => {
    const { host, port } = started(proxy);
    return targetOf(started(sshd), 'ed25519', { host, port });
  };
  return {
    get sshd() {
      return started(sshd);
    },
    get proxy() {
      return started(proxy);
    },
    get detached() {
      return started(detached);
    },
    throughProxy,
    follow: async (work, options) => follow(started(detached), await throughProxy(), work, options),
  };
};

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Where root's work lies, as seen from this machine. */
export const baseOf = (sshd: Sshd): string => {
  if (!sshd.home) throw new Error('this server has no file system of its own');
  return join(sshd.home, '.quarterdeck');
};

import { startSshd, type Sshd, type SshdOptions } from '../../testing/sshd';
import { startTcpProxy, type TcpProxy } from '../../testing/tcp-proxy';
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

/** Short pauses for tests: a lost server is tried again soon. */
export const detachedOver = (pool: SshPool, settings: Partial<DetachedSettings> = {}): DetachedWork =>
  new DetachedWork(pool, { maxPauseMs: 300, endPatienceMs: 2000, ...settings });

export const newName = (): string => `run-${randomBytes(6).toString('hex')}-1`;

export interface Followed {
  end: RemoteEnd;
  bytes: Buffer;
  text: string;
}

const never = (): AbortSignal => new AbortController().signal;

/** Runs the work and keeps its output. */
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
      deadline: Date.now() + 300_000,
      ...options,
      onOutput: async (bytes) => {
        // A copy, because the buffer may be reused.
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
  /** The network path, which can be broken; a new one for each test. */
  readonly proxy: TcpProxy;
  /** Reaches the server through the proxy; independent instance. */
  readonly pool: SshPool;
  readonly detached: DetachedWork;
  throughProxy(): Promise<SshTarget>;
  /** Runs the work through the proxy and keeps its output. */
  follow(work: Partial<RemoteWork>, options?: Partial<FollowOptions>): Promise<Followed>;
}

/** For a test file: one server for all tests, with a new network path and pool for each. */
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
    get pool() {
      return started(pool);
    },
    get detached() {
      return started(detached);
    },
    throughProxy,
    follow: async (work, options) => follow(started(detached), await throughProxy(), work, options),
  };
};

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Path of root's work, as seen from this machine. */
export const baseOf = (sshd: Sshd): string => {
  if (!sshd.home) throw new Error('this server has no file system of its own');
  return join(sshd.home, '.quarterdeck');
};

import {
  SshPool,
  type HostKey,
  type HostKeyNews,
  type RemoteCommand,
  type RemoteResult,
  type SshPoolOptions,
  type SshTarget,
} from '../../apps/backend/src/platform/ssh';
import { startSshd, type Sshd } from '../../testing/sshd';
import type { KeyKind } from '../../testing/sshd-keys';

export const targetOf = async (
  sshd: Pick<Sshd, 'host' | 'port' | 'username' | 'keyFor'>,
  kind: KeyKind = 'ed25519',
  changes: Partial<SshTarget> = {},
): Promise<SshTarget> => {
  const { privateKey, passphrase } = await sshd.keyFor(kind);
  return {
    id: 'server-1',
    host: sshd.host,
    port: sshd.port,
    username: sshd.username,
    privateKey,
    ...(passphrase ? { passphrase } : {}),
    keyVersion: kind,
    ...changes,
  };
};

export interface Seen {
  key: HostKey;
  what: HostKeyNews;
}

/** A pool that records its reports about host keys. */
export const poolThatSees = (options: Partial<SshPoolOptions> = {}): { pool: SshPool; seen: Seen[] } => {
  const seen: Seen[] = [];
  const pool = new SshPool({
    readyTimeoutMs: 100_000,
    onHostKey: async (_target, key, what) => {
      seen.push({ key, what });
    },
    ...options,
  });
  return { pool, seen };
};

export const started = <T>(peer: T | undefined): T => {
  if (peer === undefined) throw new Error('only there while a test runs');
  return peer;
};

/** For a test file: one sshd for all tests, and a new pool for each. */
export const sshdAndPool = (): { readonly sshd: Sshd; readonly pool: SshPool } => {
  let [sshd, pool]: [Sshd?, SshPool?] = [];
  beforeAll(async () => {
    sshd = await startSshd();
  });
  afterAll(() => sshd?.stop());
  beforeEach(() => {
    ({ pool } = poolThatSees());
  });
  afterEach(() => pool?.close());
  return {
    get sshd() {
      return started(sshd);
    },
    get pool() {
      return started(pool);
    },
  };
};

export interface Outcome extends RemoteResult {
  out: string;
  err: string;
}

export const run = async (
  pool: SshPool,
  target: SshTarget,
  script: string,
  options: Partial<RemoteCommand> = {},
): Promise<Outcome> => {
  const said = { out: '', err: '' };
  const result = await pool.exec(target, {
    script,
    timeoutMs: 100_000,
    onOutput: (stream, text) => {
      said[stream] += text;
    },
    ...options,
  });
  return { ...result, ...said };
};

/** The error of a rejected promise. */
export const rejection = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('it was expected to fail');
};

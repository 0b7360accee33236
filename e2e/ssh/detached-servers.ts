import type { Sshd } from '../peers/sshd';
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  DetachedWork,
  type FollowOptions,
  type RemoteEnd,
  type RemoteWork,
  type SshPool,
  type SshTarget,
} from '../../apps/backend/src/platform/ssh';

/** The pauses of a test: a lost server is sought again soon. */
export const detachedOver = (pool: SshPool): DetachedWork =>
  new DetachedWork(pool, { maxPauseMs: 300, endPatienceMs: 2000 });

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

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Where root's work lies, as seen from this machine. */
export const baseOf = (sshd: Sshd): string => {
  if (!sshd.home) throw new Error('this server has no file system of its own');
  return join(sshd.home, '.quarterdeck');
};

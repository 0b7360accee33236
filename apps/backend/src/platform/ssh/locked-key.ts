import { JobOverran, threads } from '../threads';
import { SshFailure } from './failure';
import { openKey } from './key.jobs';
import { tooCostly } from './pkcs8';

/** Time limit, because the key itself determines how much work its passphrase takes. */
const TIMEOUT_MS = 10_000;

/**
 * Decrypts a key with its passphrase, in a thread.
 * @returns the key in a form that ssh2 reads, or what ssh2 said about it
 * @throws SshFailure
 */
export const openLockedKey = async (
  block: string,
  passphrase: string,
  timeoutMs = TIMEOUT_MS,
): Promise<{ key: string } | { why: string }> => {
  const opened = await threads.run(openKey, { block, passphrase }, { timeoutMs }).catch((error: unknown) => {
    throw error instanceof JobOverran ? tooCostly() : error;
  });
  if ('failure' in opened) throw new SshFailure(opened.failure.code, opened.failure.msg);
  return opened;
};

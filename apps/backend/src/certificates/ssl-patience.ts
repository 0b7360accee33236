/** A database or a log that is away for a moment does not end a run of hours. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../platform/errors';

const LONGEST_MS = 10 * 60_000;
const LONGEST_WAIT_MS = 5000;

const isFinal = (error: unknown): boolean => error instanceof DomainError && error.code !== 'unavailable';

/**
 * @param write may be done twice
 * @throws DomainError what was refused, at once; the last failure after ten minutes; the signal's reason
 */
export const patiently = async <T>(signal: AbortSignal, write: () => Promise<T>): Promise<T> => {
  const began = performance.now();
  for (let wait = 100; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    try {
      return await write();
    } catch (error) {
      signal.throwIfAborted();
      if (isFinal(error) || performance.now() - began > LONGEST_MS) throw error;
      await sleep(wait, undefined, { signal });
    }
  }
};

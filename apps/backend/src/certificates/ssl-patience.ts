/** A database or a log that is away for a moment does not end a run of hours. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../platform/errors';

const LONGEST_MS = 10 * 60_000;
const LONGEST_WAIT_MS = 5000;

const isFinal = (error: unknown): boolean => error instanceof DomainError && error.code !== 'unavailable';

/**
 * @param work may be done twice
 * @throws DomainError what was refused, at once; the last failure after ten minutes; the signal's reason
 */
export const patiently = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
  // From the first failure: what is waited for may itself take hours.
  let away: number | undefined;
  for (let wait = 100; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      away ??= performance.now();
      if (isFinal(error) || performance.now() - away > LONGEST_MS) throw error;
      await sleep(wait, undefined, { signal });
    }
  }
};

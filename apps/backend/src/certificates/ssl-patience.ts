/** A short outage of the database or the log does not end a run of hours. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../platform/errors';

const LONGEST_MS = 10 * 60_000;
const LONGEST_WAIT_MS = 5000;

const isFinal = (error: unknown): boolean => error instanceof DomainError && error.code !== 'unavailable';

/**
 * @param work may run twice
 * @throws DomainError of a refusal, at once; the last failure after ten minutes; the signal's reason
 */
export const patiently = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
  // Measured from the first failure: the work itself may take hours.
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

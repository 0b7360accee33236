/** A short outage of the database or the log does not end a run of hours. */
import { Backoff } from '@quarterdeck/events';
import { DomainError } from '../platform/errors';

const LONGEST_MS = 10 * 60_000;

const isFinal = (error: unknown): boolean => error instanceof DomainError && error.code !== 'unavailable';

/**
 * @param work may run twice
 * @throws DomainError of a refusal, at once; the last failure after ten minutes; the signal's reason
 */
export const patiently = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
  // Measured from the first failure: the work itself may take hours.
  let failingSince: number | undefined;
  const backoff = new Backoff(100, 5000);
  // The first attempt is made even if the run was cancelled: it may record how the run ended.
  for (;;) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      failingSince ??= performance.now();
      if (isFinal(error) || performance.now() - failingSince > LONGEST_MS) throw error;
      await backoff.pause(signal);
      signal.throwIfAborted();
    }
  }
};

import { DomainError } from '../platform/errors';
import { retrying } from '../platform/retrying';

const isRefusal = (error: unknown): boolean => error instanceof DomainError && error.code !== 'unavailable';

/**
 * A short outage of the database or the log does not end a run of hours.
 *
 * @param work may run twice
 * @throws DomainError of a refusal, at once; the last failure after ten minutes; the signal's reason
 */
export const patiently = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
  retrying(work, {
    signal,
    passes: (error) => !isRefusal(error),
    longestPauseMs: 5000,
    patienceMs: 10 * 60_000,
  });

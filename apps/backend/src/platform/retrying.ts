/** Repeats work whose failures pass by themselves, such as an outage of our database or log. */
import { Backoff } from '@quarterdeck/events';
import { isTransient } from './database';

export interface Retrying {
  /** Whether a failure may pass. Default: outages of the database and the log do. */
  passes?(error: unknown): boolean;
  /** There is no further attempt once it has aborted. */
  signal?: AbortSignal;
  longestPauseMs?: number;
  /** How long failures are waited out. Measured from the first one: the work itself may take hours. Default: for ever. */
  patienceMs?: number;
  onFault?(error: unknown): void;
}

const mistakes = [TypeError, ReferenceError, RangeError, SyntaxError];

/** Waiting does not mend a mistake of ours. `fetch` reports a failed connection as a TypeError too, with its cause. */
const isMistake = (error: unknown): boolean =>
  mistakes.some((type) => error instanceof type && error.cause === undefined);

/**
 * @param work may run twice. The first attempt is made even if the signal has aborted: it may record how a run ended
 * @throws the failure that does not pass, or the last one; the signal's reason
 */
export const retrying = async <T>(
  work: () => Promise<T>,
  { passes = isTransient, signal, longestPauseMs = 2000, patienceMs = Infinity, onFault }: Retrying = {},
): Promise<T> => {
  const backoff = new Backoff(100, longestPauseMs);
  let failingSince: number | undefined;
  for (;;)
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      failingSince ??= performance.now();
      if (isMistake(error) || !passes(error) || performance.now() - failingSince > patienceMs) throw error;
      onFault?.(error);
      await backoff.pause(signal);
      signal?.throwIfAborted();
    }
};

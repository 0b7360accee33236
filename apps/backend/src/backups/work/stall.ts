/** Aborts work that makes no progress: a folder on a disconnected network disk never answers. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Attempt } from '../targets/target';

/** How long aborted work may take to end. */
const END_MS = 3_000;

export class Stalled extends Error {
  override name = 'Stalled';
}

/** Limit for one slow step, such as a database query that scans a large table, or a target that joins parts. */
const BUSY_MS = 2 * 60 * 60_000;

interface Watched {
  what: string;
  /** The target counts as stalled after this time without a sign of progress. */
  ms: number;
  /** The same limit after a call of `busy`. */
  busyMs?: number;
  signal: AbortSignal;
}

/**
 * @param work reports its progress, and stops when the signal of its attempt is aborted
 * @throws Stalled, or the reason of `signal`, even if the work never ends
 */
export const unlessStalled = async <T>(
  { what, ms, busyMs = BUSY_MS, signal }: Watched,
  work: (attempt: Attempt) => Promise<T>,
): Promise<T> => {
  const stalled = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;
  const within = (limit: number, problem: string) => (): void => {
    clearTimeout(timer);
    if (hasEnded) return;
    timer = setTimeout(() => stalled.abort(new Stalled(problem)), limit);
  };
  const alive = within(ms, `${what} did not answer for ${Math.round(ms / 1000)} s`);
  const busy = within(busyMs, `the database made no progress for ${Math.round(busyMs / 3_600_000)} h`);
  const either = AbortSignal.any([signal, stalled.signal]);
  const given = new Promise<never>((_, reject) => {
    const end = (): void => reject(either.reason as Error);
    if (either.aborted) end();
    else either.addEventListener('abort', end, { once: true });
  });
  alive();
  const done = work({ alive, busy, signal: either });
  try {
    return await Promise.race([done, given]);
  } catch (error) {
    if (!stalled.signal.aborted)
      await Promise.race([done.catch(() => undefined), pause(END_MS, undefined, { ref: false })]);
    throw error;
  } finally {
    hasEnded = true;
    clearTimeout(timer);
  }
};

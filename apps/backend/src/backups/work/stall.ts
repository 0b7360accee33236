/** Ends work that no longer gets on: a folder on a network disk that went away never answers. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Attempt } from '../targets/target';

/** How long work that was told to end may take for it. */
const END_MS = 3_000;

export class Stalled extends Error {
  override name = 'Stalled';
}

/** The longest that the database may take for one query, such as a scan of a large table, or a target to join parts. */
const BUSY_MS = 2 * 60 * 60_000;

interface Watched {
  what: string;
  /** Without a sign of life, after which the target counts as stalled. */
  ms: number;
  /** The same for the console's own work. */
  busyMs?: number;
  signal: AbortSignal;
}

/**
 * @param work tells how it gets on, and gives up when the signal of its attempt says so
 * @throws Stalled, or the reason of `signal`, also when the work itself never ends
 */
export const unlessStalled = async <T>(
  { what, ms, busyMs = BUSY_MS, signal }: Watched,
  work: (attempt: Attempt) => Promise<T>,
): Promise<T> => {
  const stalled = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const within = (limit: number, problem: string) => (): void => {
    clearTimeout(timer);
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
    clearTimeout(timer);
  }
};

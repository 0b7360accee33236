/** Ends work that no longer gets on: a folder on a network disk that went away never answers. */
import { setTimeout as pause } from 'node:timers/promises';

/** How long work that was told to end may take for it. */
const END_MS = 3_000;

export class Stalled extends Error {
  override name = 'Stalled';
}

/**
 * @param work calls `alive` whenever it has got on, and gives up when its signal says so
 * @param ms without a sign of life, after which the work counts as stalled
 * @throws Stalled, or the reason of `signal`, also when the work itself never ends
 */
export const unlessStalled = async <T>(
  { what, ms, signal }: { what: string; ms: number; signal: AbortSignal },
  work: (alive: () => void, signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const stalled = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const alive = (): void => {
    clearTimeout(timer);
    const seconds = Math.round(ms / 1000);
    timer = setTimeout(() => stalled.abort(new Stalled(`${what} did not answer for ${seconds} s`)), ms);
  };
  const either = AbortSignal.any([signal, stalled.signal]);
  const given = new Promise<never>((_, reject) => {
    const end = (): void => reject(either.reason as Error);
    if (either.aborted) end();
    else either.addEventListener('abort', end, { once: true });
  });
  alive();
  const done = work(alive, either);
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

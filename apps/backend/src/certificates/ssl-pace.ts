/** Work that is begun no sooner than so many milliseconds after the one before, and so many at a time. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Pace {
  /** From one turn to the next; with one at a time, from the end of one to the turn of the next. */
  pauseMs: number;
  atOnce: number;
  signal: AbortSignal;
}

/**
 * @param work awaits its `turn` before it does what is paced: what turns out not to need doing costs no pause. What it
 *   throws ends all of it.
 * @throws the signal's reason when it is aborted, or what `work` threw first, after what is under way has ended
 */
export const paced = async <T>(
  items: readonly T[],
  { pauseMs, atOnce, signal }: Pace,
  work: (item: T, turn: () => Promise<void>) => Promise<void>,
): Promise<void> => {
  const queue = items.values();
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  let last: Promise<void> | undefined;
  const after = async (before: Promise<void> | undefined): Promise<void> => {
    await before;
    if (before && pauseMs > 0) await sleep(pauseMs, undefined, { signal: stop });
    stop.throwIfAborted();
  };
  /** One after the other through the door. */
  const turn = (): Promise<void> => (last = after(last));
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      stop.throwIfAborted();
      await work(item, turn);
    }
  };
  await Promise.allSettled(
    Array.from({ length: Math.min(atOnce, items.length) }, () =>
      worker().catch((error: unknown) => failed.abort(error)),
    ),
  );
  signal.throwIfAborted();
  if (failed.signal.aborted) throw failed.signal.reason;
};

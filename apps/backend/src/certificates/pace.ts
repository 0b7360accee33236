/** Runs work with a minimum pause between beginnings and a maximum number at a time. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Pace {
  /** Pause from one turn to the next. With one at a time: from the end of one to the turn of the next. */
  pauseMs: number;
  atOnce: number;
  signal: AbortSignal;
}

/**
 * @param work awaits its `turn` before the paced part, so that unnecessary work costs no pause. An error that it throws
 * ends everything.
 * @throws the signal's reason if it is aborted, or the first error of `work`, after running work has ended
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
  /** Turns are granted one after the other. */
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

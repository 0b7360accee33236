import { setTimeout as sleep } from 'node:timers/promises';

/** Pauses that grow from 50 ms to 1 s. Call `reset` after a success. An aborted signal ends a pause at once. */
export class Backoff {
  #next = 50;

  constructor(private readonly signal: AbortSignal) {}

  async pause(): Promise<void> {
    const ms = this.#next * (0.75 + Math.random() / 2);
    this.#next = Math.min(1000, this.#next * 2);
    await sleep(ms, undefined, { signal: this.signal }).catch(() => undefined);
  }

  reset(): void {
    this.#next = 50;
  }
}

/**
 * Keeps something running that sometimes breaks, such as a subscription: starts it again whenever it ends, until the
 * signal aborts. `work` reports when it is up, so that the pause after its next fault is short again.
 */
export const keepUp = async (
  signal: AbortSignal,
  work: (works: () => void) => Promise<void>,
  onFault: (error: unknown) => void,
): Promise<void> => {
  const backoff = new Backoff(signal);
  while (!signal.aborted) {
    try {
      await work(() => backoff.reset());
    } catch (error) {
      if (!signal.aborted) onFault(error);
    }
    await backoff.pause();
  }
};

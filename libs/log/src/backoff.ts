/** Waits, and ends at once without an error when the signal aborts. */
export const rest = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
  });

/**
 * Exponential backoff in milliseconds: each pause is twice as long as the previous one, up to `longest`. A jitter of a
 * quarter keeps clients that failed together from retrying together.
 */
export class Backoff {
  readonly #first: number;
  #next: number;

  constructor(
    first: number,
    private readonly longest: number,
  ) {
    this.#first = Math.min(first, longest);
    this.#next = this.#first;
  }

  next(): number {
    const ms = this.#next * (0.75 + Math.random() / 2);
    this.#next = Math.min(this.longest, this.#next * 2);
    return ms;
  }

  pause(signal?: AbortSignal): Promise<void> {
    return rest(this.next(), signal);
  }

  /** To be called after a success. */
  reset(): void {
    this.#next = this.#first;
  }
}

/**
 * Keeps work such as a subscription running: restarts it whenever it ends, until the signal aborts. `work` calls its
 * argument once it is up, which resets the backoff.
 */
export const keepUp = async (
  signal: AbortSignal,
  work: (works: () => void) => Promise<void>,
  onFault: (error: unknown) => void,
): Promise<void> => {
  const backoff = new Backoff(50, 1000);
  while (!signal.aborted) {
    try {
      await work(() => backoff.reset());
    } catch (error) {
      if (!signal.aborted) onFault(error);
    }
    await backoff.pause(signal);
  }
};

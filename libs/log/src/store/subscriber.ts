import { Backoff } from '../backoff';
import type { Position } from '../envelope';
import type { KeptBatchHandler, KeptEvent } from './engine';
import type { Subscription, SubscriptionOptions } from './event-store';

/**
 * Passes a batch to its handler, and again later as long as the handler throws. Resolves with false if it was stopped
 * meanwhile.
 */
export async function deliver(
  batch: KeptEvent[],
  handler: KeptBatchHandler,
  { onFault }: SubscriptionOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const backoff = new Backoff(50, 1000);
  while (!signal.aborted) {
    try {
      await handler(batch);
      return true;
    } catch (error) {
      report(onFault, error);
      await backoff.pause(signal);
    }
  }
  return false;
}

/** An error listener that throws must not end the subscription. */
export function report(onFault: SubscriptionOptions['onFault'], error: unknown): void {
  try {
    onFault?.(error);
  } catch {
    // The listener was called. Its own errors are its own concern.
  }
}

export interface Page {
  events: KeptEvent[];
  /** Whether the reader should continue at once. */
  more: boolean;
}

/** Returns the events after a position from the fastest source. */
export type PageSource = (after: Position, limit: number) => Promise<Page>;

/** Follows a log that is read in pages: catches up, then waits for `wake`. A slow poll covers missed wake-ups. */
export class PagedSubscriber implements Subscription {
  readonly #stopped = new AbortController();
  readonly #loop: Promise<void>;
  /** Set by `wake` and cleared before a read, so that a wake-up between the read and the wait is not lost. */
  #dirty = true;
  #resume: (() => void) | undefined;

  constructor(
    private readonly source: PageSource,
    private after: Position,
    private readonly handler: KeptBatchHandler,
    private readonly options: SubscriptionOptions,
    private readonly onStop: (subscriber: PagedSubscriber) => void,
  ) {
    this.#loop = this.#run();
  }

  wake(): void {
    this.#dirty = true;
    this.#resume?.();
  }

  /** Reports a fault outside of the reads that may delay them. */
  fault(error: unknown): void {
    report(this.options.onFault, error);
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#resume?.();
    this.onStop(this);
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    const { batchSize = 500, onCaughtUp, onFault } = this.options;
    const backoff = new Backoff(50, 1000);
    let behind = true;
    while (!signal.aborted) {
      try {
        this.#dirty = false;
        const { events, more } = await this.source(this.after, batchSize);
        backoff.reset();
        const last = events.at(-1);
        if (last) {
          behind = true;
          if (!(await deliver(events, this.handler, this.options, signal))) return;
          this.after = last.position;
        }
        if (more || this.#dirty) continue;
        if (behind) onCaughtUp?.();
        behind = false;
        await this.#wait();
      } catch (error) {
        report(onFault, error);
        await backoff.pause(signal);
      }
    }
  }

  async #wait(): Promise<void> {
    if (this.#dirty || this.#stopped.signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.options.pollMs ?? 1_000);
      this.#resume = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#resume = undefined;
  }
}

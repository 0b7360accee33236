/**
 * Runs work on targets that may hang: aborts it when the target stops answering, and starts no more on that target
 * until it has ended.
 */
import type { Attempt, Target } from '../targets/target';
import { unlessStalled } from './stall';

/** Short enough to report a hanging target within a minute. */
const STALLED_MS = 45_000;

export class OnTarget {
  /** Targets with work that has not ended. */
  private readonly hanging = new Set<string>();

  constructor(private readonly ms = STALLED_MS) {}

  /** @throws Stalled, or the error of the work */
  async run<T>(
    { target, signal }: { target: Pick<Target, 'name'>; signal: AbortSignal },
    work: (attempt: Attempt) => Promise<T>,
  ): Promise<T> {
    const { name } = target;
    // Every hanging file system call blocks a thread of the pool that the whole process shares.
    if (this.hanging.has(name)) throw new Error('an earlier backup still waits for an answer from there');
    return unlessStalled({ what: name, ms: this.ms, signal }, async (attempt) => {
      this.hanging.add(name);
      try {
        return await work(attempt);
      } finally {
        this.hanging.delete(name);
      }
    });
  }
}

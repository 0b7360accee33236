/** Work on targets that may hang: each ends when its target no longer answers, and the next one on that target does not begin. */
import type { Attempt, Target } from '../targets/target';
import { unlessStalled } from './stall';

/** Reports a target that refuses or hangs within a minute. */
const STALLED_MS = 45_000;

export class OnTarget {
  /** Where work never came to its end. */
  private readonly hanging = new Set<string>();

  constructor(private readonly ms = STALLED_MS) {}

  /** @throws Stalled, or whatever the work throws */
  async run<T>(
    { target, signal }: { target: Pick<Target, 'name'>; signal: AbortSignal },
    work: (attempt: Attempt) => Promise<T>,
  ): Promise<T> {
    const { name } = target;
    // Each call that hangs in the file system takes a thread from everybody else.
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

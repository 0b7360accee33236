import { setTimeout as sleep } from 'node:timers/promises';
import type { SshPool } from '../pool';
import { newNonce } from '../remote-shell';
import type { SshTarget } from '../target';
import { detachedScripts } from './scripts';
import type { RemoteWork } from './types';

/** TERM, 2 s, KILL, 2 s, and time for a slow server. */
const endMs = 15_000;
const pauseMs = 500;

/** Ends work on its server, or calls it off if it has not begun. Retries while the server cannot be reached. */
export class Ending {
  /** Whether the work was seen to be gone. */
  readonly gone: Promise<boolean>;

  constructor(
    readonly why: 'cancelled' | 'timedOut',
    private readonly pool: SshPool,
    private readonly target: () => Promise<SshTarget>,
    private readonly work: RemoteWork,
    patienceMs: number,
  ) {
    this.gone = this.tryUntil(performance.now() + patienceMs);
  }

  private async tryUntil(end: number): Promise<boolean> {
    for (;;) {
      const leftMs = end - performance.now();
      if (leftMs <= 0 || this.pool.isClosed) return false;
      const reaching = new AbortController();
      const timer = setTimeout(() => reaching.abort(new Error('out of reach')), leftMs);
      try {
        const { exitCode } = await this.pool.exec(await this.target(), {
          ...detachedScripts.end({ name: this.work.name, word: newNonce() }),
          privileged: this.work.privileged,
          urgent: true,
          timeoutMs: endMs,
          signal: reaching.signal,
          // The script reports when it begins. From then on it gets the time that it needs.
          onBytes: () => clearTimeout(timer),
        });
        if (exitCode === 0 || exitCode === 1) return exitCode === 0;
      } catch {
        // Cannot be reached at the moment.
      } finally {
        clearTimeout(timer);
      }
      await sleep(pauseMs);
    }
  }
}

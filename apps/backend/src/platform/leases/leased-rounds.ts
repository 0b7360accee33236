/** Periodic work in one of all processes: the one that holds its lease. */
import type { Leases } from './leases';
import { ProcessLease } from './process-lease';
import type { Logger } from '../tokens';

interface Rounds {
  /** Name of the lease. Never changes: processes of two versions have to agree on it. */
  lease: string;
  /** What fails if a round fails, for the log message. */
  what: string;
  /** Milliseconds from one start to the next. A longer round is followed by the next at once. */
  everyMs: number;
  /** @param signal aborted when this process must stop */
  round: (signal: AbortSignal) => Promise<unknown>;
}

export class LeasedRounds {
  private readonly lease: ProcessLease;
  private timer: NodeJS.Timeout | undefined;
  private ending = new AbortController();
  private stopped = false;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    leases: Leases,
    private readonly logger: Logger,
    private readonly rounds: Rounds,
  ) {
    this.lease = new ProcessLease(leases, rounds.lease, {
      onTaken: () => this.begin(),
      onLost: () => this.end(),
      onFault: (error) => logger.warn({ err: error }, `the lease: ${rounds.what}`),
    });
  }

  start(): void {
    this.lease.start();
  }

  /** Waits for the running round. Does nothing if none was started. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.end();
    await this.last;
    await this.lease.stop();
  }

  private begin(): void {
    if (this.stopped) return;
    this.ending = new AbortController();
    const { signal } = this.ending;
    const next = (): void => {
      this.last = this.last
        .then(() => signal.aborted || this.rounds.round(signal))
        .catch((error: unknown) => this.logger.warn({ err: error }, this.rounds.what));
    };
    next();
    this.timer = setInterval(next, this.rounds.everyMs).unref();
  }

  private end(): void {
    clearInterval(this.timer);
    this.ending.abort();
  }
}

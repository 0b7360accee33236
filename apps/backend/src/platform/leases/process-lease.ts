/**
 * Decides which of several back ends does the work that only one may do at a time. When the holder dies, another
 * process takes over. A holder that cannot renew its lease stops by itself before others may begin.
 */
import { BEAT_MS, type Leases } from './leases';

interface Tenure {
  onTaken: () => void;
  onLost: () => void;
  onFault: (error: unknown) => void;
}

export class ProcessLease {
  private held = false;
  private timer: NodeJS.Timeout | undefined;
  private taking = Promise.resolve();
  private stopped = false;

  /** @param name of the work. Never changes, because processes of two versions have to agree on it */
  constructor(
    private readonly leases: Leases,
    private readonly name: string,
    private readonly tenure: Tenure,
  ) {
    leases.onLost((lost) => lost === name && this.lose());
  }

  start(): void {
    this.timer = setInterval(() => this.beat(), BEAT_MS).unref();
    this.beat();
  }

  /** Releases the lease, so that another process can begin at its next beat. Does nothing if it was never started. */
  async stop(): Promise<void> {
    this.stopped = true;
    if (!this.timer) return;
    clearInterval(this.timer);
    await this.taking;
    this.lose();
    await this.leases.release(this.name).catch(this.tenure.onFault);
  }

  private beat(): void {
    // Also notices an expired lease while a renewal hangs.
    if (this.held && !this.leases.isOurs(this.name)) this.lose();
    if (!this.held) this.taking = this.taking.then(() => this.take());
  }

  private async take(): Promise<void> {
    if (this.stopped || this.held) return;
    try {
      if (!(await this.leases.take(this.name)) || this.stopped || !this.leases.isOurs(this.name)) return;
      this.held = true;
      this.tenure.onTaken();
    } catch (error) {
      this.tenure.onFault(error);
    }
  }

  private lose(): void {
    if (!this.held) return;
    this.held = false;
    this.leases.abandon(this.name);
    this.tenure.onLost();
  }
}

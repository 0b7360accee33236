/**
 * Decides which of several back ends does the work that only one may do at a time. When the holder dies, another
 * process takes over. A holder that cannot renew its lease stops by itself before others may begin.
 */
import { BEAT_MS, type Leases, LOOK_MS } from './leases';

interface Tenure {
  onTaken: () => void;
  onLost: () => void;
  onFault: (error: unknown) => void;
}

export class ProcessLease {
  private held = false;
  private trying: NodeJS.Timeout | undefined;
  private checking: NodeJS.Timeout | undefined;
  private taking = Promise.resolve();
  private stopped = false;

  /** @param name of the work. Never changes, because processes of two versions have to agree on it */
  constructor(
    private readonly leases: Leases,
    private readonly name: string,
    private readonly tenure: Tenure,
  ) {
    leases.onLost((lost) => lost === name && this.lose());
    leases.onOver((names) => this.trying && names.includes(name) && this.try());
  }

  start(): void {
    this.trying = setInterval(() => this.try(), BEAT_MS).unref();
    this.checking = setInterval(() => this.check(), LOOK_MS).unref();
    this.try();
  }

  /** Releases the lease, so that another process can begin at its next try. Does nothing if it was never started. */
  async stop(): Promise<void> {
    this.stopped = true;
    if (!this.trying) return;
    clearInterval(this.trying);
    clearInterval(this.checking);
    await this.taking;
    this.lose();
    await this.leases.release(this.name).catch(this.tenure.onFault);
  }

  private try(): void {
    if (!this.held) this.taking = this.taking.then(() => this.take());
  }

  /** Notices an expired lease while a renewal hangs, before others may take it. */
  private check(): void {
    if (this.held && !this.leases.isOurs(this.name)) this.lose();
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

/** Periodic work in one of all processes: the one that holds its lease. */
import { LeasedWork } from './leased-work';

interface Rounds {
  lease: string;
  what: string;
  isOn?: boolean;
  /** Milliseconds from one start to the next. A longer round is followed by the next at once. */
  everyMs: number;
}

export abstract class LeasedRounds extends LeasedWork<Rounds> {
  private timer: NodeJS.Timeout | undefined;
  private ending = new AbortController();
  private stopped = false;
  private last: Promise<unknown> = Promise.resolve();

  /** @param signal aborted when this process must stop */
  protected abstract round(signal: AbortSignal): Promise<unknown>;

  override onModuleDestroy(): Promise<void> {
    this.stopped = true;
    return super.onModuleDestroy();
  }

  protected begin(): void {
    if (this.stopped) return;
    this.ending = new AbortController();
    const { signal } = this.ending;
    const next = (): void => {
      this.last = this.last
        .then(() => signal.aborted || this.round(signal))
        .catch((error: unknown) => this.logger.warn({ err: error }, this.terms.what));
    };
    next();
    this.timer = setInterval(next, this.terms.everyMs).unref();
  }

  protected cease(): Promise<unknown> {
    clearInterval(this.timer);
    this.ending.abort();
    return this.last;
  }
}

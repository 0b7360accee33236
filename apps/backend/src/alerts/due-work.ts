/**
 * Work that becomes due and is done in lanes: one thing at a time in each lane, and a few lanes at once. So receivers get
 * things in order, and one that hangs delays nobody else.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/** How many lanes are served at once. */
const LANES = 8;
const RETRY_MS = 1000;
/** Maximum length of a timer, because clocks may be adjusted. */
const LONGEST_WAIT_MS = 60_000;

export interface Due {
  lane: string;
  at: Date;
}

interface DueWorkDeps<D extends Due> {
  /** The next thing of each lane that is not `busy`. */
  next(busy: string[]): Promise<D[]>;
  /** @param ended is aborted when this process ends the work */
  work(due: D, ended: AbortSignal): Promise<void>;
  onFault(error: unknown): void;
}

export class DueWork<D extends Due> {
  private readonly lanes = new Map<string, Promise<void>>();
  private readonly ending = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private looking = Promise.resolve();

  constructor(private readonly deps: DueWorkDeps<D>) {}

  /** Looks again: something may be due now. */
  wake(): void {
    this.looking = this.looking.then(() => this.look());
  }

  async stop(): Promise<void> {
    this.ending.abort();
    clearTimeout(this.timer);
    await this.looking;
    await Promise.all(this.lanes.values());
  }

  private async look(): Promise<void> {
    if (this.ending.signal.aborted || this.lanes.size >= LANES) return;
    clearTimeout(this.timer);
    let wait = LONGEST_WAIT_MS;
    try {
      const now = Date.now();
      for (const due of await this.deps.next([...this.lanes.keys()])) {
        const left = due.at.getTime() - now;
        if (left <= 0 && this.lanes.size < LANES) this.open(due);
        else if (left > 0) wait = Math.min(wait, left);
      }
    } catch (error) {
      this.deps.onFault(error);
      wait = RETRY_MS;
    }
    if (!this.ending.signal.aborted) this.timer = setTimeout(() => this.wake(), wait).unref();
  }

  private open(due: D): void {
    const { signal } = this.ending;
    const work = this.deps
      .work(due, signal)
      .catch(async (error: unknown) => {
        this.deps.onFault(error);
        await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
      })
      .finally(() => {
        this.lanes.delete(due.lane);
        this.wake();
      });
    this.lanes.set(due.lane, work);
  }
}

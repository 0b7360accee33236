/** Between the reader of the log and the writer: the reader may read ahead while the writer works, up to a limit. */
import type { RecordedEvent } from '@quarterdeck/events';

/** Events of one batch. Its rows become one statement, which is made at once. */
const MAX_TAKEN = 1_000;

export class EventQueue {
  #events: RecordedEvent[] = [];
  #ended = false;
  #hurried = false;
  /** Wakes the taker if it waits for a first event, or gathers more. */
  #taker: (() => void) | undefined;
  #giver: (() => void) | undefined;

  /** @param gatherMs how long a taker waits for more events after the first */
  constructor(
    readonly limit: number,
    readonly gatherMs = 0,
  ) {}

  /** Resolves when there is room for more. */
  push(batch: RecordedEvent[]): Promise<void> | void {
    if (this.#ended) return;
    const first = this.#events.length === 0;
    this.#events = first ? batch : this.#events.concat(batch);
    if (first || this.#events.length >= MAX_TAKEN) this.#taker?.();
    if (this.#events.length >= this.limit)
      return new Promise((resolve) => {
        this.#giver = resolve;
      });
  }

  /** Resolves with the first queued events once there are any; undefined after the end. */
  async take(): Promise<RecordedEvent[] | undefined> {
    if (this.#events.length === 0 && !this.#ended) await this.#woken();
    if (this.gatherMs > 0 && !this.#hurried && !this.#ended && this.#events.length < MAX_TAKEN)
      await this.#woken(this.gatherMs);
    if (this.#ended) return undefined;
    this.#hurried = false;
    const events = this.#events.slice(0, MAX_TAKEN);
    this.#events = this.#events.slice(MAX_TAKEN);
    if (this.#events.length < this.limit) {
      this.#giver?.();
      this.#giver = undefined;
    }
    return events;
  }

  /** Somebody waits: the next taker gathers nothing more than the first events. */
  hurry(): void {
    this.#hurried = true;
    if (this.#events.length > 0) this.#taker?.();
  }

  get ended(): boolean {
    return this.#ended;
  }

  end(): void {
    this.#ended = true;
    this.#events = [];
    this.#taker?.();
    this.#giver?.();
  }

  async #woken(ms?: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#taker = resolve;
      if (ms !== undefined) timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
    this.#taker = undefined;
  }
}

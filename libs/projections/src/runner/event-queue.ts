/** Between the reader of the log and the writer: the reader may read ahead while the writer works, up to a limit. */
import type { RecordedEvent } from '@quarterdeck/events';

/** Events of one batch. Its rows become one statement, which is made at once. */
const MAX_TAKEN = 1_000;

export class EventQueue {
  #events: RecordedEvent[] = [];
  #ended = false;
  #taker: (() => void) | undefined;
  #giver: (() => void) | undefined;

  constructor(readonly limit: number) {}

  /** Resolves when there is room for more. */
  push(batch: RecordedEvent[]): Promise<void> | void {
    if (this.#ended) return;
    this.#events = this.#events.length === 0 ? batch : this.#events.concat(batch);
    this.#taker?.();
    if (this.#events.length >= this.limit)
      return new Promise((resolve) => {
        this.#giver = resolve;
      });
  }

  /** Resolves with the first queued events once there are any; undefined after the end. */
  async take(): Promise<RecordedEvent[] | undefined> {
    if (this.#events.length === 0 && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#taker = resolve;
      });
      this.#taker = undefined;
    }
    if (this.#ended) return undefined;
    const events = this.#events.slice(0, MAX_TAKEN);
    this.#events = this.#events.slice(MAX_TAKEN);
    if (this.#events.length < this.limit) {
      this.#giver?.();
      this.#giver = undefined;
    }
    return events;
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
}

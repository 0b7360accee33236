/** Between the reader of the log and the writer: the reader may read ahead while the writer works, up to a limit. */
import type { RecordedEvent } from '@quarterdeck/events';

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

  /** Resolves with all queued events once there are any; undefined after the end. */
  async take(): Promise<RecordedEvent[] | undefined> {
    if (this.#events.length === 0 && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#taker = resolve;
      });
      this.#taker = undefined;
    }
    if (this.#ended) return undefined;
    const events = this.#events;
    this.#events = [];
    this.#giver?.();
    this.#giver = undefined;
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

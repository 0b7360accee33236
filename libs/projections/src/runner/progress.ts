/** The last known position of the read models, and the callers waiting for a position. */
import { comparePositions, START, type Position, type RecordedEvent } from '@quarterdeck/events';

/** `events` is given if this process applied them itself. Otherwise the listener has to read the log. */
export type ProjectedListener = (position: Position, events?: RecordedEvent[]) => void;

interface Waiter {
  position: Position;
  done: (reached: boolean) => void;
}

export class Progress {
  #position: Position = START;
  readonly #waiters = new Set<Waiter>();
  readonly #listeners = new Set<ProjectedListener>();

  constructor(private readonly onListenerFault: (error: unknown) => void) {}

  get position(): Position {
    return this.#position;
  }

  /** @returns whether the read models reached the position in time */
  waitFor(position: Position, timeoutMs: number): Promise<boolean> {
    if (comparePositions(this.#position, position) >= 0) return Promise.resolve(true);
    if (timeoutMs <= 0) return Promise.resolve(false);
    return new Promise((resolve) => {
      const done = (reached: boolean) => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
        resolve(reached);
      };
      const waiter = { position, done };
      const timer = setTimeout(() => done(false), timeoutMs);
      this.#waiters.add(waiter);
    });
  }

  /** @returns a function that removes the listener */
  listen(listener: ProjectedListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The read models have advanced. A known position has no effect. */
  advance(position: Position, events?: RecordedEvent[]): void {
    if (comparePositions(position, this.#position) <= 0) return;
    this.#position = position;
    for (const waiter of this.#waiters)
      if (comparePositions(position, waiter.position) >= 0) waiter.done(true);
    for (const listener of this.#listeners)
      try {
        listener(position, events);
      } catch (error) {
        this.onListenerFault(error);
      }
  }

  /**
   * Takes the position from the tables, even if it is lower: after a crash of Postgres, the last batches may be
   * missing.
   */
  correct(position: Position): void {
    if (comparePositions(position, this.#position) < 0) this.#position = position;
    else this.advance(position);
  }

  /** Answers all waiting callers with false. */
  close(): void {
    for (const waiter of this.#waiters) waiter.done(false);
    this.#listeners.clear();
  }
}

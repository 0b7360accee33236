import { comparePositions, type Position, type RecordedEvent } from '@quarterdeck/events';
import type { EventStore, Subscription, SubscriptionOptions } from '@quarterdeck/log/store';
import { PATIENCE_MS } from '../../testing/patience';

/** A subscriber that keeps what it gets and can be waited for. */
export class Collector {
  readonly events: RecordedEvent[] = [];
  readonly batches: number[] = [];
  readonly faults: unknown[] = [];
  caughtUp = 0;
  readonly subscription: Subscription;
  #waiting: (() => void)[] = [];

  constructor(
    store: EventStore,
    after: Position,
    options: SubscriptionOptions & { slow?: () => Promise<void> } = {},
  ) {
    this.subscription = store.subscribe(
      after,
      async (batch) => {
        await options.slow?.();
        this.batches.push(batch.length);
        for (const event of batch) this.events.push(event);
        this.#check();
      },
      {
        ...options,
        onCaughtUp: () => {
          this.caughtUp += 1;
          this.#check();
        },
        onFault: (error) => this.faults.push(error),
      },
    );
  }

  get position(): Position {
    return this.events.at(-1)?.position ?? '0';
  }

  async until(condition: (collector: this) => boolean, ms = PATIENCE_MS): Promise<void> {
    const deadline = Date.now() + ms;
    while (!condition(this)) {
      const left = deadline - Date.now();
      if (left <= 0)
        throw new Error(`waited ${ms} ms in vain; ${this.events.length} events, at ${this.position}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(left, 1_000));
        this.#waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  reaches(position: Position, ms?: number): Promise<void> {
    return this.until(() => comparePositions(this.position, position) >= 0, ms);
  }

  #check(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

/** Expects each event once, in order of positions, and every stream's revisions without gaps. */
export function expectWhole(events: RecordedEvent[]): void {
  const next = new Map<string, number>();
  const ids = new Set<string>();
  let position: Position = '0';
  for (const event of events) {
    if (comparePositions(event.position, position) <= 0)
      throw new Error(`${event.position} after ${position}`);
    position = event.position;
    const expected = next.get(event.stream) ?? event.revision;
    if (event.revision !== expected)
      throw new Error(`${event.stream}: ${event.revision} instead of ${expected}`);
    next.set(event.stream, expected + 1);
    ids.add(event.meta.id);
  }
  if (ids.size !== events.length) throw new Error(`${events.length - ids.size} events came twice`);
}

/**
 * The leader: follows the log and keeps every live read model up to date. What screens of nouns show is written at once;
 * what follows later, in larger batches.
 */
import type { Position, RecordedEvent } from '@quarterdeck/events';
import type { EventStore } from '@quarterdeck/log/store';
import type { AnyProjection } from '../define-projection';
import { liveState, takeLead, type Lead } from './checkpoints';
import { EventQueue } from './event-queue';
import { Lane } from './lane';
import { slowest, type LaneName, type Places } from './lanes';
import type { Session } from './session';
import { isFollowed, type SourceLog } from './source-log';

export interface LiveOptions {
  session: Pick<Session, 'client' | 'lost' | 'ask' | 'alone' | 'onLost' | 'tells'>;
  store: EventStore;
  projections: readonly AnyProjection[];
  /** The log that positions refer to. Unset for a log without an identity. */
  source?: SourceLog | undefined;
  /** Number of rows in memory per projection. */
  cachedRows: number;
  /** How many events are read at once. A batch has the events that arrived while the previous one was written. */
  readAtOnce: number;
  onLead: (places: Places) => void;
  onApplied: (lane: LaneName, position: Position, events: RecordedEvent[]) => void;
  onFault: (error: unknown, doing: string) => void;
}

const HEARTBEAT = 1_000;
/** A batch of 25 events costs the history a quarter, for each, of what one event alone costs. */
const GATHER_MS = 50;

export class Live {
  /** What was read from the log. */
  readonly #queue: EventQueue;
  /** What follows later. */
  readonly #left: EventQueue;
  #lanes: Lane[] = [];
  #fence: string | undefined;

  constructor(readonly options: LiveOptions) {
    this.#queue = new EventQueue(2 * options.readAtOnce);
    this.#left = new EventQueue(2 * options.readAtOnce, GATHER_MS);
  }

  /** Returns when the lead has to start again: after `end`, or if somebody changed the stored state. */
  async run(): Promise<void> {
    // The connection outlives many leads. Without this, each ended lead would stay in memory with its cached rows.
    const stopListening = this.options.session.onLost(() => this.end());
    try {
      await this.#lead();
    } finally {
      stopListening();
    }
  }

  async #lead(): Promise<void> {
    const { session, store, onLead, onFault, readAtOnce } = this.options;
    const { source, projections } = this.options;
    const lead = await session.alone(() =>
      takeLead(session.client, projections, async () => (source ? isFollowed(session.client, source) : true)),
    );
    this.#fence = lead.fence;
    this.#lanes = this.#lanesOf(lead);
    onLead(lead.places);
    const heartbeat = setInterval(() => void this.#lookAround(), HEARTBEAT);
    const from = slowest(lead.places);
    const first = lead.places.now === undefined ? this.#left : this.#queue;
    const subscription =
      from === undefined
        ? undefined
        : store.subscribe(from, (batch) => first.push(batch), {
            batchSize: readAtOnce,
            onFault: (error) => onFault(error, 'read the log'),
          });
    const lanes = this.#lanes.map((lane) => lane.run().finally(() => this.end()));
    // Without a lane, it waits until something is live.
    if (lanes.length === 0) lanes.push(this.#queue.take().then(() => undefined));
    try {
      // If one of them fails, the other still finishes its statement.
      await Promise.allSettled(lanes);
      await Promise.all(lanes);
    } finally {
      this.end();
      clearInterval(heartbeat);
      await subscription?.stop();
    }
  }

  #lanesOf(lead: Lead): Lane[] {
    const { session, cachedRows, onApplied, onFault } = this.options;
    const { now, later } = lead.places;
    const shared = {
      session,
      cachedRows,
      onFault,
      onOvertaken: () => this.end(),
      checkFence: () => this.#checkFence(),
    };
    const lanes: Lane[] = [];
    if (now !== undefined)
      lanes.push(
        new Lane('now', lead, now, {
          ...shared,
          queue: this.#queue,
          onApplied: (position, events) => onApplied('now', position, events),
          ...(later === undefined ? {} : { handOn: (events) => this.#left.push(events) }),
        }),
      );
    if (later !== undefined)
      lanes.push(
        new Lane('later', lead, later, {
          ...shared,
          queue: this.#left,
          onApplied: (position, events) => onApplied('later', position, events),
        }),
      );
    return lanes;
  }

  end(): void {
    this.#queue.end();
    this.#left.end();
  }

  /** Somebody waits for what follows later. */
  hurry(): void {
    this.#left.hurry();
  }

  /** While idle, checks that the connection is alive and that nobody else has changed the tables. */
  async #lookAround(): Promise<void> {
    if (!this.#lanes.some(({ busy }) => busy)) await this.#checkFence().catch(() => undefined);
  }

  async #checkFence(): Promise<void> {
    const [found] = await this.options.session.ask<{ fence: string | null }>(liveState);
    if ((found?.fence ?? undefined) !== this.#fence) this.end();
  }
}

/** The leader: follows the log and keeps every live read model up to date, one statement per batch. */
import { createHash } from 'node:crypto';
import { Backoff, comparePositions, type Position, type RecordedEvent } from '@quarterdeck/events';
import type { EventStore } from '@quarterdeck/log/store';
import type { AnyProjection } from '../define-projection';
import { batchStatement, type Change } from './batch-statement';
import { liveState, takeLead } from './checkpoints';
import { EventQueue } from './event-queue';
import { isDuplicate, isRefusal } from './faults';
import { eventsFor, foldInTurns, type Folded, type Parked } from './fold';
import { findRefused } from './refused';
import { RowCache } from './row-cache';
import type { Row } from './row';
import type { Session } from './session';
import { isFollowed, type SourceLog } from './source-log';
import { loadRows, type Target } from './tables';

export interface LiveOptions {
  session: Pick<Session, 'client' | 'lost' | 'ask' | 'onLost' | 'tells'>;
  store: EventStore;
  projections: readonly AnyProjection[];
  /** The log that positions refer to. Unset for a log without an identity. */
  source?: SourceLog | undefined;
  /** Number of rows in memory per projection. */
  cachedRows: number;
  /** How many events are read at once. A batch has the events that arrived while the previous one was written. */
  readAtOnce: number;
  onLead: (position: Position | undefined) => void;
  onApplied: (position: Position, events: RecordedEvent[]) => void;
  onFault: (error: unknown, doing: string) => void;
}

const HEARTBEAT = 1_000;
const LONGEST_BATCH = 60_000;
const LONGEST_PAUSE = 5_000;

export class Live {
  readonly #cache: RowCache;
  readonly #queue: EventQueue;
  /** Projections whose rows have always been new so far if they were not in memory. */
  readonly #guessing: Set<string>;
  #targets: Target[] = [];
  #position: Position = '0';
  #fence: string | undefined;
  #parked = new Map<string, Set<string>>();
  #busy = false;

  constructor(readonly options: LiveOptions) {
    this.#cache = new RowCache(options.cachedRows);
    this.#queue = new EventQueue(2 * options.readAtOnce);
    this.#guessing = new Set(options.projections.map(({ name }) => name));
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
    const lead = await takeLead(session.client, projections, async () =>
      source ? isFollowed(session.client, source) : true,
    );
    this.#targets = lead.targets;
    this.#position = lead.position ?? this.#position;
    this.#fence = lead.fence;
    this.#parked = lead.parked;
    onLead(lead.position);
    const heartbeat = setInterval(() => void this.#lookAround(), HEARTBEAT);
    const subscription =
      lead.position === undefined
        ? undefined
        : store.subscribe(lead.position, (batch) => this.#queue.push(batch), {
            batchSize: readAtOnce,
            onFault: (error) => onFault(error, 'read the log'),
          });
    try {
      for (let events = await this.#queue.take(); events; events = await this.#queue.take())
        await this.#applyWithPatience(events);
    } finally {
      this.end();
      clearInterval(heartbeat);
      await subscription?.stop();
    }
  }

  end(): void {
    this.#queue.end();
  }

  /** If the database has a fault, keeps retrying with the same events. */
  async #applyWithPatience(events: RecordedEvent[]): Promise<void> {
    this.#busy = true;
    const backoff = new Backoff(50, LONGEST_PAUSE);
    while (!this.#queue.ended)
      try {
        await this.#apply(events);
        break;
      } catch (error) {
        this.options.onFault(error, 'write the read models');
        if (this.options.session.lost) throw error;
        // A swap may have dropped the tables that the batch writes to.
        await this.#checkFence();
        if (!this.#queue.ended) await backoff.pause();
      }
    this.#busy = false;
  }

  async #apply(batch: RecordedEvent[], refused = new Map<string, Parked>()): Promise<void> {
    const events = batch.filter((event) => comparePositions(event.position, this.#position) > 0);
    const last = events.at(-1);
    if (!last || this.#queue.ended) return;
    const changes = await this.#fold(events, refused);
    let written: boolean;
    try {
      written = await this.#write(changes, last);
    } catch (error) {
      return this.#afterFault(error, events, changes, refused);
    }
    // Somebody else has changed the state: another leader, a rebuild, a retry.
    if (!written) return this.end();
    this.#remember(changes);
    this.#position = last.position;
    this.options.onApplied(last.position, events);
  }

  async #afterFault(
    error: unknown,
    events: RecordedEvent[],
    changes: Change[],
    refused: Map<string, Parked>,
  ): Promise<void> {
    const guessers = changes.filter(({ folded }) => folded.guessed.size > 0);
    if (isDuplicate(error) && guessers.length > 0) {
      for (const { target } of guessers) this.#guessing.delete(target.projection.name);
      return this.#apply(events, refused);
    }
    const [first] = events;
    if (!isRefusal(error) || !first) throw error;
    if (events.length > 1) {
      for (const event of events) await this.#apply([event]);
      return;
    }
    const found = await findRefused(this.options.session.client, changes, first);
    if (found.size === 0) throw error;
    await this.#apply(events, new Map([...refused, ...found]));
  }

  async #fold(events: RecordedEvent[], refused: Map<string, Parked>): Promise<Change[]> {
    const wanted = eventsFor(events);
    const foldOne = (target: Target) => this.#foldOne(target, wanted(target.projection), refused);
    const changes: Change[] = [];
    for (const target of this.#targets) changes.push({ target, folded: await foldOne(target) });
    for (;;) {
      const blind = changes.filter(({ folded }) => folded.unknown.size > 0);
      if (blind.length === 0) return changes;
      await this.#load(blind);
      for (const change of blind) change.folded = await foldOne(change.target);
    }
  }

  async #foldOne(
    { projection }: Target,
    events: readonly RecordedEvent[],
    refused: Map<string, Parked>,
  ): Promise<Folded> {
    const { name } = projection;
    const entry = refused.get(name);
    if (entry)
      return {
        changed: new Map(),
        guessed: new Set(),
        unknown: new Set(),
        parked: new Map([[entry.stream, entry]]),
      };
    return foldInTurns({
      projection,
      events,
      known: (key) => this.#cache.known(name, key),
      parked: this.#parked.get(name),
      guess: this.#guessing.has(name),
    });
  }

  async #load(blind: Change[]): Promise<void> {
    const text = loadRows(blind.map(({ target }) => target));
    const wanted = blind.map(({ folded }) => [...folded.unknown]);
    const rows = await this.#query<Row & { target: number; id: string }>(text, wanted);
    blind.forEach(({ target: { projection } }, index) => {
      const found = rows.filter(({ target }) => target === index);
      for (const key of wanted[index] ?? []) this.#cache.set(projection.name, key, null);
      for (const { id, workspace, position, view } of found)
        this.#cache.set(projection.name, id, { workspace, position, view });
      if (found.length === 0) this.#guessing.add(projection.name);
    });
  }

  async #write(changes: Change[], last: RecordedEvent): Promise<boolean> {
    const move = {
      from: this.#position,
      to: last.position,
      eventAt: last.recordedAt,
      fence: this.#fence ?? '',
    };
    const { text, values } = batchStatement(changes, move, this.options.session.tells);
    return (await this.#query(text, values)).length > 0;
  }

  #query<R extends object>(text: string, values: unknown[]): Promise<R[]> {
    const name = createHash('sha1').update(text).digest('base64');
    return this.options.session.ask<R>({ name, text, values }, LONGEST_BATCH);
  }

  #remember(changes: Change[]): void {
    for (const { target, folded } of changes) {
      const { name } = target.projection;
      for (const [key, row] of folded.changed) this.#cache.set(name, key, row);
      if (folded.parked.size === 0) continue;
      const streams = this.#parked.get(name) ?? new Set<string>();
      for (const { stream, type, position, error } of folded.parked.values()) {
        const cause = new Error(`${type} at ${position}: ${error}`);
        if (!streams.has(stream))
          this.options.onFault(cause, `fold ${stream} into ${name}; the stream is parked`);
        streams.add(stream);
      }
      this.#parked.set(name, streams);
    }
    this.#cache.trim();
  }

  /** While idle, checks that the connection is alive and that nobody else has changed the tables. */
  async #lookAround(): Promise<void> {
    if (!this.#busy) await this.#checkFence().catch(() => undefined);
  }

  async #checkFence(): Promise<void> {
    const [found] = await this.options.session.ask<{ fence: string | null }>(liveState);
    if ((found?.fence ?? undefined) !== this.#fence) this.end();
  }
}

/** Writes the live read models of one lane: folds events, and writes one statement per batch. */
import { createHash } from 'node:crypto';
import { Backoff, comparePositions, type Position, type RecordedEvent } from '@quarterdeck/events';
import { batchStatement, type Change } from './batch-statement';
import type { Lead } from './checkpoints';
import type { EventQueue } from './event-queue';
import { isDuplicate, isRefusal } from './faults';
import { eventsFor, foldInTurns, type Folded, type Parked } from './fold';
import type { LaneName } from './lanes';
import { findRefused } from './refused';
import { RowCache } from './row-cache';
import type { Row } from './row';
import type { Session } from './session';
import { loadRows, type Target } from './tables';

export interface LaneOptions {
  session: Pick<Session, 'client' | 'lost' | 'ask' | 'alone' | 'tells'>;
  /** Number of rows in memory per projection. */
  cachedRows: number;
  queue: EventQueue;
  onApplied: (position: Position, events: RecordedEvent[]) => void;
  /** Gets all events of the queue, also those that were applied before. The next batch waits for it. */
  handOn?: (events: RecordedEvent[]) => Promise<void> | void;
  onFault: (error: unknown, doing: string) => void;
  /** Somebody else has changed the stored state: another leader, a rebuild, a retry. */
  onOvertaken: () => void;
  /** Calls `onOvertaken` if it is so. */
  checkFence: () => Promise<void>;
}

const LONGEST_BATCH = 60_000;
const LONGEST_PAUSE = 5_000;

export class Lane {
  readonly #cache: RowCache;
  readonly #queue: EventQueue;
  /** Projections whose rows have always been new so far if they were not in memory. */
  readonly #guessing: Set<string>;
  readonly #targets: readonly Target[];
  #position: Position;
  readonly #fence: string;
  readonly #parked: Map<string, Set<string>>;
  #busy = false;

  constructor(
    readonly name: LaneName,
    { targets, fence = '', parked }: Lead,
    /** Where the lead begins. */
    position: Position,
    readonly options: LaneOptions,
  ) {
    this.#cache = new RowCache(options.cachedRows);
    this.#queue = options.queue;
    this.#targets = targets[name];
    this.#guessing = new Set(this.#targets.map(({ projection }) => projection.name));
    this.#position = position;
    this.#fence = fence;
    this.#parked = parked;
  }

  get busy(): boolean {
    return this.#busy;
  }

  /** Returns when the queue has ended. */
  async run(): Promise<void> {
    for (let events = await this.#queue.take(); events; events = await this.#queue.take()) {
      await this.#applyWithPatience(events);
      await this.options.handOn?.(events);
    }
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
        await this.options.checkFence();
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
    if (!written) return this.options.onOvertaken();
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
    const found = await this.options.session.alone(() =>
      findRefused(this.options.session.client, changes, first),
    );
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
      lane: this.name,
      from: this.#position,
      to: last.position,
      eventAt: last.recordedAt,
      fence: this.#fence,
    };
    const { text, values } = batchStatement(changes, move, this.options.session.tells);
    return (await this.#query(text, values)).length > 0;
  }

  #query<R extends object>(text: string, values: unknown[]): Promise<R[]> {
    const name = createHash('sha1').update(text).digest('base64');
    const { session } = this.options;
    return session.alone(() => session.ask<R>({ name, text, values }, LONGEST_BATCH));
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
}

/**
 * Folds a log into tables that nobody reads yet: in memory as far as possible, and written while the next events are
 * folded.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { comparePositions, laterOf, START, type Position, type RecordedEvent } from '@quarterdeck/events';
import type pg from 'pg';
import { asJson } from './batch-statement';
import { copyIn, copyLines } from './copy-in';
import { eventsFor, foldInTurns, type Parked } from './fold';
import { laneOf, LANES, type LaneName } from './lanes';
import { KeyFilter } from './key-filter';
import type { KnownRow, Row } from './row';
import { copyRows, inBuild, loadRows, quoted, writeRows, type Target } from './tables';

export interface BuildOptions {
  /** Create temporary tables, which belong to the connection's session. */
  temporary?: boolean;
  /** How many rows of a projection stay in memory before they are written. */
  residentRows?: number;
  /** Streams to leave out, by projection, with the position at which each was set aside. */
  parked?: Map<string, Map<string, Position>>;
}

/** A position for each lane. */
export type Goals = Readonly<Record<LaneName, Position>>;

export const latest = ({ now, later }: Goals): Position => laterOf(now, later);

const RESIDENT_ROWS = 50_000;
const ROWS_AT_ONCE = 2_000;
/** Of all rows that stay in memory, as JSON. In memory they take about three times as much. */
const MAX_RESIDENT_BYTES = 24 * 1024 * 1024;
/** One of so many changed rows is measured. */
const SAMPLE = 32;

export class Build {
  readonly #parts: Part[];
  readonly #writes: Writes;
  #reached: Goals = { now: START, later: START };

  constructor(
    client: pg.ClientBase,
    readonly targets: readonly Target[],
    options: BuildOptions = {},
  ) {
    this.#writes = new Writes(client);
    this.#parts = targets.map((target) => new Part(this.#writes, target, options));
  }

  /** Positions that the lanes have reached. */
  get reached(): Goals {
    return this.#reached;
  }

  /** Up to there, every target has all events. */
  get complete(): Position {
    const lanes = LANES.filter((lane) => this.targets.some(({ projection }) => laneOf(projection) === lane));
    const [first = START, ...others] = lanes.map((lane) => this.#reached[lane]);
    return others.reduce((least, one) => (comparePositions(one, least) < 0 ? one : least), first);
  }

  get parked(): Parked[] {
    return this.#parts.flatMap((part) => [...part.parked.values()]);
  }

  /** @param goals the last event for each lane */
  async apply(page: readonly RecordedEvent[], goals: Goals): Promise<void> {
    const between = (lane: LaneName) =>
      page.filter(
        ({ position }) =>
          comparePositions(position, this.#reached[lane]) > 0 && comparePositions(position, goals[lane]) <= 0,
      );
    const fresh = { now: between('now'), later: between('later') };
    const wanted = { now: eventsFor(fresh.now), later: eventsFor(fresh.later) };
    for (const part of this.#parts) {
      const { projection } = part.target;
      const events = wanted[laneOf(projection)](projection);
      if (events.length === 0) continue;
      await part.apply(events);
      await this.#makeRoom();
      // Folding alone never waits, so give other work of this process a turn.
      await turn();
    }
    const last = (lane: LaneName): Position => fresh[lane].at(-1)?.position ?? this.#reached[lane];
    this.#reached = { now: last('now'), later: last('later') };
  }

  /** Queues another statement on the connection that the build writes with. */
  write(text: string, values: unknown[]): Promise<void> {
    return this.#writes.begin(text, values);
  }

  /** Those that have most give up rows first. */
  async #makeRoom(): Promise<void> {
    const bytes = (): number => this.#parts.reduce((sum, part) => sum + part.bytes, 0);
    while (bytes() > MAX_RESIDENT_BYTES)
      await this.#parts.reduce((most, part) => (part.bytes > most.bytes ? part : most)).giveUp(ROWS_AT_ONCE);
  }

  async flush(): Promise<void> {
    for (const part of this.#parts) await part.flush();
    await this.#writes.done();
  }

  /** Resolves when the connection is free again, whatever the result of the last write. */
  async settled(): Promise<void> {
    await this.#writes.done().catch(() => undefined);
  }
}

/** Runs one statement at a time. Callers do not wait for the end of their own statement. */
class Writes {
  #last: Promise<unknown> = Promise.resolve();

  constructor(readonly client: pg.ClientBase) {}

  /** Throws the error of the previous statement. */
  async begin(text: string, values: unknown[]): Promise<void> {
    await this.#follow(() => this.client.query(text, values));
  }

  /** @param lines the rows, in the text format of COPY */
  async beginCopy(text: string, lines: string): Promise<void> {
    await this.#follow(() => copyIn(this.client, text, lines));
  }

  async done(): Promise<void> {
    await this.#last;
  }

  async ask<R extends object>(text: string, values: unknown[]): Promise<R[]> {
    await this.#last;
    return (await this.client.query<R>(text, values)).rows;
  }

  async #follow(statement: () => Promise<unknown>): Promise<void> {
    await this.#last;
    this.#last = statement();
    this.#last.catch(() => undefined);
  }
}

class Part {
  readonly parked = new Map<string, Parked>();
  /** Ordered by time of change, the newest last. */
  readonly #resident = new Map<string, Row | null>();
  readonly #dirty = new Set<string>();
  #changes = 0;
  /** Of a row, as JSON, in the mean of the last samples. */
  #rowBytes = 0;
  /** Keys that the table may contain; unset while it is empty. */
  #stored: KeyFilter | undefined;

  constructor(
    readonly writes: Writes,
    readonly target: Target,
    readonly options: BuildOptions,
  ) {}

  async apply(events: readonly RecordedEvent[]): Promise<void> {
    const { projection } = this.target;
    const leftOut = this.options.parked?.get(projection.name);
    const wanted = leftOut ? events.filter((event) => !isLeftOut(leftOut, event)) : events;
    const parked = new Set(this.parked.keys());
    const fold = () => foldInTurns({ projection, events: wanted, known: (key) => this.#known(key), parked });
    let folded = await fold();
    while (folded.unknown.size > 0) {
      await this.#load([...folded.unknown]);
      folded = await fold();
    }
    for (const [key, row] of folded.changed) {
      this.#resident.delete(key);
      this.#resident.set(key, row);
      this.#dirty.add(key);
      this.#measure(row);
    }
    for (const [stream, entry] of folded.parked) {
      const before = this.parked.get(stream);
      this.parked.set(stream, before ? { ...before, skipped: before.skipped + entry.skipped } : entry);
    }
    await this.#makeRoom();
  }

  async flush(): Promise<void> {
    const keys = [...this.#dirty];
    for (let at = 0; at < keys.length; at += ROWS_AT_ONCE)
      await this.#store(keys.slice(at, at + ROWS_AT_ONCE));
  }

  /** Writes the least recently changed rows and drops them from memory. Append-only rows are never needed again. */
  async #makeRoom(): Promise<void> {
    const { residentRows = RESIDENT_ROWS } = this.options;
    const kept = this.target.projection.appendOnly ? 0 : residentRows;
    const atOnce = Math.min(ROWS_AT_ONCE, residentRows);
    while (this.#resident.size >= kept + atOnce) await this.giveUp(atOnce);
  }

  async giveUp(rows: number): Promise<void> {
    const keys = [...take(this.#resident.keys(), rows)];
    await this.#store(keys.filter((key) => this.#dirty.has(key)));
    for (const key of keys) this.#resident.delete(key);
  }

  /** An estimate for the rows in memory, as JSON. */
  get bytes(): number {
    return this.#resident.size * this.#rowBytes;
  }

  #measure(row: Row | null): void {
    this.#changes += 1;
    if (row === null || this.#changes % SAMPLE !== 1) return;
    const bytes = JSON.stringify(row.view).length;
    this.#rowBytes += (bytes - this.#rowBytes) / Math.min(1 + this.#changes / SAMPLE, 16);
  }

  async #store(keys: readonly string[]): Promise<void> {
    const inserts: [string, Row][] = [];
    const upserts: [string, Row][] = [];
    const gone: string[] = [];
    for (const key of keys) {
      this.#dirty.delete(key);
      const row = this.#resident.get(key) ?? null;
      const stored = this.#stored?.mayHave(key) ?? false;
      if (row === null) {
        if (stored) gone.push(key);
      } else (stored ? upserts : inserts).push([key, row]);
    }
    const how = { temporary: this.options.temporary ?? false };
    if (inserts.length > 0)
      await this.writes.beginCopy(copyRows(this.target, how), copyLines(this.target.projection, inserts));
    if (upserts.length > 0)
      await this.writes.begin(writeRows(this.target, 'upsert', '$1', how), [asJson(upserts)]);
    if (gone.length > 0)
      await this.writes.begin(`delete from ${this.#table} where id = any($1::text[])`, [gone]);
    if (inserts.length === 0 || this.target.projection.appendOnly) return;
    this.#stored ??= new KeyFilter();
    for (const [key] of inserts) this.#stored.add(key);
  }

  #known(key: string): KnownRow {
    const row = this.#resident.get(key);
    if (row !== undefined) return row;
    return this.#stored?.mayHave(key) ? undefined : null;
  }

  async #load(keys: string[]): Promise<void> {
    const text = this.options.temporary
      ? `select id, workspace, position, view from ${this.#table} where id = any($1::text[])`
      : loadRows([this.target]);
    const rows = await this.writes.ask<Row & { id: string }>(text, [keys]);
    for (const key of keys) this.#resident.set(key, null);
    for (const { id, workspace, position, view } of rows)
      this.#resident.set(id, { workspace, position, view });
  }

  get #table(): string {
    const { table } = this.target;
    return this.options.temporary ? quoted(table) : inBuild(table);
  }
}

function* take<T>(values: Iterable<T>, count: number): Generator<T> {
  let left = count;
  for (const value of values) {
    if (left === 0) return;
    left -= 1;
    yield value;
  }
}

const isLeftOut = (leftOut: Map<string, Position>, event: RecordedEvent): boolean => {
  const from = leftOut.get(event.stream);
  return from !== undefined && comparePositions(event.position, from) >= 0;
};

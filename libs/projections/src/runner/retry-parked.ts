/** After a fix: folds a parked stream into its rows again, from the log, and releases it. */
import { setTimeout as pause } from 'node:timers/promises';
import { START, type LoggedEvent, type Position, type RecordedEvent } from '@quarterdeck/events';
import { StoreUnavailable, type EventStore } from '@quarterdeck/log/store';
import type { Client } from 'pg';
import type { AnyProjection } from '../define-projection';
import { asJson } from './batch-statement';
import { readCheckpoints, readParked, whileHeld } from './checkpoints';
import { isLockTimeout } from './faults';
import { describeError, foldBatch } from './fold';
import { laneOf } from './lanes';
import { RebuildRefused, underMaintenanceLock } from './maintenance-lock';
import type { Row } from './row';
import { inBuild, writeRows, type Target } from './tables';

export interface RetryOptions {
  connectionString: string;
  store: EventStore;
  projection: AnyProjection;
  stream: string;
}

export type RetryResult = { ok: true; rows: number } | { ok: false; error: string };

const PAGE = 1_000;
const HOLD_TRIES = 50;

// A rebuild replaces the list of parked streams with its own.
const REFUSAL = 'a rebuild is under way; it folds the parked streams anew as well';

/** @throws RebuildRefused, StoreUnavailable; the stream then stays parked as before */
export const retryParked = (options: RetryOptions): Promise<RetryResult> =>
  underMaintenanceLock(options.connectionString, REFUSAL, async (client) => {
    const result = await refold(client, options);
    if (!result.ok)
      await client.query(
        'update read.parked set attempts = attempts + 1, error = $3 where projection = $1 and stream = $2',
        [options.projection.name, options.stream, result.error],
      );
    return result;
  });

async function refold(client: Client, { store, projection, stream }: RetryOptions): Promise<RetryResult> {
  const checkpoint = (await readCheckpoints(client)).find((row) => row.projection === projection.name);
  if (checkpoint?.state !== 'live' || checkpoint.version !== projection.version)
    return {
      ok: false,
      error: `read model ${projection.name} waits to be rebuilt, which folds the stream anew`,
    };
  const parked = (await readParked(client)).get(projection.name) ?? new Set<string>();
  if (!parked.delete(stream)) return { ok: false, error: `${stream} is not parked in ${projection.name}` };
  try {
    for (;;) {
      const keys = await keysOf(store, projection, stream);
      const rows = new RowsOf(projection, keys, parked);
      await rows.followUpTo(store, checkpoint.position);
      const written = await whenFree(client, async (places) => {
        await rows.followUpTo(store, places[laneOf(projection)] ?? checkpoint.position);
        // The stream has meanwhile changed a row that was not folded here.
        if (rows.outside(stream)) return false;
        await replaceRows(client, { projection, table: checkpoint.source }, rows.rows);
        await client.query('delete from read.parked where projection = $1 and stream = $2', [
          projection.name,
          stream,
        ]);
        return true;
      });
      if (written) return { ok: true, rows: keys.size };
    }
  } catch (error) {
    // These errors do not depend on the stream, so it stays parked unchanged.
    if (error instanceof RebuildRefused || error instanceof StoreUnavailable) throw error;
    return { ok: false, error: describeError(error) };
  }
}

/** If a live batch holds the lock for too long, try again. */
const whenFree: typeof whileHeld = async (client, body) => {
  for (let tries = 1; ; tries += 1)
    try {
      return await whileHeld(client, body);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (tries === HOLD_TRIES)
        throw new RebuildRefused('the read models are in use all the time; try again later', {
          cause: error,
        });
      await pause(100);
    }
};

async function keysOf(store: EventStore, projection: AnyProjection, stream: string): Promise<Set<string>> {
  const keys = new Set<string>();
  for (let from = 0; ; from += PAGE) {
    const events = await store.readStream(stream, { from, limit: PAGE });
    for (const event of events) for (const key of projection.keys(event as LoggedEvent)) keys.add(key);
    if (events.length < PAGE) return keys;
  }
}

/** Some rows of a projection, folded from the whole log, because other streams may change them too. */
class RowsOf {
  readonly rows = new Map<string, Row | null>();
  readonly #outside = new Set<string>();
  #position: Position = START;

  constructor(
    readonly projection: AnyProjection,
    readonly keys: ReadonlySet<string>,
    readonly parked: ReadonlySet<string>,
  ) {
    for (const key of keys) this.rows.set(key, null);
  }

  /** Whether the stream changed a row that is not among these. */
  outside(stream: string): boolean {
    return this.#outside.has(stream);
  }

  async followUpTo(store: EventStore, upTo: Position): Promise<void> {
    for await (const page of store.readOn(this.#position, { upTo })) {
      this.#apply(page);
      this.#position = page.at(-1)?.position ?? this.#position;
    }
  }

  #apply(events: RecordedEvent[]): void {
    const narrowed: AnyProjection = {
      ...this.projection,
      keys: (event) => {
        const all = this.projection.keys(event);
        if (all.some((key) => !this.keys.has(key))) this.#outside.add(event.stream);
        return all.filter((key) => this.keys.has(key));
      },
    };
    const known = (key: string) => this.rows.get(key) ?? null;
    const folded = foldBatch({ projection: narrowed, events, known, parked: this.parked });
    for (const entry of folded.parked.values())
      if (entry.error !== '') throw new Error(`${entry.stream}: ${entry.error}`);
    for (const [key, row] of folded.changed) this.rows.set(key, row);
  }
}

async function replaceRows(client: Client, target: Target, rows: Map<string, Row | null>): Promise<void> {
  const gone = [...rows].filter(([, row]) => row === null).map(([key]) => key);
  await client.query(`delete from ${inBuild(target.table)} where id = any($1::text[])`, [gone]);
  await client.query(writeRows(target, 'upsert', '$1'), [asJson(rows)]);
}

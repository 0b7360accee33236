/** Builds read models anew beside the ones in use, catches up with them, and takes their place in one short moment. */
import { setTimeout as pause } from 'node:timers/promises';
import { comparePositions, START, type Position } from '@quarterdeck/events';
import type { EventStore } from '@quarterdeck/events/store';
import { Client } from 'pg';
import type { AnyProjection } from '../define-projection';
import { Build } from './build';
import { liveState, readCheckpoints, refuseNewer, whileHeld } from './checkpoints';
import { isLockTimeout } from './faults';
import { logPages } from './log-pages';
import { AREA, newTable, pointView, REBUILD_LOCK, sweep } from './schema';
import { createIndexes, inBuild, type Target } from './tables';

export interface RebuildProgress {
  projections: string[];
  position: Position;
  /** Where the rebuild is heading for. */
  goal: Position;
  events: number;
  eventsPerSecond: number;
}

export interface RebuildOptions {
  connectionString: string;
  store: EventStore;
  /** Those to be rebuilt, all in one pass over the log. Called once nobody else can rebuild. */
  choose: (client: Client) => Promise<AnyProjection[]> | AnyProjection[];
  onProgress?: (progress: RebuildProgress) => void;
  /** Rows of a projection that are held in memory before they are written. */
  residentRows?: number;
  signal?: AbortSignal;
}

export interface RebuildResult {
  projections: string[];
  position: Position;
  events: number;
  durationMs: number;
  /** How long live batches had to wait for the swap. */
  heldMs: number;
  /** Streams that could not be folded, over all projections. */
  parked: number;
}

export class RebuildRefused extends Error {
  override name = 'RebuildRefused';
}

/** So few events are left that the rest can be folded while the live read models wait. */
const NEARLY_THERE = 500;
const SWAP_TRIES = 50;

export async function rebuild(options: RebuildOptions): Promise<RebuildResult> {
  const client = new Client({
    connectionString: options.connectionString,
    application_name: 'quarterdeck rebuild',
    keepAlive: true,
  });
  // A lost connection fails the query in hand; the event alone must not end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ mine: boolean }>(
      `select pg_try_advisory_lock(${AREA}, ${REBUILD_LOCK}) as mine`,
    );
    if (!rows[0]?.mine) throw new RebuildRefused('a rebuild is under way already; wait for it to end');
    await client.query('set synchronous_commit = off');
    await sweep(client);
    try {
      return await buildAndSwap(client, options, await options.choose(client));
    } finally {
      await sweep(client).catch(() => undefined);
    }
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function buildAndSwap(
  client: Client,
  options: RebuildOptions,
  projections: AnyProjection[],
): Promise<RebuildResult> {
  const began = performance.now();
  const names = projections.map(({ name }) => name);
  if (projections.length === 0)
    return { projections: names, position: START, events: 0, durationMs: 0, heldMs: 0, parked: 0 };
  refuseNewer(await readCheckpoints(client), projections);
  const targets: Target[] = [];
  for (const projection of projections) targets.push(await newTable(client, projection));
  const build = new Build(client, targets, { residentRows: options.residentRows });
  let events = 0;
  const foldUpTo = async (goal: Position) => {
    let folded = 0;
    for await (const page of logPages(options.store, { after: build.position, upTo: goal })) {
      options.signal?.throwIfAborted();
      await build.apply(page);
      folded += page.length;
      events += page.length;
      const eventsPerSecond = Math.round(events / ((performance.now() - began) / 1000));
      options.onProgress?.({ projections: names, position: build.position, goal, events, eventsPerSecond });
    }
    await build.flush();
    return folded;
  };
  await foldUpTo(await goalOf(client, options.store));
  for (const target of targets) {
    for (const index of createIndexes(target)) await client.query(index);
    await client.query(`analyze ${inBuild(target.table)}`);
  }
  while ((await foldUpTo(await goalOf(client, options.store))) > NEARLY_THERE)
    options.signal?.throwIfAborted();
  for (let attempt = 1; ; attempt += 1) {
    options.signal?.throwIfAborted();
    const { swapped, heldMs } = await trySwap(client, build, foldUpTo);
    if (swapped) {
      const durationMs = performance.now() - began;
      return {
        projections: names,
        position: build.position,
        events,
        durationMs,
        heldMs,
        parked: build.parked.length,
      };
    }
    if (attempt === SWAP_TRIES)
      throw new Error('the read models are in use all the time; the rebuild gave up');
    await pause(100);
    await foldUpTo(await goalOf(client, options.store));
  }
}

/** Never past the live read models: tables swapped in must not be ahead of the others. */
async function goalOf(client: Client, store: EventStore): Promise<Position> {
  const { rows } = await client.query<{ position: Position | null }>(liveState);
  return rows[0]?.position ?? (await store.head());
}

async function trySwap(
  client: Client,
  build: Build,
  foldUpTo: (goal: Position) => Promise<number>,
): Promise<{ swapped: boolean; heldMs: number }> {
  const began = performance.now();
  try {
    const swapped = await whileHeld(client, async (live) => {
      const goal = live ?? build.position;
      // Postgres crashed and took the last moments of the live tables back: they will pass here again.
      if (comparePositions(goal, build.position) < 0) return false;
      await foldUpTo(goal);
      return swap(client, build, goal);
    });
    return { swapped, heldMs: performance.now() - began };
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    return { swapped: false, heldMs: performance.now() - began };
  }
}

/** Readers in the way: what was folded stays, the swap is tried again later. */
async function swap(client: Client, build: Build, position: Position): Promise<boolean> {
  await client.query(`savepoint swap; set local lock_timeout = '200ms'`);
  try {
    for (const target of build.targets) await pointView(client, target);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    await client.query('rollback to savepoint swap');
    return false;
  }
  for (const { projection, table } of build.targets)
    await client.query(
      `update read.checkpoints set version = $2, source = $3, position = $4, state = 'live', updated_at = clock_timestamp()
       where projection = $1`,
      [projection.name, projection.version, table, position],
    );
  await client.query('delete from read.parked where projection = any($1)', [
    build.targets.map(({ projection }) => projection.name),
  ]);
  await client.query(
    `insert into read.parked (projection, stream, position, type, error, skipped)
     select * from jsonb_to_recordset($1::jsonb)
       as p(projection text, stream text, position bigint, type text, error text, skipped bigint)`,
    [JSON.stringify(build.parked)],
  );
  return true;
}

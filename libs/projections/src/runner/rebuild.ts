/** Builds new tables beside the live ones, catches up with them, and swaps them in one short transaction. */
import { setTimeout as pause } from 'node:timers/promises';
import { comparePositions, START, type Position } from '@quarterdeck/events';
import type { EventStore } from '@quarterdeck/log/store';
import type { Client } from 'pg';
import type { AnyProjection } from '../define-projection';
import type { MaintenanceProgress } from '../superadmin';
import { Build, latest, type Goals } from './build';
import { moveLive, readCheckpoints, readPlaces, refuseNewer, whileHeld } from './checkpoints';
import { isLockTimeout } from './faults';
import { laneOf, LANES, otherThan, type LaneName, type Places } from './lanes';
import { connected, Pace, underMaintenanceLock } from './maintenance-lock';
import { indexMeanwhile } from './meanwhile';
import { newTable, pointView, sweep } from './schema';
import { autovacuum, createIndexes, finishTable, type Target } from './tables';

export interface RebuildOptions {
  connectionString: string;
  store: EventStore;
  /** Returns the read models to rebuild, in one pass over the log. Called when nobody else can rebuild. */
  choose: (client: Client) => Promise<AnyProjection[]> | AnyProjection[];
  onProgress?: (progress: MaintenanceProgress) => void;
  /** How many rows of a projection stay in memory before they are written. */
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
  /** Number of streams that could not be folded, in all projections. */
  parked: number;
}

/** If no more than this many events are left, they are folded while the live read models wait. */
const NEARLY_THERE = 500;
const SWAP_TRIES = 50;
/** Pages are small: folding one blocks the process, which may also have to answer calls. */
const PAGE = 1_000;

/** Memory to build a trigram index over a million rows in one pass instead of many. */
const INDEX_MEMORY = '256MB';

const REFUSAL = 'a rebuild is already under way; wait for it to end';

/**
 * The first read models to go live set the position for all, so they take along every one that was never built from
 * this log.
 */
export async function withUnbuilt(
  client: Client,
  chosen: readonly AnyProjection[],
  all: readonly AnyProjection[],
): Promise<AnyProjection[]> {
  const stored = await readCheckpoints(client);
  if (stored.some(({ state }) => state === 'live')) return [...chosen];
  const unbuilt = new Set(stored.filter(({ version }) => version === 0).map((row) => row.projection));
  return all.filter((projection) => chosen.includes(projection) || unbuilt.has(projection.name));
}

/** @throws RebuildRefused */
export const rebuild = (options: RebuildOptions): Promise<RebuildResult> =>
  underMaintenanceLock(options.connectionString, REFUSAL, (client) => rebuildUnderLock(client, options));

/** @param client the connection that holds the lock */
export async function rebuildUnderLock(client: Client, options: RebuildOptions): Promise<RebuildResult> {
  await client.query('set synchronous_commit = off');
  // Drops what a killed rebuild left behind.
  await sweep(client);
  const built = new AbortController();
  let indexing: Promise<void> | undefined;
  try {
    const projections = await options.choose(client);
    indexing = indexMeanwhile(options.connectionString, projections, built.signal).catch(() => undefined);
    return await buildAndSwap(client, options, projections);
  } finally {
    built.abort();
    await indexing;
    await sweep(client).catch(() => undefined);
  }
}

async function buildAndSwap(
  client: Client,
  options: RebuildOptions,
  projections: AnyProjection[],
): Promise<RebuildResult> {
  const names = projections.map(({ name }) => name);
  if (projections.length === 0)
    return { projections: names, position: START, events: 0, durationMs: 0, heldMs: 0, parked: 0 };
  refuseNewer(await readCheckpoints(client), projections);
  const targets: Target[] = [];
  for (const projection of projections) {
    const target = await newTable(client, projection);
    // Autovacuum would repeatedly scan rows that are still being copied, and delay the indexes.
    await client.query(autovacuum(target, 'off'));
    targets.push(target);
  }
  const build = new Build(client, targets, { residentRows: options.residentRows });
  const of = { kind: 'rebuild', projections: names, store: options.store } as const;
  const pace = new Pace((...write) => build.write(...write), of, options.onProgress);
  let phase: MaintenanceProgress['phase'] = 'folding';
  const foldUpTo = async (goals: Goals) => {
    const before = pace.events;
    const goal = latest(goals);
    await pace.tell(phase, latest(build.reached), goal, before === 0);
    try {
      for await (const page of options.store.readOn(build.complete, { upTo: goal, size: PAGE })) {
        options.signal?.throwIfAborted();
        await build.apply(page, goals);
        pace.folded(page.length);
        await pace.tell(phase, latest(build.reached), goal);
      }
      await build.flush();
    } finally {
      await build.settled();
    }
    return pace.events - before;
  };
  await foldUpTo(await goalsOf(client, options.store));
  await pace.tell('indexing', latest(build.reached), latest(build.reached), true);
  await build.settled();
  await index(client, targets, options);
  phase = 'catchingUp';
  while ((await foldUpTo(await goalsOf(client, options.store))) > NEARLY_THERE)
    options.signal?.throwIfAborted();
  for (let attempt = 1; ; attempt += 1) {
    options.signal?.throwIfAborted();
    const { swapped, heldMs } = await trySwap(client, build, foldUpTo);
    if (swapped) {
      return {
        projections: names,
        position: latest(build.reached),
        events: pace.events,
        durationMs: pace.elapsedMs,
        heldMs,
        parked: build.parked.length,
      };
    }
    if (attempt === SWAP_TRIES)
      throw new Error('the read models were in use all the time; the rebuild gave up');
    await pause(100);
    await foldUpTo(await goalsOf(client, options.store));
  }
}

/**
 * Uses two connections, with one Postgres process each. Parallel workers for a single index would cost a quarter more
 * CPU time, and one of them would still build the last part of each index alone.
 */
async function index(client: Client, targets: readonly Target[], options: RebuildOptions): Promise<void> {
  const helper = await connected(options.connectionString);
  const leave = (): void => void helper.end().catch(() => undefined);
  // If the process stops, the main connection ends. Close the helper too.
  client.once('end', leave);
  try {
    const clients = [client, helper];
    for (const one of clients)
      await one.query(
        `set maintenance_work_mem = '${INDEX_MEMORY}'; set max_parallel_maintenance_workers = 0`,
      );
    const perform = async (work: string[][]) => {
      const workers = clients.map(async (one) => {
        for (let next = work.shift(); next; next = work.shift())
          for (const statement of next) {
            options.signal?.throwIfAborted();
            await one.query(statement);
          }
      });
      // If one of them fails, the other still finishes its statement.
      await Promise.allSettled(workers);
      await Promise.all(workers);
    };
    // Start with the slowest: the history is the last read model, and its text index is the last of its indexes.
    const indexes = targets.flatMap(createIndexes).map((statement) => [statement]);
    await perform(indexes.toReversed());
    await perform(targets.map(finishTable).toReversed());
  } finally {
    client.off('end', leave);
    await helper.end().catch(() => undefined);
  }
}

/** Never beyond the live read models: swapped-in tables must not be ahead of the others. */
async function goalsOf(client: Client, store: EventStore): Promise<Goals> {
  const head = await store.head();
  return goalsAt(await readPlaces(client), { now: head, later: head });
}

/** A lane in which nothing is live begins where the other one is. */
const goalsAt = (places: Places, otherwise: Goals): Goals => {
  const goal = (lane: LaneName) => places[lane] ?? places[otherThan(lane)] ?? otherwise[lane];
  return { now: goal('now'), later: goal('later') };
};

async function trySwap(
  client: Client,
  build: Build,
  foldUpTo: (goals: Goals) => Promise<number>,
): Promise<{ swapped: boolean; heldMs: number }> {
  const began = performance.now();
  try {
    const swapped = await whileHeld(client, async (places) => {
      const goals = goalsAt(places, build.reached);
      // Postgres crashed and the live tables lost their last batches. They will reach this position again.
      if (LANES.some((lane) => comparePositions(goals[lane], build.reached[lane]) < 0)) return false;
      await foldUpTo(goals);
      return swap(client, build, goals);
    });
    return { swapped, heldMs: performance.now() - began };
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    return { swapped: false, heldMs: performance.now() - began };
  }
}

/** If readers are in the way, the folded rows stay and the swap is tried again later. */
async function swap(client: Client, build: Build, goals: Goals): Promise<boolean> {
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
      `update read.checkpoints set version = $2, source = $3, position = $4, state = 'frozen', follows = $5, later = $6,
         updated_at = clock_timestamp()
       where projection = $1`,
      [
        projection.name,
        projection.version,
        table,
        goals[laneOf(projection)],
        laneOf(projection) === 'now',
        laneOf(projection) === 'later',
      ],
    );
  const lanes = new Set(build.targets.map(({ projection }) => laneOf(projection)));
  for (const lane of lanes) await moveLive(client, lane, goals[lane]);
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

/** Checkpoints of the tables. All live tables have the same fence, and those of a lane the same position: `read.live` has them. */
import { comparePositions, START, type Position } from '@quarterdeck/events';
import type pg from 'pg';
import type { AnyProjection } from '../define-projection';
import { laneOf, LANES, type LaneName, type Places } from './lanes';
import { AREA, LEADER_LOCK, PLACES, tellPosition } from './schema';
import type { Target } from './tables';

export interface Checkpoint {
  projection: string;
  version: number;
  source: string;
  position: Position;
  /** `frozen`: not updated until it is rebuilt. Readers still see it. */
  state: 'live' | 'frozen';
  fence: string;
  eventAt: Date | null;
  updatedAt: Date;
  /** Null for one that is not live, or that an earlier version made. */
  lane: LaneName | null;
}

/** The state that a leader starts from. */
export interface Lead {
  targets: Readonly<Record<LaneName, readonly Target[]>>;
  places: Places;
  /** Undefined if nothing is live. */
  fence: string | undefined;
  /** Streams that are set aside, by projection. */
  parked: Map<string, Set<string>>;
}

/** The read models follow the log at its new place. A process that still has the old log must not write to them. */
export class LogMovedOn extends Error {
  override name = 'LogMovedOn';
  constructor() {
    super('the event log has moved and the read models have followed; restart this process');
  }
}

/** A newer program made the tables. An older one must not write to them. */
export class NewerTables extends Error {
  override name = 'NewerTables';
}

const SELECT = `select projection, version, source, position, state, fence, event_at as "eventAt",
    updated_at as "updatedAt", lane
  from read.places order by projection`;

export const readCheckpoints = async (client: pg.Pool | pg.ClientBase): Promise<Checkpoint[]> =>
  (await client.query<Checkpoint>(SELECT)).rows;

export const liveState = `select ${PLACES}, max(fence) as fence from read.places where state = 'live'`;

type LiveState = Record<LaneName, Position | null> & { fence: string | null };

export async function readPlaces(client: pg.Pool | pg.ClientBase): Promise<Places> {
  const { rows } = await client.query<LiveState>(liveState);
  return { now: rows[0]?.now ?? undefined, later: rows[0]?.later ?? undefined };
}

export const tryLead = `select pg_try_advisory_lock(${AREA}, ${LEADER_LOCK}) as leads`;
export const stopLeading = `select pg_advisory_unlock(${AREA}, ${LEADER_LOCK})`;

/** Waits for the current batch, and holds back the next one until the transaction ends. */
export const holdCheckpoints = `lock table read.checkpoints, read.live in share row exclusive mode`;

/** Afterwards, a leader with an older fence cannot write any more, and restarts from the stored state. */
export async function drawFence(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ fence: string }>(
    `with drawn as (select nextval('read_build.fence_number') as fence),
       moved as (update read.live set fence = (select fence from drawn)),
       -- Those of a leader of an earlier version.
       earlier as (update read.checkpoints set fence = (select fence from drawn) where state = 'live')
     select fence from drawn`,
  );
  return rows[0]?.fence ?? '';
}

export async function readParked(client: pg.ClientBase): Promise<Map<string, Set<string>>> {
  const { rows } = await client.query<{ projection: string; stream: string }>(
    'select projection, stream from read.parked',
  );
  const parked = new Map<string, Set<string>>();
  for (const { projection, stream } of rows) {
    const streams = parked.get(projection) ?? new Set<string>();
    parked.set(projection, streams.add(stream));
  }
  return parked;
}

export async function inTransaction<T>(
  client: pg.ClientBase,
  body: () => Promise<T>,
  begin = 'begin',
): Promise<T> {
  await client.query(begin);
  try {
    const result = await body();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

export function refuseNewer(stored: readonly Checkpoint[], projections: readonly AnyProjection[]): void {
  for (const { name, version } of projections) {
    const found = stored.find(({ projection }) => projection === name)?.version ?? version;
    if (found > version)
      throw new NewerTables(`read model ${name} has version ${found}, this program writes ${version}`);
  }
}

/** From here on, the read models that are kept have the positions of `read.live`. */
async function freezeOthers(
  client: pg.ClientBase,
  kept: Readonly<Record<LaneName, readonly Checkpoint[]>>,
  places: Places,
): Promise<void> {
  const namesOf = (lane: LaneName) => kept[lane].map(({ projection }) => projection);
  await client.query(
    `update read.checkpoints c set state = 'frozen', follows = false, later = false, position = p.position
     from read.places p where p.projection = c.projection and p.state = 'live' and c.projection <> all($1)`,
    [LANES.flatMap(namesOf)],
  );
  for (const lane of LANES) {
    await putInLane(client, lane, namesOf(lane));
    if (kept[lane].length > 0) await moveLive(client, lane, places[lane] ?? START);
  }
}

/** Their own state says frozen, so that a program of an earlier version rebuilds them. */
const putInLane = async (client: pg.ClientBase, lane: LaneName, names: readonly string[]): Promise<void> => {
  await client.query(
    `update read.checkpoints set state = 'frozen', follows = $2, later = $3
     where projection = any($1) and (follows, later) is distinct from ($2, $3)`,
    [names, lane === 'now', lane === 'later'],
  );
};

/** Columns of `read.live`. */
export const COLUMNS: Readonly<Record<LaneName, { position: string; eventAt: string; updatedAt: string }>> = {
  now: { position: 'position', eventAt: 'event_at', updatedAt: 'updated_at' },
  later: { position: 'later_position', eventAt: 'later_event_at', updatedAt: 'later_updated_at' },
};

/** Has an effect after a leader of an earlier version, and for the first read models of a lane that go live. */
export const moveLive = async (client: pg.ClientBase, lane: LaneName, position: Position): Promise<void> => {
  const { position: column, updatedAt } = COLUMNS[lane];
  await client.query(
    `update read.live set ${column} = $1, ${updatedAt} = clock_timestamp() where ${column} <> $1::bigint`,
    [position],
  );
};

/** Takes over all live read models, and freezes those that this program does not define in exactly that version. */
export const takeLead = (
  client: pg.ClientBase,
  projections: readonly AnyProjection[],
  mayLead: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<Lead> =>
  inTransaction(client, async () => {
    await client.query(holdCheckpoints);
    if (!(await mayLead())) throw new LogMovedOn();
    const byName = new Map(projections.map((projection) => [projection.name, projection]));
    const stored = await readCheckpoints(client);
    refuseNewer(stored, projections);
    const live = stored.filter((row) => row.state === 'live');
    /** Those that belong to a lane by their definition. An earlier version kept all of them in one. */
    const of = (lane: LaneName) =>
      live.filter((row) => {
        const projection = byName.get(row.projection);
        return (projection ? laneOf(projection) : row.lane) === lane;
      });
    const last = (lane: LaneName) =>
      of(lane)
        .map((row) => row.position)
        .sort(comparePositions)
        .at(-1);
    const keptOf = (lane: LaneName) =>
      of(lane).filter(
        (row) => row.version === byName.get(row.projection)?.version && row.position === last(lane),
      );
    const kept = { now: keptOf('now'), later: keptOf('later') };
    const targetsOf = (lane: LaneName) =>
      kept[lane].map((row) => ({
        projection: byName.get(row.projection) as AnyProjection,
        table: row.source,
      }));
    const places: Places = {
      now: kept.now.length > 0 ? last('now') : undefined,
      later: kept.later.length > 0 ? last('later') : undefined,
    };
    await freezeOthers(client, kept, places);
    const fence = await drawFence(client);
    const parked = await readParked(client);
    const targets = { now: targetsOf('now'), later: targetsOf('later') };
    const anything = places.now !== undefined || places.later !== undefined;
    return { targets, places, fence: anything ? fence : undefined, parked };
  });

/**
 * Runs `body` while no live batch can begin, at the positions of the live read models. Then it makes the leader reload
 * its state (unless `body` returns false). Fails with a lock time-out, and without effect, if somebody holds the lock.
 */
export const whileHeld = <T>(client: pg.ClientBase, body: (places: Places) => Promise<T>): Promise<T> =>
  inTransaction(client, async () => {
    await client.query(`set local lock_timeout = '500ms'`);
    await client.query(holdCheckpoints);
    await client.query('set local lock_timeout = 0');
    const result = await body(await readPlaces(client));
    if (result === false) return result;
    await drawFence(client);
    await client.query(tellPosition);
    return result;
  });

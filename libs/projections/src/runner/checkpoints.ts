/** Checkpoints of the tables. All live tables have the same position and the same fence: those of `read.live`. */
import { comparePositions, START, type Position } from '@quarterdeck/events';
import type pg from 'pg';
import type { AnyProjection } from '../define-projection';
import { AREA, LEADER_LOCK, tellPosition } from './schema';
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
}

/** The state that a leader starts from. */
export interface Lead {
  targets: Target[];
  /** Undefined if nothing is live. */
  position: Position | undefined;
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

const SELECT = `select projection, version, source, position, state, fence, event_at as "eventAt", updated_at as "updatedAt"
  from read.positions order by projection`;

export const readCheckpoints = async (client: pg.Pool | pg.ClientBase): Promise<Checkpoint[]> =>
  (await client.query<Checkpoint>(SELECT)).rows;

export const liveState = `select max(position) as position, max(fence) as fence from read.positions where state = 'live'`;

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

/** From here on, the read models that are kept have the position of `read.live`. */
async function freezeOthers(
  client: pg.ClientBase,
  kept: readonly Checkpoint[],
  position: Position | undefined,
): Promise<void> {
  const names = kept.map(({ projection }) => projection);
  await client.query(
    `update read.checkpoints c set state = 'frozen', follows = false, position = p.position
     from read.positions p where p.projection = c.projection and p.state = 'live' and c.projection <> all($1)`,
    [names],
  );
  await client.query(
    `update read.checkpoints set state = 'frozen', follows = true where projection = any($1) and not follows`,
    [names],
  );
  if (kept.length > 0) await moveLive(client, position ?? START);
}

/** Has an effect after a leader of an earlier version, and for the first read models that go live. */
export const moveLive = async (client: pg.ClientBase, position: Position): Promise<void> => {
  await client.query(
    `update read.live set position = $1, updated_at = clock_timestamp() where position <> $1::bigint`,
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
    const position = live
      .map((row) => row.position)
      .sort(comparePositions)
      .at(-1);
    const kept = live.filter(
      (row) => row.version === byName.get(row.projection)?.version && row.position === position,
    );
    const targets = kept.map((row) => ({
      projection: byName.get(row.projection) as AnyProjection,
      table: row.source,
    }));
    await freezeOthers(client, kept, position);
    const fence = await drawFence(client);
    const parked = await readParked(client);
    return kept.length > 0
      ? { targets, position, fence, parked }
      : { targets, position: undefined, fence: undefined, parked };
  });

/**
 * Runs `body` while no live batch can begin, at the position of the live read models. Then it makes the leader reload
 * its state (unless `body` returns false). Fails with a lock time-out, and without effect, if somebody holds the lock.
 */
export const whileHeld = <T>(
  client: pg.ClientBase,
  body: (position: Position | undefined) => Promise<T>,
): Promise<T> =>
  inTransaction(client, async () => {
    await client.query(`set local lock_timeout = '500ms'`);
    await client.query(holdCheckpoints);
    await client.query('set local lock_timeout = 0');
    const { rows } = await client.query<{ position: Position | null }>(liveState);
    const result = await body(rows[0]?.position ?? undefined);
    if (result === false) return result;
    await drawFence(client);
    await client.query(tellPosition);
    return result;
  });

/** Schema `read` has the views that everybody reads. Schema `read_build` has the tables behind them. */
import type pg from 'pg';
import type { AnyProjection } from '../define-projection';
import {
  createIndexes,
  createTable,
  createView,
  inBuild,
  planStatistics,
  viewOf,
  type Target,
} from './tables';

/** Advisory locks of the read models, as `(AREA, lock)`. */
export const AREA = 0x7164;
export const LEADER_LOCK = 1;
export const REBUILD_LOCK = 2;
const SCHEMA_LOCK = 3;

/** Notifies other processes of the position that the read models have reached, each time it advances. */
export const PROJECTED_CHANNEL = 'projected';
/** The same for those that follow later. */
export const PROJECTED_LATER_CHANNEL = 'projected_later';

/** The positions of the lanes. */
export const PLACES = `max(position) filter (where lane is distinct from 'later') as now,
  max(position) filter (where lane = 'later') as later`;
export const tellPosition = `
  select pg_notify('${PROJECTED_CHANNEL}', now::text), pg_notify('${PROJECTED_LATER_CHANNEL}', later::text)
  from (select ${PLACES} from read.places where state = 'live') p`;

/**
 * All live read models of a lane have one position, in the row of `read.live`: what an event costs does not grow with
 * their number. It advances only while `fence` and that position are as the leader left them. Anybody else who changes the
 * leader's state (a swap, a retry, another leader) draws a new fence.
 *
 * A checkpoint that `follows` is live, in the lane of `later` if that is set instead. Its own state says otherwise, so that a program of an earlier version, which kept
 * a position in each checkpoint, rebuilds the read model instead of continuing from an old position.
 */
const BASE = `
create schema if not exists read;
create schema if not exists read_build;
create extension if not exists pg_trgm;
create extension if not exists btree_gin;
create sequence if not exists read_build.fence_number;
create sequence if not exists read_build.table_number;
create table if not exists read.checkpoints (
  projection text primary key,
  version integer not null,
  source text not null,
  position bigint not null,
  state text not null check (state in ('live', 'frozen')),
  fence bigint not null default 0,
  event_at timestamptz,
  updated_at timestamptz not null default clock_timestamp()
) with (fillfactor = 20);
create table if not exists read.live (
  sole boolean primary key default true check (sole),
  position bigint not null default 0,
  fence bigint not null default 0,
  event_at timestamptz,
  updated_at timestamptz not null default clock_timestamp()
) with (fillfactor = 20);
insert into read.live default values on conflict do nothing;
do $$ begin
  -- Without a lock on the table, which would wait for others, if the column is there.
  if not exists (select from pg_attribute where attrelid = 'read.checkpoints'::regclass and attname = 'follows') then
    alter table read.checkpoints add column follows boolean not null default false;
  end if;
  if not exists (select from pg_attribute where attrelid = 'read.checkpoints'::regclass and attname = 'later') then
    alter table read.checkpoints add column later boolean not null default false;
    alter table read.live add column later_position bigint not null default 0, add column later_event_at timestamptz,
      add column later_updated_at timestamptz not null default clock_timestamp();
  end if;
end $$;
-- An earlier version has read.positions, which knows one lane.
create or replace view read.places as
  select c.projection, c.version, c.source,
    case when c.follows then l.position when c.later then l.later_position else c.position end as position,
    case when c.follows or c.later then 'live' else c.state end as state,
    case when c.follows or c.later then l.fence else c.fence end as fence,
    case when c.follows then l.event_at when c.later then l.later_event_at else c.event_at end as event_at,
    case when c.follows then l.updated_at when c.later then l.later_updated_at else c.updated_at end as updated_at,
    case when c.follows then 'now' when c.later then 'later' end as lane
  from read.checkpoints c left join read.live l on true;
create table if not exists read.parked (
  projection text not null,
  stream text not null,
  position bigint not null,
  type text not null,
  error text not null,
  skipped bigint not null default 0,
  attempts integer not null default 1,
  parked_at timestamptz not null default clock_timestamp(),
  primary key (projection, stream)
);
create table if not exists read.maintenance (
  sole boolean primary key default true check (sole),
  pid integer not null,
  progress jsonb not null,
  told_at timestamptz not null default clock_timestamp()
);
-- The log that the read models are built from.
create table if not exists read.log (sole boolean primary key default true check (sole), id uuid not null);
-- The event with which it came to the place where positions are as in the read models; null where it never moved.
alter table read.log add column if not exists home uuid;`;

const RESERVED = ['checkpoints', 'live', 'places', 'positions', 'parked', 'maintenance', 'log'];

/**
 * Creates what is missing. A projection that was never built gets an empty table, so that readers do not fail.
 * @param nothingToFold called for a new database: if the log is new too, the empty tables need no rebuild
 */
export async function ensureSchema(
  db: pg.Pool,
  projections: readonly AnyProjection[],
  nothingToFold: () => Promise<boolean> = () => Promise.resolve(false),
): Promise<void> {
  const client = await db.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1, $2)', [AREA, SCHEMA_LOCK]);
    await client.query(BASE);
    const { rows } = await client.query<{ projection: string }>('select projection from read.checkpoints');
    const known = new Set(rows.map((row) => row.projection));
    const add = known.size === 0 && (await nothingToFold()) ? addBuilt : addEmpty;
    for (const projection of projections) if (!known.has(projection.name)) await add(client, projection);
    await client.query('commit');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

const addEmpty = (client: pg.ClientBase, projection: AnyProjection): Promise<Target> =>
  addTable(client, projection, 0, 'frozen');

async function addBuilt(client: pg.ClientBase, projection: AnyProjection): Promise<Target> {
  const target = await addTable(client, projection, projection.version, 'live');
  for (const statement of [...createIndexes(target), ...planStatistics(target)])
    await client.query(statement);
  return target;
}

async function addTable(
  client: pg.ClientBase,
  projection: AnyProjection,
  version: number,
  state: 'live' | 'frozen',
): Promise<Target> {
  if (RESERVED.includes(projection.name)) throw new Error(`a projection cannot be called ${projection.name}`);
  const target = await newTable(client, projection, version);
  await client.query(createView(target, 'create or replace'));
  await client.query(
    `insert into read.checkpoints (projection, version, source, position, state) values ($1, $2, $3, 0, $4)`,
    [projection.name, version, target.table, state],
  );
  return target;
}

export async function newTable(
  client: pg.ClientBase,
  projection: AnyProjection,
  version = projection.version,
): Promise<Target> {
  const { rows } = await client.query<{ n: string }>(`select nextval('read_build.table_number') as n`);
  const target = { projection, table: `${projection.name}_v${version}_${rows[0]?.n}` };
  await client.query(createTable(target));
  return target;
}

/** Points the view at another table, in a transaction: readers see either the old or the new one. */
export async function pointView(client: pg.ClientBase, target: Target): Promise<void> {
  await client.query('savepoint pointing');
  try {
    await client.query(createView(target, 'create or replace'));
  } catch (error) {
    // `create or replace view` can only add columns at the end. Any other change needs a new view.
    if ((error as { code?: string }).code !== '42P16') throw error;
    await client.query('rollback to savepoint pointing');
    await client.query(`drop view ${viewOf(target.projection)}`);
    await client.query(createView(target, 'create'));
  }
}

/**
 * Drops tables that no checkpoint refers to. Only under the rebuild lock, which guarantees that nobody is filling one.
 */
export async function sweep(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'read_build' and c.relkind = 'r'
       and c.relname not in (select source from read.checkpoints)`,
  );
  for (const { name } of rows) {
    // A long read may still hold the table. Then the next rebuild drops it.
    await client.query(`set lock_timeout = '2s'`);
    await client.query(`drop table if exists ${inBuild(name)}`).catch(() => undefined);
    await client.query('reset lock_timeout');
  }
}

/**
 * Read models. Floor: the bare driver reads the same log in pages and upserts the same rows in batches, with a
 * checkpoint in the same transaction, all rows in memory, no leader, no fence, and a fold that is a mere spread. Ours:
 * the whole runner on the interface of the event store.
 */
import { Client, Pool } from 'pg';
import { v7 as uuid } from 'uuid';
import type { AppEvent, NewEvent } from '@quarterdeck/events';
import type { EventStore } from '@quarterdeck/log/store';
import { history, projections, servers, type AnyProjection } from '@quarterdeck/projections';
import { ensureSchema, ProjectionRunner } from '@quarterdeck/projections/runner';
import { openLog } from '../testing/log';
import { Costs } from './costs';
import { withDurablePostgres } from './durable-postgres';
import { compare, amountOf, finish, percentile, state, turnsOf, type Line } from './harness';

const EVENTS = amountOf(100_000);
const STREAMS = 1_000;
const TURNS = turnsOf(5);
const PAGE = 1_000;
const SINGLES = 300;
const WORKSPACE = uuid();

const newEvent = (event: AppEvent): NewEvent => {
  const id = uuid();
  const at = new Date().toISOString();
  return {
    ...event,
    meta: { id, at, actor: id, workspace: WORKSPACE, correlationId: id, causationId: id, v: '1' },
  };
};
const registered = (alias: string): NewEvent =>
  newEvent({
    type: 'ServerRegistered',
    data: {
      alias,
      host: '10.0.0.12',
      port: 22,
      username: 'root',
      root: '/root',
      path: '/root/volumes/static',
      nginxPath: '/root/volumes/nginx_config',
      key: {
        ref: uuid(),
        fingerprint: 'SHA256:47DEQpj8HBSaTImW5JCeuQeRkm5NMpJWZG3hSuFU00',
        algorithm: 'ssh-ed25519',
      },
    },
  });
const renamed = (alias: string): NewEvent => newEvent({ type: 'ServerRenamed', data: { alias } });

/** Alternates between streams, as operators do. */
async function fillLog(store: EventStore): Promise<void> {
  const streams = Array.from({ length: STREAMS }, () => `server-${uuid()}`);
  const each = EVENTS / STREAMS / 10;
  for (let round = 0; round < 10; round += 1)
    for (let at = 0; at < STREAMS; at += 100)
      await Promise.all(
        streams.slice(at, at + 100).map((stream) => {
          const events = Array.from({ length: each }, (_, n) =>
            round + n === 0 ? registered('new') : renamed(`s${round}-${n}`),
          );
          return store.append(stream, events, round === 0 ? 'no_stream' : round * each - 1);
        }),
      );
}

interface FloorEvent {
  position: string;
  stream: string;
  revision: string;
  data: object;
  meta: { at: string; actor: string };
}

const FLOOR = `drop table if exists floor_rows, floor_checkpoint;
create table floor_rows (id text collate "C" primary key, workspace text not null, position bigint not null, view jsonb not null, alias text, host text);
create index on floor_rows (workspace, lower(alias));
create table floor_checkpoint (position bigint not null);
insert into floor_checkpoint values (0)`;
const FLOOR_WRITE = `with moved as (update floor_checkpoint set position = $2::bigint), told as (select pg_notify('floor', $2::text))
insert into floor_rows select r.id, r.workspace, r.position, r.view, r.view->>'alias', r.view->>'host'
from jsonb_to_recordset($1::jsonb) as r(id text, workspace text, position bigint, view jsonb), told
on conflict (id) do update set position = excluded.position, view = excluded.view, alias = excluded.alias, host = excluded.host`;

async function floorCatchUp(url: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`${FLOOR}; set synchronous_commit = off`);
  const rows = new Map<string, object>();
  const began = performance.now();
  for (let after = '0'; ;) {
    const page = await client.query<FloorEvent>({
      name: 'read',
      text: 'select position, stream, revision, data, meta from log.events where position > $1 order by position limit $2',
      values: [after, PAGE],
    });
    if (page.rows.length === 0) break;
    const touched = new Map<string, { id: string; workspace: string; position: string; view: object }>();
    for (const { position, stream, revision, data, meta } of page.rows) {
      const view = {
        ...rows.get(stream),
        ...data,
        changedAt: meta.at,
        changedBy: meta.actor,
        revision,
        position,
      };
      rows.set(stream, view);
      touched.set(stream, { id: stream, workspace: WORKSPACE, position, view });
      after = position;
    }
    await client.query({
      name: 'write',
      text: FLOOR_WRITE,
      values: [JSON.stringify([...touched.values()]), after],
    });
  }
  const rate = EVENTS / ((performance.now() - began) / 1000);
  await client.end();
  return rate;
}

async function floorSingle(url: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`${FLOOR}; set synchronous_commit = off`);
  const view = {
    ...(registered('x').data as object),
    changedAt: '',
    changedBy: '',
    revision: 0,
    position: '1',
  };
  const times: number[] = [];
  for (let n = 0; n < SINGLES; n += 1) {
    const row = { id: `server-${n % 50}`, workspace: WORKSPACE, position: String(n), view };
    const began = performance.now();
    await client.query({ name: 'write', text: FLOOR_WRITE, values: [JSON.stringify([row]), String(n)] });
    times.push(performance.now() - began);
  }
  await client.end();
  return percentile(times, 50);
}

interface Ours {
  pool: Pool;
  store: EventStore;
  runnerOf(projections: readonly AnyProjection[]): ProjectionRunner;
}

async function caughtUp(runner: ProjectionRunner, store: EventStore): Promise<void> {
  await runner.ready(120_000);
  const { position } = await store.append(`server-${uuid()}`, [registered('live')], 'no_stream');
  while (!(await runner.waitFor(position, 60_000)));
}

/** A leader that starts far behind: the rows are deleted, and the checkpoint is at the beginning. */
async function oursCatchUp({ pool, store, runnerOf }: Ours): Promise<number> {
  const { rows } = await pool.query<{ source: string }>(
    `select source from read.checkpoints where projection = 'servers'`,
  );
  await pool.query(`truncate read_build."${rows[0]?.source}"`);
  await pool.query('update read.live set position = 0');
  const head = await store.head();
  const runner = runnerOf([servers]);
  const began = performance.now();
  await runner.start();
  while (!(await runner.waitFor(head, 60_000)));
  const rate = Number(head) / ((performance.now() - began) / 1000);
  await runner.stop();
  return rate;
}

async function oursRebuild(runner: ProjectionRunner, which: string): Promise<number> {
  const { events, durationMs } = await runner.rebuild(which);
  return events / (durationMs / 1000);
}

let followed = 0;
/** From the answer of an append to the end of the wait for it. */
async function oursSingle(runner: ProjectionRunner, store: EventStore): Promise<number> {
  const streams = Array.from({ length: 50 }, () => `server-${uuid()}`);
  for (const stream of streams) await store.append(stream, [registered('a')], 'no_stream');
  const times: number[] = [];
  for (let n = 0; n < SINGLES; n += 1) {
    const { position } = await store.append(streams[n % 50]!, [renamed(`n${n}`)], Math.floor(n / 50));
    const began = performance.now();
    await runner.waitFor(position, 5_000);
    times.push(performance.now() - began);
    followed += 1;
  }
  return percentile(times, 50);
}

await withDurablePostgres(async (url) => {
  const lines: Line[] = [];
  const pool = new Pool({ connectionString: url, max: 4 });
  // The work in progress reports errors. Connections that end together with the server do not matter.
  pool.on('error', () => undefined);
  const store = await openLog(url);
  const runnerOf = (which: readonly AnyProjection[], lead = true) =>
    new ProjectionRunner({ db: pool, connectionString: url, store, projections: which, lead });
  await fillLog(store);
  const follower = runnerOf([servers]);
  await follower.start();
  await caughtUp(follower, store);
  const floor = { name: 'bare driver, read + batched upsert', turn: () => floorCatchUp(url) };

  const rebuilds: number[] = [];
  const rebuilt = async () => {
    const rate = await oursRebuild(follower, 'servers');
    rebuilds.push(rate);
    return rate;
  };
  lines.push(
    await compare({
      what: 'rebuild of one read model, 1,000 rows',
      unit: '/s',
      target: { atLeast: 0.5 },
      floor,
      turns: TURNS,
      ours: { name: 'ProjectionRunner.rebuild', turn: rebuilt },
    }),
    state(
      'the same, in figures',
      percentile(rebuilds, 50),
      { atLeast: 50_000 },
      `${Math.round(percentile(rebuilds, 50)).toLocaleString('en')} events/s, wanted >= 50,000`,
    ),
  );
  const costs = await Costs.of(url);
  lines.push(
    await compare({
      what: 'one event into its row, median',
      unit: 'ms',
      target: { atMost: 2 },
      turns: TURNS,
      floor: { name: 'bare driver, one upsert + NOTIFY', turn: () => floorSingle(url) },
      ours: costs.metered(
        { name: 'append answered -> wait over', turn: () => oursSingle(follower, store) },
        () => followed,
      ),
    }),
  );
  await costs.say();
  await follower.stop();
  lines.push(
    await compare({
      what: 'catch-up of a leader far behind',
      unit: '/s',
      target: { atLeast: 0.5 },
      floor,
      turns: TURNS,
      ours: { name: 'ProjectionRunner', turn: () => oursCatchUp({ pool, store, runnerOf }) },
    }),
  );

  // Not the leader, because a leader starts rebuilding missing read models on its own and then refuses this rebuild.
  await ensureSchema(pool, projections);
  const full = runnerOf(projections, false);
  for (const [what, name] of [
    ['history, one row an event', history.name],
    ['all read models in one pass', 'all'],
  ] as const) {
    const rate = await oursRebuild(full, name);
    console.log(`for information: rebuild of ${what}: ${Math.round(rate).toLocaleString('en')} events/s`);
  }
  await full.stop();
  await store.close();
  await pool.end();
  finish(lines);
});

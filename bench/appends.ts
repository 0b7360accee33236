/**
 * Durable appends of one event each. Floor: one INSERT and one COMMIT with the bare driver, into a minimal table: a
 * number, stream, type, data, meta, one index. Ours: `EventStore.append` through the whole interface: schema check,
 * codec, expected revision, unique ids and revisions, global order, hash chain, notification.
 */
import { Pool } from 'pg';
import { v7 as uuid } from 'uuid';
import type { NewEvent } from '@quarterdeck/events';
import type { EventStore } from '@quarterdeck/log/store';
import { openLog } from '../testing/log';
import { Costs } from './costs';
import { withDurablePostgres } from './durable-postgres';
import { callers, compare, finish, turnMsOf, turnsOf, type Line } from './harness';

const TURN_MS = turnMsOf(1_500);
const TURNS = turnsOf(5, 2);
const TARGETS = [
  { count: 1, atLeast: 0.95 },
  { count: 8, atLeast: 1.3 },
  { count: 32, atLeast: 2.5 },
  { count: 256, atLeast: 5 },
];
/** More connections made the floor slower on every machine we tried. We compare with its best. */
const FLOOR_CONNECTIONS = 16;
/** Events per stream, as in a short run. Then the caller starts the next stream. */
const STREAM_LENGTH = 10;

const event = (): NewEvent => {
  const id = uuid();
  return {
    type: 'ServerRegistered',
    data: {
      alias: 'web-1',
      host: '10.0.0.12',
      port: 22,
      username: 'root',
      root: '/root',
      path: '/root/volumes/static',
      nginxPath: '/root/volumes/nginx_config',
      key: {
        ref: id,
        fingerprint: 'SHA256:47DEQpj8HBSaTImW5JCeuQeRkm5NMpJWZG3hSuFU00',
        algorithm: 'ssh-ed25519',
      },
    },
    meta: {
      id,
      at: new Date().toISOString(),
      actor: id,
      workspace: id,
      correlationId: id,
      causationId: id,
      v: '1',
    },
  };
};

const FLOOR_TABLE = `create table floor_events (
  position bigint generated always as identity primary key,
  stream text not null, type text not null, data jsonb not null, meta jsonb not null)`;

function floorOf(pool: Pool, count: number) {
  return () =>
    callers(count, TURN_MS, () => {
      const { type, data, meta } = event();
      return pool.query({
        name: 'floor',
        text: 'insert into floor_events (stream, type, data, meta) values ($1, $2, $3, $4)',
        values: [`server-${meta.id}`, type, JSON.stringify(data), JSON.stringify(meta)],
      });
    });
}

let appended = 0;
function oursOf(store: EventStore, count: number) {
  return () => {
    const places = Array.from({ length: count }, () => ({ stream: '', revision: STREAM_LENGTH - 1 }));
    return callers(count, TURN_MS, async (caller) => {
      const place = places[caller]!;
      const fresh = place.revision === STREAM_LENGTH - 1;
      if (fresh) place.stream = `server-${uuid()}`;
      place.revision = (
        await store.append(place.stream, [event()], fresh ? 'no_stream' : place.revision)
      ).revision;
      appended += 1;
    });
  };
}

await withDurablePostgres(async (url) => {
  const lines: Line[] = [];
  for (const { count, atLeast } of TARGETS) {
    const connections = Math.min(count, FLOOR_CONNECTIONS);
    const pool = new Pool({ connectionString: url, max: connections });
    await pool.query(`drop table if exists floor_events; ${FLOOR_TABLE}`);
    const store = await openLog(url);
    // A console follows its log, and so knows that nobody else does.
    store.subscribe(await store.head(), () => undefined);
    const costs = await Costs.of(url);
    lines.push(
      await compare({
        what: `durable appends, ${count} caller${count === 1 ? '' : 's'}`,
        unit: '/s',
        target: { atLeast },
        turns: TURNS,
        floor: { name: `INSERT + COMMIT, ${connections} connections`, turn: floorOf(pool, count) },
        ours: costs.metered({ name: 'EventStore.append', turn: oursOf(store, count) }, () => appended),
      }),
    );
    await costs.say();
    await store.close();
    await pool.end();
  }
  finish(lines);
});

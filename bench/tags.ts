/**
 * The cost of event tags. Floor: the same appends and the same rebuild without tags, on a log opened without a master
 * key. Ours: every event is tagged when it is appended, and checked when it is read.
 */
import { randomBytes } from 'node:crypto';
import { Pool } from 'pg';
import { v7 as uuid } from 'uuid';
import type { NewEvent } from '@quarterdeck/events';
import { openEventStore } from '@quarterdeck/events/store';
import type { EventStore } from '@quarterdeck/log/store';
import { projections } from '@quarterdeck/projections';
import { ensureSchema, ProjectionRunner } from '@quarterdeck/projections/runner';
import { busyLog, write } from '../testing/busy-log';
import { newDatabase, withDurablePostgres } from './durable-postgres';
import { callers, compare, amountOf, finish, turnMsOf, turnsOf, type Line } from './harness';

const TURN_MS = turnMsOf(1_500);
const TURNS = turnsOf(9, 2);
const EVENTS = amountOf(50_000);
const CALLERS = [1, 32, 256];
const masterKey = randomBytes(32);

const renamed = (alias: string): NewEvent => {
  const id = uuid();
  const at = new Date().toISOString();
  const meta = { id, at, actor: id, workspace: id, correlationId: id, causationId: id, v: '1' };
  return { type: 'ServerRenamed', data: { alias }, meta };
};

const appendsTo = (store: EventStore, count: number) => () =>
  callers(count, TURN_MS, () => store.append(`server-${uuid()}`, [renamed('web-1')], 'no_stream'));

/** @returns events per second */
const rebuildOf = (url: string, db: Pool, store: EventStore) => async () => {
  const runner = new ProjectionRunner({ db, connectionString: url, store, projections, lead: false });
  const { events, durationMs } = await runner.rebuild('all');
  await runner.stop();
  return events / (durationMs / 1000);
};

await withDurablePostgres(async (url) => {
  const lines: Line[] = [];
  const [plainUrl, taggedUrl] = [await newDatabase(url, 'plain'), await newDatabase(url, 'tagged')];
  const plain = await openEventStore({ url: plainUrl });
  const tagged = await openEventStore({ url: taggedUrl, masterKey });
  for (const count of CALLERS)
    lines.push(
      await compare({
        what: `tagged appends, ${count} caller${count === 1 ? '' : 's'}`,
        unit: '/s',
        target: { atLeast: 0.97 },
        turns: TURNS,
        floor: { name: 'without tags', turn: appendsTo(plain, count) },
        ours: { name: 'with tags', turn: appendsTo(tagged, count) },
      }),
    );
  await Promise.all([plain.close(), tagged.close()]);

  const rebuiltUrl = await newDatabase(url, 'rebuilt');
  const filling = await openEventStore({ url: rebuiltUrl, masterKey });
  await write(filling, busyLog({ events: EVENTS }).appends);
  await filling.close();
  const pool = new Pool({ connectionString: rebuiltUrl });
  await ensureSchema(pool, projections);
  // Separate instances, as after a start: a process does not check what it has just written.
  const [believing, checking] = [
    await openEventStore({ url: rebuiltUrl }),
    await openEventStore({ url: rebuiltUrl, masterKey }),
  ];
  lines.push(
    await compare({
      what: `all read models from ${EVENTS.toLocaleString('en')} tagged events`,
      unit: '/s',
      target: { atLeast: 0.97 },
      turns: TURNS,
      floor: { name: 'tags not checked', turn: rebuildOf(rebuiltUrl, pool, believing) },
      ours: { name: 'every tag checked', turn: rebuildOf(rebuiltUrl, pool, checking) },
    }),
  );
  await Promise.all([believing.close(), checking.close(), pool.end()]);
  finish(lines);
});

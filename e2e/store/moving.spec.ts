// covers: LOG-04
import { LOG_STREAM } from '@quarterdeck/events/catalogue';
import { openEventStore } from '@quarterdeck/events/store';
import {
  LogElsewhere,
  moveLog,
  MoveRefused,
  openEngine,
  placeOf,
  reopenLog,
  verify,
  type AuditResult,
  type AuthenticStore,
} from '@quarterdeck/log/store';
import { Pool } from 'pg';
import { startEventStoreDb, type EventStoreDbServer } from '../../testing/eventstoredb/server';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { tailWrittenAnew, tamper } from './tampering';
import { appendAtEnd, newStream, renamed, several } from '../../testing/log-events';

const EVENTS = 300;
const masterKey = Buffer.alloc(32, 7);
const prefix = 'quarterdeck.';

let postgres: TestPostgres;
const servers: EventStoreDbServer[] = [];
const stores: AuthenticStore[] = [];

beforeAll(async () => {
  postgres = await startTestPostgres();
});
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  for (const server of servers.splice(0)) await server.stop();
});
afterAll(() => postgres.stop());

type Engine = 'postgres' | 'eventstoredb';

const newPlace = async (engine: Engine): Promise<string> => {
  if (engine === 'postgres') return postgres.newDatabase();
  const server = await startEventStoreDb();
  servers.push(server);
  return server.url;
};

const openAt = async (url: string): Promise<AuthenticStore> => {
  const store = await openEventStore({ url, prefix, masterKey });
  stores.push(store);
  return store;
};

/** Writes interleaved streams of many lengths, in addition to the log's own events. */
const fill = async (store: AuthenticStore, count = EVENTS): Promise<void> => {
  const streams = Array.from({ length: 20 }, newStream);
  for (let written = 0; written < count; written += 5)
    await appendAtEnd(store, streams[(written * 7) % 20] ?? '', several(5, `event "${written}" \\ Zürich`));
};

const verified = (store: AuthenticStore): Promise<AuditResult> => store.audited().then((log) => verify(log));

const move = async (source: AuthenticStore, url: string) => {
  const target = await openEngine({ url, prefix });
  try {
    const audited = await source.audited();
    return await moveLog({ source, target, audited, masterKey, to: url, tell: () => undefined });
  } finally {
    await target.close();
  }
};

const all = async (store: AuthenticStore) =>
  (await store.log.readAll('0', 1_000_000)).map(({ position: _position, ...event }) => event);

const seal = async (store: AuthenticStore): Promise<void> => {
  const sealed = (await verified(store)).head;
  const { keys } = store;
  if (!keys) throw new Error('the log has keys');
  const event = {
    ...renamed(''),
    type: 'LogSealed',
    data: { ...sealed, log: keys.id, signature: keys.sign(sealed) },
  };
  await appendAtEnd(store, LOG_STREAM, [event]);
};

test.each<[Engine, Engine]>([
  ['postgres', 'eventstoredb'],
  ['eventstoredb', 'postgres'],
  ['postgres', 'postgres'],
  ['eventstoredb', 'eventstoredb'],
])('a log moves from %s to %s and back, and no event changes', async (from, to) => {
  const [here, there] = [await newPlace(from), await newPlace(to)];
  const old = await openAt(here);
  await fill(old);
  await seal(old);
  const before = await all(old);

  expect((await move(old, there)).events).toBeGreaterThanOrEqual(EVENTS);
  await expect(appendAtEnd(old, newStream(), [renamed('late')])).rejects.toThrow(
    `the event log has moved to ${there}; set EVENT_STORE_URL to that address`,
  );
  const moved = await openAt(there);
  expect(await placeOf(moved)).toBeUndefined();
  expect((await all(moved)).slice(0, before.length)).toEqual(before);
  expect(await verified(moved)).toMatchObject({ ok: true });

  await fill(moved, 50);
  await seal(moved);
  await fill(moved, 50);
  const after = await all(moved);
  await move(moved, here);
  await expect(appendAtEnd(moved, newStream(), [renamed('late')])).rejects.toThrow(LogElsewhere);
  const back = await openAt(here);
  expect((await all(back)).slice(0, after.length)).toEqual(after);
  await fill(back, 50);
  expect(await verified(back)).toMatchObject({ ok: true });
  // The process that kept the log open all the time continues as well.
  await expect(placeOf(old)).resolves.toBeUndefined();
});

test.each<Engine>(['postgres', 'eventstoredb'])(
  'everything that a process writes to a log in %s during a move is at the new place, or was refused',
  async (engine) => {
    const [here, there] = [await newPlace(engine), await newPlace('postgres')];
    const [old, other] = [await openAt(here), await openAt(here)];
    await fill(old, 100);
    const acknowledged: string[] = [];
    const write = async (): Promise<unknown> => {
      for (;;) {
        const event = renamed('meanwhile');
        try {
          await other.append(newStream(), [event], 'no_stream');
        } catch (error) {
          return error;
        }
        acknowledged.push(event.meta.id);
      }
    };
    const writers = [write(), write(), write()];
    await move(old, there);
    for (const ended of await Promise.all(writers)) expect(ended).toBeInstanceOf(LogElsewhere);
    expect(acknowledged.length).toBeGreaterThan(0);
    const ids = new Set((await all(await openAt(there))).map(({ id }) => id));
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
  },
);

test('a log that was altered is not moved, and one that is altered after the move shows it', async () => {
  const [here, there] = [await newPlace('postgres'), await newPlace('postgres')];
  const old = await openAt(here);
  await fill(old, 50);
  await move(old, there);
  const moved = await openAt(there);
  const db = new Pool({ connectionString: there, max: 1 });
  try {
    await tamper(db, [
      ...tailWrittenAnew(20),
      `do $$ declare tip bigint := (select max(position) from log.events); begin
         for n in 21..tip loop
           update log.events as e set hash = sha256(p.hash || convert_to(log.line(e.position, e.stream, e.revision,
             e.event_id, e.type, log.instant(e.recorded_at), e.data::text, e.meta::text), 'UTF8'))
           from log.events as p where p.position = e.position - 1 and e.position = n;
         end loop;
         update log.head set position = tip, hash = (select hash from log.events where position = tip);
       end $$`,
    ]);
  } finally {
    await db.end();
  }
  expect(await verified(moved)).toMatchObject({ ok: false });
  await expect(move(moved, await newPlace('postgres'))).rejects.toThrow(
    /^the log is not whole: event \d+ is not the event/,
  );
});

test('a place in use, a place with another log, and a log that has moved elsewhere are refused', async () => {
  const [here, used, there] = [
    await newPlace('postgres'),
    await newPlace('eventstoredb'),
    await newPlace('postgres'),
  ];
  const [old, other] = [await openAt(here), await openAt(used)];
  await fill(old, 10);
  await expect(move(old, here)).rejects.toThrow('there is a log in use, or another one; name an empty place');
  await expect(move(old, used)).rejects.toThrow('there is a log in use, or another one; name an empty place');
  await move(old, there);
  await expect(move(old, await newPlace('postgres'))).rejects.toThrow(
    `the log has moved to ${there} already`,
  );
  await expect(move(other, there)).rejects.toThrow(MoveRefused);
});

test('an unfinished copy accepts no writes, whatever it contains', async () => {
  for (const engine of ['postgres', 'eventstoredb'] as const) {
    const [here, there] = [await newPlace('postgres'), await newPlace(engine)];
    const old = await openAt(here);
    await fill(old, 20);
    const half = await openEngine({ url: there, prefix });
    await half.takeIn((await old.log.readAll('0', 3)).slice(0, engine === 'postgres' ? 3 : 1));
    await half.close();
    const opened = await openAt(there);
    await expect(opened.locate()).rejects.toThrow('the event log is a copy that is not finished');
    await move(old, there);
    expect(await placeOf(await openAt(there))).toBeUndefined();
  }
});

test('a log whose new place is lost is opened again, and cannot be confused with what was copied there', async () => {
  const [here, there] = [await newPlace('eventstoredb'), await newPlace('postgres')];
  const old = await openAt(here);
  await fill(old, 20);
  await move(old, there);
  const reopen = async (to: string) =>
    reopenLog({ source: old, audited: await old.audited(), tell: () => undefined, to, at: here });
  await expect(reopen('postgres://elsewhere/')).rejects.toThrow(`this log has moved to ${there}, not there`);
  await reopen(there);
  await fill(await openAt(here), 20);
  expect(await verified(await openAt(here))).toMatchObject({ ok: true });
  await expect(move(await openAt(here), there)).rejects.toThrow(MoveRefused);
});

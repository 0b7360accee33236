// covers: LOG-04
import { LOG_STREAM } from '@quarterdeck/events/catalogue';
import {
  LogElsewhere,
  logOf,
  moveLog,
  MoveRefused,
  openEngine,
  openEventStore,
  placeOf,
  reopenLog,
  verify,
  type AuditResult,
  type AuthenticStore,
} from '@quarterdeck/events/store';
import { Client } from 'pg';
import { startEventStoreDb, type EventStoreDbServer } from '../eventstoredb/server';
import { startTestPostgres, type TestPostgres } from '../peers/postgres';
import { appendAtEnd, newStream, renamed, several } from './events';

const EVENTS = 500;
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

/** Streams of many lengths, between each other, with what the log itself records. */
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
])('a log moves from %s to %s and back, and every event is what it was', async (from, to) => {
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
  // The process that had the log open all the time goes on as well.
  await expect(placeOf(old)).resolves.toBeUndefined();
});

import { jsonEvent, EventStoreDBClient } from '@eventstore/db-client';
import { isEventType } from '@quarterdeck/events/catalogue';
import {
  openEventStore,
  StoreUnavailable,
  WrongExpectedRevision,
  type EventStore,
} from '@quarterdeck/events/store';
import { startEventStoreDb, type EventStoreDbServer } from '../eventstoredb/server';
import { Collector, expectWhole } from './collector';
import { describeEventStore } from './conformance';
import { aliasOf, newStream, renamed, several } from './events';

const stores: EventStore[] = [];
const servers: EventStoreDbServer[] = [];
const open = async (url: string): Promise<EventStore> => {
  const store = await openEventStore({ url });
  stores.push(store);
  return store;
};
const start = async (options?: { batchAppend?: boolean }): Promise<EventStoreDbServer> => {
  const server = await startEventStoreDb(options);
  servers.push(server);
  return server;
};
afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()));
  await Promise.all(servers.map((server) => server.stop()));
});

let shared: EventStoreDbServer;
beforeAll(async () => {
  shared = await start();
});
describeEventStore('the EventStoreDB engine', {
  open: () => open(shared.url),
  // The server encodes and decodes every event in this process too, at ten times the cost of the real one.
  volume: 20_000,
  serverBytes: () => shared.log.bytes,
  outage: { cut: () => shared.halt(), restore: () => shared.resume() },
});

const real = process.env.TEST_EVENTSTOREDB_URL;
if (real) describeEventStore(`the EventStoreDB engine on the server at ${real}`, { open: () => open(real) });

describe('the EventStoreDB engine with a faulty server', () => {
  let server: EventStoreDbServer;
  let store: EventStore;
  beforeAll(async () => {
    server = await start();
    store = await open(server.url);
  });
  afterEach(() => {
    Object.assign(server.faults, {
      refuse: false,
      delayMs: 0,
      loseAnswers: 0,
      acknowledgeLateMs: 0,
      duplicateEvery: 0,
    });
  });

  test('writes once what lost its answer', async () => {
    const stream = newStream();
    server.faults.loseAnswers = 1;
    const result = await store.append(stream, several(2), 'no_stream');
    expect(result.revision).toBe(1);
    const events = await store.readStream(stream);
    expect(events.map(aliasOf)).toEqual(['event 0', 'event 1']);
    expect(events.at(-1)?.position).toBe(result.position);
  });

  test('writes once what lost its answer among the appends of others', async () => {
    const streams = Array.from({ length: 20 }, newStream);
    server.faults.loseAnswers = 3;
    await Promise.all(streams.map((stream) => store.append(stream, several(2), 'no_stream')));
    for (const stream of streams) expect(await store.readStream(stream)).toHaveLength(2);
  });

  test('tells a conflict that arises while the outcome is unknown', async () => {
    const stream = newStream();
    await store.append(stream, several(1), 'no_stream');
    server.faults.delayMs = 300;
    const late = store.append(stream, [renamed('late')], 0);
    late.catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await server.drop();
    server.log.append(stream, 'any', [
      {
        id: 'another',
        type: 'Other',
        contentType: 'application/json',
        data: Buffer.from('{}'),
        metadata: Buffer.from('{}'),
      },
    ]);
    await expect(late).rejects.toBeInstanceOf(WrongExpectedRevision);
  });

  test('waits for an acknowledgement that comes late', async () => {
    server.faults.acknowledgeLateMs = 400;
    const stream = newStream();
    const results = await Promise.all([
      store.append(stream, several(1), 'no_stream'),
      store.append(newStream(), several(1), 'no_stream'),
    ]);
    expect(results.map(({ revision }) => revision)).toEqual([0, 0]);
  });

  test('says that it is unavailable when the server refuses, and goes on when it does not', async () => {
    server.faults.refuse = true;
    await expect(store.append(newStream(), several(1), 'no_stream')).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(store.readAll('0')).rejects.toBeInstanceOf(StoreUnavailable);
    server.faults.refuse = false;
    await expect(store.append(newStream(), several(1), 'no_stream')).resolves.toMatchObject({ revision: 0 });
  });

  test('delivers once what the server delivers twice, and goes on after each dropped connection', async () => {
    const begin = await store.head();
    server.faults.duplicateEvery = 3;
    const collector = new Collector(store, begin, { batchSize: 10 });
    for (let round = 1; round <= 4; round += 1) {
      await store.append(newStream(), several(50), 'no_stream');
      await collector.until(({ events }) => events.length >= round * 40);
      await server.drop();
    }
    await collector.until(({ events }) => events.length >= 200);
    expectWhole(collector.events);
    expect(collector.events).toHaveLength(200);
    expect(collector.faults.length).toBeGreaterThanOrEqual(3);
    await collector.subscription.stop();
  });
});

describe('the EventStoreDB engine beside others', () => {
  test('works with a server that knows no batch append', async () => {
    const store = await open((await start({ batchAppend: false })).url);
    const stream = newStream();
    const events = several(3);
    const first = await store.append(stream, events, 'no_stream');
    expect(await store.append(stream, events, 'no_stream')).toEqual(first);
    await expect(store.append(stream, several(1), 0)).rejects.toMatchObject({ actual: 2 });
    await expect(store.append(newStream(), several(1), 0)).rejects.toMatchObject({
      actual: -1,
    });
  });

  test('leaves out the events of the server, and passes those of other programs as they are', async () => {
    const server = await start();
    const store = await open(server.url);
    const other = EventStoreDBClient.connectionString(server.url);
    await other.appendToStream('orders-1', jsonEvent({ type: 'OrderPlaced', data: { total: 7 } }));
    await store.append(newStream(), several(120), 'no_stream');
    expect(server.log.events.filter(({ type }) => type.startsWith('$')).length).toBeGreaterThan(1);
    const all = await store.readAll('0', { limit: 1_000 });
    expect(all).toHaveLength(121);
    expect(all[0]).toMatchObject({
      type: 'OrderPlaced',
      data: { total: 7 },
      stream: 'orders-1',
      meta: { workspace: '-' },
    });
    expect(isEventType(all[0]!.type)).toBe(false);
    expect(await store.head()).toBe(all.at(-1)!.position);
    await other.dispose().catch(() => undefined);
  });
});

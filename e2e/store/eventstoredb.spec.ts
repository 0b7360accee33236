import { jsonEvent, EventStoreDBClient } from '@eventstore/db-client';
import { isEventType } from '@quarterdeck/events/catalogue';
import { openEventStore } from '@quarterdeck/events/store';
import {
  LogForbidden,
  LogWithoutPrefix,
  StoreUnavailable,
  StreamCut,
  StreamDeleted,
  WrongExpectedRevision,
  type EventStore,
} from '@quarterdeck/log/store';
import { startEventStoreDb, type EventStoreDbServer } from '../../testing/eventstoredb/server';
import { Collector, expectWhole } from './collector';
import { describeEventStore } from './conformance';
import { aliasOf, newStream, renamed, several } from '../../testing/log-events';

const stores: EventStore[] = [];
const servers: EventStoreDbServer[] = [];
const open = async (url: string, prefix = ''): Promise<EventStore> => {
  const store = await openEventStore({ url, prefix });
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
  open: () => open(shared.url, 'quarterdeck.'),
  // The server also encodes and decodes every event in this process, at ten times the cost of the real one.
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
      forbid: false,
      delayMs: 0,
      loseAnswers: 0,
      acknowledgeLateMs: 0,
      duplicateEvery: 0,
    });
  });

  test('reports that its user has lost its permissions, and continues once they are back', async () => {
    const stream = newStream();
    await store.append(stream, several(1), 'no_stream');
    server.faults.forbid = true;
    await expect(store.readStream(stream)).rejects.toBeInstanceOf(LogForbidden);
    await expect(store.head()).rejects.toBeInstanceOf(LogForbidden);
    await expect(store.append(stream, several(1), 0)).rejects.toBeInstanceOf(LogForbidden);
    server.faults.forbid = false;
    await store.append(stream, several(1), 0);
    expect(await store.readStream(stream)).toHaveLength(2);
  });

  test('writes an append once if its answer was lost', async () => {
    const stream = newStream();
    server.faults.loseAnswers = 1;
    const result = await store.append(stream, several(2), 'no_stream');
    expect(result.revision).toBe(1);
    const events = await store.readStream(stream);
    expect(events.map(aliasOf)).toEqual(['event 0', 'event 1']);
    expect(events.at(-1)?.position).toBe(result.position);
  });

  test('writes an append once if its answer was lost among those of others', async () => {
    const streams = Array.from({ length: 20 }, newStream);
    server.faults.loseAnswers = 3;
    await Promise.all(streams.map((stream) => store.append(stream, several(2), 'no_stream')));
    for (const stream of streams) expect(await store.readStream(stream)).toHaveLength(2);
  });

  test('recognises a conflict that arises while the outcome is unknown', async () => {
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

  test('waits for a late acknowledgement', async () => {
    server.faults.acknowledgeLateMs = 400;
    const stream = newStream();
    const results = await Promise.all([
      store.append(stream, several(1), 'no_stream'),
      store.append(newStream(), several(1), 'no_stream'),
    ]);
    expect(results.map(({ revision }) => revision)).toEqual([0, 0]);
  });

  test('reports that it is unavailable while the server refuses, and continues afterwards', async () => {
    server.faults.refuse = true;
    await expect(store.append(newStream(), several(1), 'no_stream')).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(store.readAll('0')).rejects.toBeInstanceOf(StoreUnavailable);
    server.faults.refuse = false;
    await expect(store.append(newStream(), several(1), 'no_stream')).resolves.toMatchObject({ revision: 0 });
  });

  test('delivers an event once even if the server repeats it, and continues after each dropped connection', async () => {
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

describe('the EventStoreDB engine beside other programs', () => {
  test('works with a server without batch append', async () => {
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

  test("leaves out the server's events, and passes on those of other programs unchanged", async () => {
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

describe('the EventStoreDB engine under a prefix', () => {
  let server: EventStoreDbServer;
  let other: EventStoreDBClient;
  beforeAll(async () => {
    server = await start();
    other = EventStoreDBClient.connectionString(server.url);
  });
  afterAll(() => other.dispose().catch(() => undefined));
  const foreign = (count: number) =>
    other.appendToStream(
      'orders-1',
      Array.from({ length: count }, () => jsonEvent({ type: 'OrderPlaced', data: {} })),
    );

  test('sees nothing of other programs and other installations, however much they write', async () => {
    await foreign(700);
    const [ours, theirs] = await Promise.all([open(server.url, 'ours.'), open(server.url, 'theirs.')]);
    expect(await ours.head()).toBe('0');
    expect(await ours.readAll('0')).toEqual([]);
    const collector = new Collector(ours, '0');
    await collector.until(({ caughtUp }) => caughtUp > 0);
    const stream = newStream();
    const first = await ours.append(stream, several(3), 'no_stream');
    expect(await ours.head()).toBe(first.position);
    await theirs.append(stream, several(2, 'theirs'), 'no_stream');
    await foreign(700);
    expect(await ours.head()).toBe(first.position);
    const second = await ours.append(stream, several(1, 'last'), 2);
    await foreign(700);
    expect(await ours.head()).toBe(second.position);
    expect(await ours.head()).toBe(second.position);
    const all = await ours.readAll('0', { limit: 3 });
    expect(all.map(aliasOf)).toEqual(['event 0', 'event 1', 'event 2']);
    expect((await ours.readAll(all[2]!.position)).map(aliasOf)).toEqual(['last 0']);
    expect(await ours.readAll(second.position)).toEqual([]);
    await collector.reaches(second.position);
    expect(collector.events).toEqual(await ours.readStream(stream));
    expect(collector.events.every((event) => event.stream === stream)).toBe(true);
    expect((await theirs.readStream(stream)).map(aliasOf)).toEqual(['theirs 0', 'theirs 1']);
    await collector.subscription.stop();
  });

  test('refuses to start a new log beside one without a prefix, which stays readable without one', async () => {
    const old = await start();
    const store = await open(old.url);
    const stranger = EventStoreDBClient.connectionString(old.url);
    await stranger.appendToStream(
      'orders-0190f000-0000-7000-8000-000000000000',
      jsonEvent({ type: 'OrderPlaced', data: {} }),
    );
    await stranger.dispose();
    await expect(open(old.url, 'quarterdeck.')).resolves.toBeDefined();
    const { position } = await store.append(newStream(), several(1), 'no_stream');
    await expect(open(old.url, 'quarterdeck.')).rejects.toBeInstanceOf(LogWithoutPrefix);
    expect(await (await open(old.url)).head()).toBe(position);
  });

  test('names our streams that somebody has truncated or deleted, and no others', async () => {
    const store = await open(server.url, 'cut.');
    const streams = Array.from({ length: 5 }, newStream);
    for (const stream of streams) await store.append(stream, several(3), 'no_stream');
    expect(await store.truncated()).toEqual([]);
    const [counted = '', aged = '', before = '', deleted = '', tombstoned = ''] = streams;
    await other.setStreamMetadata(`cut.${counted}`, { maxCount: 1 });
    await other.setStreamMetadata(`cut.${aged}`, { maxAge: 60 });
    await other.setStreamMetadata(`cut.${before}`, { truncateBefore: 2 });
    await other.deleteStream(`cut.${deleted}`);
    await other.tombstoneStream(`cut.${tombstoned}`);
    await other.setStreamMetadata('orders-1', { maxCount: 1 });
    await other.setStreamMetadata(`ours.${newStream()}`, { maxCount: 1 });
    expect(await store.truncated()).toEqual([
      { stream: counted, limits: '$maxCount 1' },
      { stream: aged, limits: '$maxAge 60' },
      { stream: before, limits: '$tb 2' },
      { stream: deleted, limits: 'deleted' },
      { stream: tombstoned, limits: 'deleted' },
    ]);
    await other.setStreamMetadata(`cut.${counted}`, {});
    expect((await store.truncated()).map(({ stream }) => stream)).not.toContain(counted);
    // Their events are still in the log.
    expect(await store.readAll('0')).toHaveLength(15);
    // A hard deletion is permanent, not an outage.
    const another = await open(server.url, 'cut.');
    await expect(another.readStream(tombstoned)).rejects.toBeInstanceOf(StreamDeleted);
    await expect(another.append(tombstoned, several(1), 2)).rejects.toBeInstanceOf(StreamDeleted);
    // Neither may anybody add to what the server hides, or take a part of a stream for the whole.
    for (const stream of [aged, before, deleted])
      await expect(store.append(stream, several(1), 2)).rejects.toBeInstanceOf(StreamCut);
    await expect(another.readStream(before)).rejects.toThrow(
      `stream ${before} was cut or deleted in the event log (it begins with event 2)`,
    );
    expect((await store.append(counted, several(1), 2)).revision).toBe(3);
  });
});

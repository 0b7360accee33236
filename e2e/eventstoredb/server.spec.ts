/** The test server must fail where the real one fails. Each of these behaviours was measured on the real one. */
import { EventStoreDBClient, jsonEvent, streamNameFilter } from '@eventstore/db-client';
import { v4 as uuid } from 'uuid';
import { startCluster, type Cluster } from '../../testing/eventstoredb/cluster';
import { startEventStoreDb, type EventStoreDbServer } from '../../testing/eventstoredb/server';

const event = (text = '') => jsonEvent({ type: 'Noted', data: { text } });
const gone: (() => Promise<unknown>)[] = [];
let server: EventStoreDbServer;

const connect = (url: string): EventStoreDBClient => {
  const client = EventStoreDBClient.connectionString(url);
  gone.push(async () => {
    await Promise.race([client.dispose(), new Promise((resolve) => setTimeout(resolve, 100))]);
    const channel = await (client as unknown as { getChannel(): Promise<{ close(): void }> }).getChannel();
    channel.close();
  });
  return client;
};
const revisions = async (client: EventStoreDBClient, stream: string): Promise<number[]> => {
  const all: number[] = [];
  for await (const { event: read } of client.readStream(stream)) all.push(Number(read?.revision));
  return all;
};
const soon = <T>(answer: Promise<T>, ms = 150): Promise<T | 'silent'> =>
  Promise.race([answer, new Promise<'silent'>((resolve) => setTimeout(() => resolve('silent'), ms))]);

beforeAll(async () => {
  server = await startEventStoreDb();
});
afterAll(async () => {
  await Promise.allSettled(gone.map((end) => end()));
  await server.stop();
});

test('lets a call wait while 100 are open, including abandoned reads', async () => {
  const client = connect(server.url);
  await client.appendToStream(
    'long-1',
    Array.from({ length: 100 }, () => event('x'.repeat(3_000))),
  );
  // With the call that carries the appends, 100 calls are open.
  const reads = Array.from({ length: 99 }, () => client.readStream('long-1'));
  for (const read of reads) for await (const _ of read) break;
  const late = revisions(client, 'long-1');
  expect(await soon(late)).toBe('silent');
  await reads[0]?.cancel();
  expect(await late).toHaveLength(100);
  await Promise.all(reads.slice(1).map((read) => read.cancel()));
});

test('recognises a repeated append only at the same expected revision', async () => {
  const client = connect(server.url);
  const first = event();
  await client.appendToStream('twice-1', first, { expectedRevision: 'no_stream' });
  await client.appendToStream('twice-1', first, { expectedRevision: 'no_stream' });
  expect(await revisions(client, 'twice-1')).toEqual([0]);
  await client.appendToStream('twice-1', first, { expectedRevision: 0n });
  expect(await revisions(client, 'twice-1')).toEqual([0, 1]);
  await client.appendToStream('twice-1', first, { expectedRevision: 'any' });
  expect(await revisions(client, 'twice-1')).toEqual([0, 1]);
  await server.halt();
  await server.resume();
  // The connection may not have noticed yet.
  for (let failed = true; failed;)
    failed = await connect(server.url)
      .appendToStream('twice-1', first, { expectedRevision: 'any' })
      .then(
        () => false,
        () => true,
      );
  expect(await revisions(connect(server.url), 'twice-1')).toEqual([0, 1, 2]);
});

test('truncates a stream for readers by its metadata, and keeps its events in $all', async () => {
  const client = connect(server.url);
  await client.appendToStream('cut-1', [event(), event(), event()]);
  await client.setStreamMetadata('cut-1', { maxCount: 2 });
  expect(await revisions(client, 'cut-1')).toEqual([1, 2]);
  await client.setStreamMetadata('cut-1', { truncateBefore: 2 });
  expect(await revisions(client, 'cut-1')).toEqual([2]);
  await client.setStreamMetadata('cut-1', { maxAge: 0 });
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await revisions(client, 'cut-1')).toEqual([]);
  expect(server.log.events.filter(({ stream }) => stream === 'cut-1')).toHaveLength(3);
});

test('reports a deleted stream as missing, and continues it at its next revision', async () => {
  const client = connect(server.url);
  await client.appendToStream('gone-1', [event(), event()]);
  await client.deleteStream('gone-1');
  await expect(revisions(client, 'gone-1')).rejects.toMatchObject({ type: 'stream-not-found' });
  await client.appendToStream('gone-1', event(), { expectedRevision: 1n });
  expect(await revisions(client, 'gone-1')).toEqual([2]);
  await client.tombstoneStream('gone-1');
  await expect(revisions(client, 'gone-1')).rejects.toMatchObject({ type: 'stream-deleted' });
  await expect(client.appendToStream('gone-1', event())).rejects.toMatchObject({ type: 'stream-deleted' });
  expect(
    server.log.events.filter(({ stream, type }) => stream === 'gone-1' && type === 'Noted'),
  ).toHaveLength(3);
});

test('filters a subscription by prefix of stream names, and reports its progress', async () => {
  const client = connect(server.url);
  let looked = 0n;
  const subscription = client.subscribeToAll({
    filter: streamNameFilter({
      prefixes: ['mine.'],
      checkpointInterval: 1,
      checkpointReached: (_, { commit }) => void (looked = commit),
    }),
  });
  const taken = (async () => {
    for await (const { event: read } of subscription) return read?.streamId;
  })();
  for (let n = 0; n < 40; n += 1) await client.appendToStream(`other-${n}`, event());
  await client.appendToStream('mine.a-1', event());
  expect(await taken).toBe('mine.a-1');
  expect(looked).toBeGreaterThan(0n);
  await subscription.unsubscribe();
});

test('accepts connections and stays silent while frozen, and continues afterwards', async () => {
  const client = connect(server.url);
  await client.appendToStream('frozen-1', event());
  server.freeze();
  const answers: Promise<unknown>[] = [
    client.appendToStream('frozen-1', event()),
    revisions(connect(server.url), 'frozen-1'),
  ];
  expect(await Promise.all(answers.map((answer) => soon(answer)))).toEqual(['silent', 'silent']);
  server.thaw();
  await Promise.all(answers);
});

describe('three nodes', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster({ killedMs: 50, frozenMs: 100 });
  });
  afterAll(() => cluster.stop());

  const write = (index: number, requiresLeader: boolean) =>
    connect(cluster.urlOf(index)).appendToStream(`shared-${uuid()}`, event(), { requiresLeader });

  test('with a follower that names the leader on request, and forwards other calls', async () => {
    const leader = Number(new URL(cluster.urlOf(0)).port);
    await expect(write(1, true)).rejects.toMatchObject({ type: 'not-leader', leader: { port: leader } });
    await expect(write(1, false)).resolves.toMatchObject({ success: true });
    await expect(connect(cluster.url).appendToStream('shared-1', event())).resolves.toBeDefined();
  });

  test('elect another leader if it is frozen, and it is a follower when it wakes up', async () => {
    cluster.freeze(0);
    const leader = await cluster.elected();
    expect(leader).not.toBe(0);
    await expect(write(leader, true)).resolves.toMatchObject({ success: true });
    cluster.thaw(0);
    await expect(write(0, true)).rejects.toMatchObject({ type: 'not-leader' });
  });

  test('elect another leader if it is killed, and without a quorum appends get no answer', async () => {
    const killed = await cluster.elected();
    await cluster.kill(killed);
    const leader = await cluster.elected();
    expect(leader).not.toBe(killed);
    const third = [0, 1, 2].find((index) => index !== killed && index !== leader) ?? 0;
    await cluster.kill(third);
    const append = write(leader, true);
    expect(await soon(append)).toBe('silent');
    await cluster.revive(third);
    await expect(append).resolves.toMatchObject({ success: true });
  });
});

// covers: LOG-01
import { randomUUID } from 'node:crypto';
import { openEventStore } from '@quarterdeck/events/store';
import { StoreUnavailable, type EventStore } from '@quarterdeck/log/store';
import { startCluster, type Cluster } from '../../testing/eventstoredb/cluster';
import { Collector, expectWhole } from '../store/collector';
import { renamed } from '../../testing/log-events';
import { pause } from '../../testing/patience';
import { budget, fault, within } from './fault';

const WRITERS = 16;
let cluster: Cluster;
let store: EventStore;
let collector: Collector;
let writing: Promise<unknown>;
let more = true;
const acknowledged: string[] = [];
/** The longest append and the longest read of the head, in ms. */
const longest = { append: 0, head: 0 };

const timed = async <T>(what: keyof typeof longest, call: () => Promise<T>): Promise<T> => {
  const began = Date.now();
  try {
    return await call();
  } finally {
    longest[what] = Math.max(longest[what], Date.now() - began);
  }
};

/** Writes one stream. An append without an answer is repeated with the same id, like a command with a key. */
async function write(): Promise<void> {
  const stream = `server-${randomUUID()}`;
  let revision = -1;
  let event = renamed('x');
  while (more) {
    try {
      const expected = revision < 0 ? 'no_stream' : revision;
      ({ revision } = await timed('append', () => store.append(stream, [event], expected)));
      acknowledged.push(event.meta.id);
      event = renamed('x');
      await pause(20);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      await pause(20);
    }
  }
}

beforeAll(async () => {
  // Clients give up a frozen leader before it is replaced, as with a real cluster, where the replacement takes 7 s.
  cluster = await startCluster({ frozenMs: 4_500 });
  store = await openEventStore({ url: cluster.url });
  collector = new Collector(store, await store.head());
  writing = Promise.all(Array.from({ length: WRITERS }, write));
});
afterAll(async () => {
  more = false;
  await cluster.stop();
  await writing;
  await collector.subscription.stop();
  await store.close();
});

const goesOn = (what: string): Promise<number> => {
  const had = acknowledged.length;
  return within(3_000, what, () => acknowledged.length > had);
};

const nothingLost = async (): Promise<void> => {
  const acked = [...acknowledged];
  await within(10_000, 'the subscriber', () => {
    const seen = new Set(collector.events.map(({ meta }) => meta.id));
    return acked.every((id) => seen.has(id));
  });
  expectWhole(collector.events);
  const stored = cluster.log.events.filter(({ type }) => type === 'ServerRenamed').map(({ id }) => id);
  expect(new Set(stored).size).toBe(stored.length);
};

fault({
  fault: 'the leader of three event store nodes frozen under 16 writers',
  must: 'acknowledged again within 3 s of the new leader, nothing lost, nothing twice, no call longer than it may',
  share: 0.1,
  trial: async () => {
    const frozen = await cluster.elected();
    await goesOn('an append before');
    cluster.freeze(frozen);
    const head = timed('head', () => store.head()).catch((error: unknown) => error);
    await within(10_000, 'an election', () => cluster.leader !== frozen);
    const took = await goesOn('an append after the election');
    expect([typeof (await head), true]).toEqual([expect.any(String), true]);
    cluster.thaw(frozen);
    await pause(100);
    await goesOn('an append after the frozen one woke up');
    await nothingLost();
    expect(longest.append).toBeLessThan(budget(10_000));
    expect(longest.head).toBeLessThan(budget(5_500));
    return `acknowledged again after ${String(took).padStart(4)} ms`;
  },
});

fault({
  fault: 'the leader of three event store nodes killed under 16 writers',
  must: 'acknowledged again within 3 s of the new leader, nothing lost, nothing twice',
  share: 0.1,
  trial: async () => {
    const killed = await cluster.elected();
    await goesOn('an append before');
    await cluster.kill(killed);
    await cluster.elected();
    const took = await goesOn('an append after the election');
    await cluster.revive(killed);
    await nothingLost();
    return `acknowledged again after ${String(took).padStart(4)} ms`;
  },
});

fault({
  fault: 'two of three event store nodes killed for a while',
  must: 'appends end with "unavailable" within 10 s, and go on when one is back',
  share: 0.1,
  trial: async () => {
    const leader = await cluster.elected();
    const [first = 0, second = 0] = [0, 1, 2].filter((index) => index !== leader);
    await Promise.all([cluster.kill(first), cluster.kill(second)]);
    const append = timed('append', () =>
      store.append(`server-${randomUUID()}`, [renamed('unanswered')], 'no_stream'),
    );
    await expect(append).rejects.toBeInstanceOf(StoreUnavailable);
    await cluster.revive(first);
    await goesOn('an append with two nodes');
    await cluster.revive(second);
    await nothingLost();
    expect(longest.append).toBeLessThan(budget(10_000));
  },
});

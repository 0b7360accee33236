import { StoreUnavailable, type EventStore } from '@quarterdeck/log/store';
import { Collector, expectWhole } from './collector';
import { heldBytes } from '../../testing/held-memory';
import { aliasOf, appendAtEnd, newStream, renamed, several } from '../../testing/log-events';

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Appends to the end of one stream, however often another writer is faster or the log is down. */
export async function insist(store: EventStore, stream: string, alias: string): Promise<void> {
  const event = renamed(alias);
  for (;;) {
    try {
      await appendAtEnd(store, stream, [event]);
      return;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      await sleep(50);
    }
  }
}

export interface Load {
  /** Number of events that the long test writes and follows; default: 100,000. */
  volume?: number;
  /** Memory of a server in this process, which does not count for the engine. */
  serverBytes?: () => number;
}

/** Guarantees to a subscriber, tested on every engine. */
export const describeSubscriptions = (
  store: () => EventStore,
  second: () => EventStore,
  { volume = 100_000, serverBytes = () => 0 }: Load,
): void => {
  describe('subscribing', () => {
    let collectors: Collector[] = [];
    const collect = (...args: ConstructorParameters<typeof Collector>): Collector => {
      const collector = new Collector(...args);
      collectors.push(collector);
      return collector;
    };
    afterEach(async () => {
      await Promise.all(collectors.map(({ subscription }) => subscription.stop()));
      collectors = [];
    });

    test('delivers existing events, reports that it has caught up, then delivers new ones', async () => {
      const start = await store().head();
      const stream = newStream();
      await store().append(stream, several(5, 'old'), 'no_stream');
      const collector = collect(store(), start);
      await collector.until(({ caughtUp }) => caughtUp > 0);
      expect(collector.events.map(aliasOf)).toEqual(['old 0', 'old 1', 'old 2', 'old 3', 'old 4']);
      const { position } = await store().append(stream, several(2, 'new'), 4);
      await collector.reaches(position);
      expect(collector.events.slice(5).map(aliasOf)).toEqual(['new 0', 'new 1']);
      expect(collector.events).toEqual(await store().readAll(start));
    });

    test('goes from catching up to live without gap or duplicate under 48 writers on 8 streams', async () => {
      const start = await store().head();
      const streams = Array.from({ length: 8 }, newStream);
      const perWriter = 25;
      const writing = Promise.all(
        Array.from({ length: 48 }, async (_, writer) => {
          const through = writer % 2 === 0 ? store() : second();
          for (let own = 0; own < perWriter; own += 1) {
            await insist(through, streams[(writer + own) % 8]!, `${writer}/${own}`);
          }
        }),
      );
      const early = [collect(store(), start, { batchSize: 7 }), collect(second(), start)];
      await sleep(100);
      const late = [collect(store(), start), collect(second(), start, { batchSize: 50 })];
      await writing;
      for (const collector of [...early, ...late]) {
        await collector.until(({ events }) => events.length >= 48 * perWriter);
        expectWhole(collector.events);
        expect(collector.events).toHaveLength(48 * perWriter);
        expect(collector.events[0]?.revision).toBe(0);
      }
    });

    test('sees events of another process in order', async () => {
      // Only a notification can bring the events: the next poll comes after the test.
      const collector = collect(store(), await store().head(), { pollMs: 3_600_000 });
      await collector.until(({ caughtUp }) => caughtUp > 0);
      const stream = newStream();
      await second().append(stream, several(2, 'theirs'), 'no_stream');
      await store().append(stream, several(1, 'ours'), 1);
      const { position } = await second().append(stream, several(1, 'theirs again'), 2);
      await collector.reaches(position);
      expect(collector.events.map(aliasOf)).toEqual(['theirs 0', 'theirs 1', 'ours 0', 'theirs again 0']);
    });

    test('starts again from a checkpoint with the event after it', async () => {
      const start = await store().head();
      await store().append(newStream(), several(30), 'no_stream');
      const first = collect(store(), start, { batchSize: 10 });
      await first.until(({ events }) => events.length >= 10);
      await first.subscription.stop();
      const rest = collect(store(), first.position);
      await rest.until(({ caughtUp }) => caughtUp > 0);
      expect([...first.events, ...rest.events]).toEqual(await store().readAll(start));
    });

    test('repeats the batch for a handler that throws', async () => {
      const start = await store().head();
      const { position } = await store().append(newStream(), several(3), 'no_stream');
      const seen: string[][] = [];
      const faults: unknown[] = [];
      await new Promise<void>((resolve) => {
        const subscription = store().subscribe(
          start,
          (batch) => {
            seen.push(batch.map(({ meta }) => meta.id));
            if (seen.length < 3) throw new Error(`attempt ${seen.length}`);
            if (batch.at(-1)?.position === position) void subscription.stop().then(resolve);
          },
          { onFault: (error) => faults.push(error) },
        );
      });
      expect(seen[0]?.length).toBeGreaterThan(0);
      expect(seen[1]).toEqual(seen[0]);
      expect(seen[2]).toEqual(seen[0]);
      expect(faults.map(String)).toEqual(['Error: attempt 1', 'Error: attempt 2']);
    });

    test('stops after the current batch, and does not call the handler again', async () => {
      const start = await store().head();
      await store().append(newStream(), several(20), 'no_stream');
      let finished = 0;
      let entered = () => {};
      const inside = new Promise<void>((resolve) => (entered = resolve));
      const subscription = store().subscribe(
        start,
        async () => {
          entered();
          await sleep(50);
          finished += 1;
        },
        { batchSize: 5 },
      );
      await inside;
      await subscription.stop();
      expect(finished).toBe(1);
      await store().append(newStream(), several(1), 'no_stream');
      await sleep(50);
      expect(finished).toBe(1);
    });

    test(`follows ${volume.toLocaleString('en')} events`, async () => {
      const start = await store().head();
      const collector = collect(store(), start);
      for (let written = 0; written < volume; written += 5_000) {
        const streams = Array.from({ length: 10 }, newStream);
        await Promise.all(streams.map((stream) => store().append(stream, several(500), 'no_stream')));
      }
      await collector.until(({ events }) => events.length >= volume);
      expectWhole(collector.events);
      expect(collector.events).toHaveLength(volume);
    });

    test('limits memory for a slow subscriber', async () => {
      const start = await store().head();
      let release = () => {};
      const gate = new Promise<void>((resolve) => (release = resolve));
      const collector = collect(store(), start, { slow: () => gate, batchSize: 20 });
      const text = 'x'.repeat(200_000);
      const before = heldBytes() - serverBytes();
      for (let index = 0; index < 300; index += 1)
        await store().append(newStream(), [renamed(text)], 'no_stream');
      const grown = heldBytes() - serverBytes() - before;
      release();
      await collector.until(({ events }) => events.length >= 300);
      // 60 MB went through.
      expect(grown).toBeLessThan(30_000_000);
      expectWhole(collector.events);
    });
  });
};
